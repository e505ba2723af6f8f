/**
 * The tool calls of one answer. Calls run side by side in waves: a `sequential` call is a wave of
 * its own. A wave begins when the one before it is settled, and is written into the transcript in
 * call order whatever the order of completion (P3, P4).
 */
import {
  addUsage as addUsages,
  callIdentity,
  type Directive,
  itemAt,
  type Json,
  type NotifyDirective,
  noUsage,
  type SeenEvent,
  secretPaths,
  type Tool,
  type ToolCallPart,
  type ToolSettlement,
  type Usage,
} from "../kernel/index.js";
import { call as invoke } from "./behaviour.js";
import {
  beginCall,
  checkArguments,
  concludeCall,
  cutOff,
  failFrom,
  noTool,
  ownTool,
  readyCall,
  say,
} from "./calls.js";
import type { AgentContext, Batch, Call, CallOutcome, ToolCallRecord } from "./context.js";
import { addMessage, addToolCall, addUsage } from "./context-functions.js";
import { countOutputCall } from "./output.js";
import { shareOut } from "./shares.js";
import type { AgentSpec } from "./spec.js";
import { type AgentStep, madeText, newStep } from "./step.js";
import * as texts from "./texts.js";
import { errorOutput, resultMessage, toolOutput } from "./transcript.js";

/** One value, so that it is sealed once. */
const NO_NOTICES: readonly NotifyDirective[] = [];
const ONE_CALL: Usage = { ...noUsage, toolCalls: 1 };

/** A settlement that belongs to a call, with the directive that it settles. */
export type SettledCall = Exclude<
  SeenEvent,
  { type: `llm.${string}` | "timer.fired" | "message" | "cancel" | "interrupt" }
>;

/** The context with the tool calls of an answer taken on, as far as they go by themselves. */
export function openBatch(
  context: AgentContext,
  iteration: number,
  parts: readonly ToolCallPart[],
  offered: ReadonlySet<string>,
  step: AgentStep,
): AgentContext {
  const { spec } = step;
  let wave = -1;
  let alone = true;
  const calls = parts.map((part, index): Call => {
    const { sequential } = ownTool(spec.tools, part.toolName) ?? { sequential: false };
    const mustBeAlone = sequential || spec.sequential;
    if (alone || mustBeAlone) wave += 1;
    alone = mustBeAlone;
    const call: Call = {
      id: `tool/${iteration}/${index}`,
      callId: part.toolCallId,
      name: part.toolName,
      input: part.input,
      ...(part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions }),
      wave,
      status: "waiting",
    };
    if (!offered.has(part.toolName)) return noTool(call);
    const fault = argumentFault(part);
    return fault === undefined ? call : say(call, "failed", fault, "arguments");
  });
  return advance({ ...context, notices: NO_NOTICES, batch: { calls, wave: 0 } }, step);
}

/** What the model is told of arguments that are no JSON object; `undefined` where they are one. */
function argumentFault(part: ToolCallPart): string | undefined {
  if (!isMalformed(part)) return undefined;
  return part.malformed === true ? texts.MALFORMED : texts.notAnObject(JSON.stringify(part.input));
}

/** Whether a call's arguments are no JSON object. */
export function isMalformed({ malformed, input }: ToolCallPart): boolean {
  return malformed === true || typeof input !== "object" || input === null || Array.isArray(input);
}

/** Begins and writes waves until one has to wait for somebody, or the batch is done. */
function advance(context: AgentContext, step: AgentStep): AgentContext {
  let next = context;
  for (;;) {
    const batch = next.batch as Batch;
    const inWave = (call: Call) => call.wave === batch.wave;
    const calls = batch.calls.map((call) => (inWave(call) ? beginCall(call, step, next) : call));
    next = { ...next, batch: { ...batch, calls } };
    const wave = calls.filter(inWave);
    if (wave.length === 0) return { ...next, batch: null, needsResponse: true };
    if (!wave.every(({ status }) => status === "settled" || status === "inline")) {
      return shareOut(next);
    }
    for (const call of wave) next = writeCall(next, call, step);
    const unknown = wave.find((call) => isUnknown(call) && stopsAt(call, step.spec));
    const rest = unknown === undefined ? calls : heldBack(calls, unknown, next);
    next = { ...next, batch: { calls: rest, wave: batch.wave + 1 } };
  }
}

