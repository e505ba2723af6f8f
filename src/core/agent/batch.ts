/**
 * The tool calls of one answer. Calls run side by side in waves: a `sequential` call is a wave of
 * its own. A wave begins when the one before it is settled, and is written into the transcript in
 * call order whatever the order of completion (P3, P4).
 */
import {
  addUsage as addUsages,
  applyUpdate,
  type Directive,
  itemAt,
  type Json,
  noUsage,
  type SeenEvent,
  type Tool,
  type ToolCallPart,
  type ToolSettlement,
  type Usage,
} from "../kernel/index.js";
import { call as invoke } from "./behaviour.js";
import {
  beginCall,
  checkArguments,
  failFrom,
  outcomeOf,
  ownTool,
  readyCall,
  say,
} from "./calls.js";
import type { AgentContext, Batch, Call, CallOutcome, ToolCallRecord } from "./context.js";
import { addMessage, addToolCall, addUsage } from "./context-functions.js";
import { countOutputCall } from "./output.js";
import type { AgentSpec } from "./spec.js";
import * as texts from "./texts.js";
import { resultMessage, toolOutput } from "./transcript.js";

const ONE_CALL: Usage = { ...noUsage, toolCalls: 1 };

/** A settlement that belongs to a call, with the directive that it settles. */
export type SettledCall = Exclude<
  SeenEvent,
  { type: `llm.${string}` | "timer.fired" | "message" | "cancel" }
>;

/** The context with the tool calls of an answer taken on, as far as they go by themselves. */
export function openBatch(
  context: AgentContext,
  iteration: number,
  parts: readonly ToolCallPart[],
  offered: ReadonlySet<string>,
  spec: AgentSpec,
): AgentContext {
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
      wave,
      status: "waiting",
    };
    if (!offered.has(part.toolName)) return say(call, "failed", texts.notFound(part.toolName));
    return isMalformed(part) ? say(call, "failed", texts.MALFORMED) : call;
  });
  return advance({ ...context, batch: { calls, wave: 0 } }, spec);
}

function isMalformed({ malformed, input }: ToolCallPart): boolean {
  return malformed === true || typeof input !== "object" || input === null || Array.isArray(input);
}

/** Begins and writes waves until one has to wait for somebody, or the batch is done. */
function advance(context: AgentContext, spec: AgentSpec): AgentContext {
  let next = context;
  for (;;) {
    const batch = next.batch as Batch;
    const inWave = (call: Call) => call.wave === batch.wave;
    const calls = batch.calls.map((call) => (inWave(call) ? beginCall(call, spec, next) : call));
    next = { ...next, batch: { ...batch, calls } };
    const wave = calls.filter(inWave);
    if (wave.length === 0) return { ...next, batch: null, needsResponse: true };
    if (!wave.every(({ status }) => status === "settled" || status === "inline")) return next;
    for (const call of wave) next = writeCall(next, call, spec);
    next = { ...next, batch: { calls, wave: batch.wave + 1 } };
  }
}

/** Writes one call's result, its record and its context update. */
function writeCall(context: AgentContext, call: Call, spec: AgentSpec): AgentContext {
  const outcome = outcomeOf(call, spec, context);
  let next = countOutputCall(spec, writeOutcome(context, call, outcome), call, outcome);
  if (outcome.type === "returned") {
    const ends = spec.tools[call.name]?.final === true && next.final === null;
    next = {
      ...next,
      deps: applyUpdate(next.deps, outcome.update),
      final: ends ? { output: outcome.output } : next.final,
    };
  }
  const record = itemAt(next.toolCalls, -1) as ToolCallRecord;
  return invoke(spec.behaviour, "afterTool", [spec, record, next], next);
}

function writeOutcome(context: AgentContext, call: Call, outcome: CallOutcome): AgentContext {
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
    returned ? toolOutput(outcome.output) : { type: "error-text", value: outcome.text },
  );
  const next = addToolCall(addMessage(context, message), record);
  return addUsage(next, usageOf(call));
}

/** What the running wave asks for now: approvals, tools, and what `issue` tools want. */
export function dueDirectives(batch: Batch | null): Directive[] {
  return (batch?.calls ?? []).filter(({ wave }) => wave === batch?.wave).flatMap(directivesOf);
}

function directivesOf(call: Call): Directive[] {
  const { id, name, input } = call;
  if (call.status === "asking") {
    const subject = { tool: name, input };
    return [{ type: "approval", id: approvalId(id), title: `Run the tool ${name}?`, subject }];
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
  const calls = batch.calls.map((call) =>
    belongs(call, event.id) ? settleOne(call, event, spec, context) : call,
  );
  return advance({ ...context, batch: { ...batch, calls } }, spec);
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

function settleOne(
  call: Call,
  event: SettledCall,
  { tools }: AgentSpec,
  context: AgentContext,
): Call {
  const tool = ownTool(tools, call.name);
  switch (event.type) {
    case "approval.decided": {
      if (event.approve !== true) return say(call, "rejected", texts.rejected(event.reason));
      const decided = event.input === undefined ? call : { ...call, input: event.input };
      return checkArguments(decided, tool as Tool) ?? readyCall(decided, tool as Tool, context);
    }
    case "tool.succeeded": {
      const { output, update = [] } = event;
      return { ...call, status: "settled", outcome: { type: "returned", output, update } };
    }
    case "tool.failed":
      return failFrom(call, tool, event);
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
export function closeBatch(context: AgentContext, spec: AgentSpec): AgentContext {
  if (context.batch === null) return context;
  const batch = issued(context.batch);
  let next: AgentContext = { ...context, batch: null };
  for (const call of batch.calls) {
    if (call.wave < batch.wave) continue;
    // An `issue` tool may have written, though its result waits for the rest of its wave.
    const started = call.status === "issued" || call.settlements !== undefined;
    const closed =
      call.outcome === undefined
        ? say(
            call,
            started ? "unknown" : "not-executed",
            started ? texts.MAY_HAVE_RUN : texts.NOT_EXECUTED,
          )
        : call;
    const outcome = outcomeOf(closed, spec, next);
    next = writeOutcome(next, closed, outcome);
    if (outcome.type === "returned")
      next = { ...next, deps: applyUpdate(next.deps, outcome.update) };
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