function isUnknown({ outcome }: Call): boolean {
  return outcome?.type === "said" && outcome.status === "unknown";
}

/** Whether nothing is begun behind this call, of which nobody knows what came. */
function stopsAt({ name }: Call, spec: AgentSpec): boolean {
  return (ownTool(spec.tools, name)?.onUnknown ?? spec.onUnknown) === "stop";
}

/** The calls, of which those that wait are not executed: the model reads first what is unknown. */
function heldBack(calls: readonly Call[], unknown: Call, context: AgentContext): readonly Call[] {
  const text = texts.behindUnknown(unknown.name, callIdentity(context.runId, unknown.id));
  return calls.map((call) => (call.status === "waiting" ? say(call, "not-executed", text) : call));
}

/** Writes one call's result, its record and its context update. */
function writeCall(context: AgentContext, call: Call, step: AgentStep): AgentContext {
  const { spec } = step;
  const { outcome, deps } = concludeCall(call, step, context);
  let next = countOutputCall(spec, writeOutcome(context, call, outcome), call, outcome);
  if (outcome.type === "returned") {
    const told = secretNotices(call, outcome);
    const ends = spec.tools[call.name]?.final === true && next.final === null;
    next = {
      ...next,
      deps,
      notices: told.length === 0 ? next.notices : [...next.notices, ...told],
      final: ends ? { output: outcome.output } : next.final,
    };
  }
  const record = itemAt(next.toolCalls, -1) as ToolCallRecord;
  return invoke(spec.behaviour, "afterTool", [spec, record, next], next);
}

/** A word to observers about keys of `deps` that look like secrets, where a call sets them. */
function secretNotices({ id }: Call, outcome: CallOutcome): NotifyDirective[] {
  const update = outcome.type === "returned" ? outcome.update : [];
  const paths = update.flatMap((operation) => {
    if (operation.op === "delete" || operation.op === "increment") return [];
    return secretPaths({ [operation.key]: operation.value }, "deps");
  });
  return paths.length === 0 ? [] : [{ type: "notify", topic: "deps.secret", data: { id, paths } }];
}

/** Writes what a call came to into the transcript and the records. */
export function writeOutcome(
  context: AgentContext,
  call: Call,
  outcome: CallOutcome,
): AgentContext {
  const returned = outcome.type === "returned";
  const output: Json = returned ? outcome.output : outcome.text;
  const record: ToolCallRecord = {
    id: call.id,
    callId: call.callId,
    name: call.name,
    input: call.input,
    status: returned ? "succeeded" : outcome.status,
    output,
  };
  const message = resultMessage(
    call,
    returned
      ? toolOutput(outcome.output, outcome.content)
      : errorOutput(outcome.text, outcome.content),
  );
  const next = addToolCall(addMessage(context, message), record);
  return addUsage(next, usageOf(call));
}

/** What observers are told, and what the running wave asks for: approvals, tools, and requests. */
export function dueDirectives({ batch, notices }: AgentContext): Directive[] {
  const due = (batch?.calls ?? []).filter(({ wave }) => wave === batch?.wave);
  return [...notices, ...due.flatMap(directivesOf)];
}

function directivesOf(call: Call): Directive[] {
  const { id, name, input } = call;
  if (call.status === "asking") {
    const subject = { tool: name, input };
    const title = `Run the tool ${name}?`;
    return [{ type: "approval", id: approvalId(id), title, subject, toolCallId: call.callId }];
  }
  if (call.status !== "ready") return [];
  if (call.requests === undefined) return [{ type: "tool", id, name, input }];
  return call.requests.map((request, i): Directive => ({ ...request, id: `${id}/${i}` }));
}

function approvalId(callId: string): string {
  return callId.replace(/^tool\//, "approval/");
}

/**
 * The batch as it is after the step that issued its due directives. It is taken at the next event
 * rather than in a change of its own: what is due is issued in the step that makes it so.
 */
function issued(batch: Batch): Batch {
  const calls = batch.calls.map((call): Call => {
    if (call.wave !== batch.wave) return call;
    if (call.status === "asking") return { ...call, status: "asked" };
    return call.status === "ready" ? { ...call, status: "issued" } : call;
  });
  return { ...batch, calls };
}

/** The context after something settled a directive of one of its calls. */
export function settleCall(
  context: AgentContext,
  event: SettledCall,
  spec: AgentSpec,
): AgentContext {
  if (context.batch === null) return context;
  const batch = issued(context.batch);
  // What one settlement comes to has room of its own: else its place in the order would matter (P4).
  const settling = newStep(spec, event.at);
  const calls = batch.calls.map((call) =>
    belongs(call, event.id) ? settleOne(call, event, settling, context) : call,
  );
  const next: AgentContext = { ...context, notices: NO_NOTICES, batch: { ...batch, calls } };
  return advance(next, newStep(spec, event.at));
}

function belongs(call: Call, id: string): boolean {
  return id === call.id || id === approvalId(call.id) || id.startsWith(`${call.id}/`);
}

/** What a call has spent: itself, and what its child runs did. */
function usageOf({ settlements = {} }: Call): Usage {
  return Object.values(settlements).reduce<Usage>(
    (sum, settlement) => addUsages(sum, ("usage" in settlement ? settlement.usage : null) ?? {}),
    ONE_CALL,
  );
}

function settleOne(call: Call, event: SettledCall, step: AgentStep, context: AgentContext): Call {
  const tool = ownTool(step.spec.tools, call.name);
  switch (event.type) {
    case "approval.decided": {
      if (event.approve !== true) {
        return say(call, "rejected", madeText(step, texts.rejected(event.reason)));
      }
      const decided = event.input === undefined ? call : { ...call, input: event.input };
      return (
        checkArguments(decided, tool as Tool, step, context) ??
        readyCall(decided, tool as Tool, step, context)
      );
    }
    case "tool.succeeded": {
      const { output, update = [], content } = event;
      const parts = content === undefined ? {} : { content };
      return {
        ...call,
        status: "settled",
        outcome: { type: "returned", output, update, ...parts },
      };
    }
    case "tool.failed":
      return failFrom(call, tool, step, context, event);
    default: {
      const { directive: _directive, ...settlement } = event;
      const index = event.id.slice(call.id.length + 1);
      const settlements = { ...call.settlements, [index]: settlement as ToolSettlement };
      const all = Object.keys(settlements).length === call.requests?.length;
      return { ...call, settlements, status: all ? "inline" : call.status };
    }
  }
}

/**
 * The context with its batch closed before its time: what is settled keeps its result, what may have
 * started says so, and the rest was not executed (P3). The policy sees each, as it sees any other.
 */
export function closeBatch(context: AgentContext, step: AgentStep): AgentContext {
  if (context.batch === null) return context;
  const batch = issued(context.batch);
  let next: AgentContext = { ...context, batch: null };
  for (const call of batch.calls) {
    if (call.wave < batch.wave) continue;
    // An `issue` tool may have written, though its result waits for the rest of its wave.
    const started = call.status === "issued" || call.settlements !== undefined;
    const closed =
      call.outcome !== undefined
        ? call
        : started
          ? cutOff(call, step, next)
          : say(call, "not-executed", texts.NOT_EXECUTED);
    const { outcome, deps } = concludeCall(closed, step, next);
    next = { ...writeOutcome(next, closed, outcome), deps };
  }
  return next;
}

/** The ids of everything that the batch still waits for. */
export function batchIds(batch: Batch | null): readonly string[] {
  if (batch === null) return [];
  return issued(batch).calls.flatMap((call) => {
    if (call.status === "asked") return [approvalId(call.id)];
    if (call.status !== "issued") return [];
    if (call.requests === undefined) return [call.id];
    return call.requests.map((_, i) => `${call.id}/${i}`).filter((_, i) => !call.settlements?.[i]);
  });
}
