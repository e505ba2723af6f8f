/**
 * The tool calls of one answer. Calls run side by side in waves: a `sequential` call is a wave of
 * its own. A wave begins when the one before it is settled, and is written into the transcript in
 * call order whatever the order of completion (P3, P4).
 */
import {
  addUsage,
  append,
  applyUpdate,
  type Directive,
  type Json,
  type SeenEvent,
  type Tool,
  type ToolCallPart,
  type ToolRegistry,
  type ToolSettlement,
} from "../kernel/index.js";
import { beginCall, checkArguments, failFrom, outcomeOf, readyCall, say } from "./calls.js";
import type { AgentContext, Batch, Call, CallOutcome, ToolCallRecord } from "./context.js";
import * as texts from "./texts.js";
import { addMessages, resultMessage, toolOutput } from "./transcript.js";

/** A settlement that belongs to a call, with the directive that it settles. */
export type SettledCall = Exclude<
  SeenEvent,
  { type: `llm.${string}` | "timer.fired" | "message" | "cancel" }
>;

/** How tools of an agent run. */
export interface BatchRules {
  readonly tools: ToolRegistry;
  /** All calls run one after the other. */
  readonly sequential: boolean;
}

/** The context with the tool calls of an answer taken on, as far as they go by themselves. */
export function openBatch<Deps>(
  context: AgentContext<Deps>,
  iteration: number,
  parts: readonly ToolCallPart[],
  rules: BatchRules,
): AgentContext<Deps> {
  let wave = -1;
  let alone = true;
  const calls = parts.map((part, index): Call => {
    const { sequential } = ownTool(rules.tools, part.toolName) ?? { sequential: false };
    const mustBeAlone = sequential || rules.sequential;
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
    return isMalformed(part) ? say(call, "failed", texts.MALFORMED) : call;
  });
  return advance({ ...context, batch: { calls, wave: 0 } }, rules);
}

function isMalformed({ malformed, input }: ToolCallPart): boolean {
  return malformed === true || typeof input !== "object" || input === null || Array.isArray(input);
}

function ownTool(tools: ToolRegistry, name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** Begins and writes waves until one has to wait for somebody, or the batch is done. */
function advance<Deps>(context: AgentContext<Deps>, rules: BatchRules): AgentContext<Deps> {
  let next = context;
  for (;;) {
    const batch = next.batch as Batch;
    const inWave = (call: Call) => call.wave === batch.wave;
    const calls = batch.calls.map((call) =>
      inWave(call) ? beginCall(call, rules.tools, next) : call,
    );
    next = { ...next, batch: { ...batch, calls } };
    const wave = calls.filter(inWave);
    if (wave.length === 0) return { ...next, batch: null, needsResponse: true };
    if (!wave.every(({ status }) => status === "settled" || status === "inline")) return next;
    for (const call of wave) next = writeCall(next, call, rules.tools);
    next = { ...next, batch: { calls, wave: batch.wave + 1 } };
  }
}

/** Writes one call's result, its record and its context update. */
function writeCall<Deps>(
  context: AgentContext<Deps>,
  call: Call,
  tools: ToolRegistry,
): AgentContext<Deps> {
  const outcome = outcomeOf(call, tools, context);
  const written = writeOutcome(context, call, outcome);
  if (outcome.type !== "returned") return written;
  const deps = applyUpdate(written.deps as object, outcome.update) as Deps;
  const ends = tools[call.name]?.final === true && written.final === null;
  return { ...written, deps, final: ends ? { output: outcome.output } : written.final };
}

function writeOutcome<Deps>(
  context: AgentContext<Deps>,
  call: Call,
  outcome: CallOutcome,
): AgentContext<Deps> {
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
  return {
    ...addMessages(context, [message]),
    toolCalls: append(context.toolCalls, record),
    usage: addUsage(context.usage, { toolCalls: 1 }),
  };
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

/** The batch after its due directives were issued. */
export function markIssued(batch: Batch | null): Batch | null {
  if (batch === null) return null;
  const calls = batch.calls.map((call): Call => {
    if (call.wave !== batch.wave) return call;
    if (call.status === "asking") return { ...call, status: "asked" };
    return call.status === "ready" ? { ...call, status: "issued" } : call;
  });
  return { ...batch, calls };
}

/** The context after something settled a directive of one of its calls. */
export function settleCall<Deps>(
  context: AgentContext<Deps>,
  event: SettledCall,
  rules: BatchRules,
): AgentContext<Deps> {
  const { batch } = context;
  if (batch === null) return context;
  const calls = batch.calls.map((call) =>
    belongs(call, event.id) ? settleOne(call, event, rules, context) : call,
  );
  return advance({ ...context, batch: { ...batch, calls } }, rules);
}

function belongs(call: Call, id: string): boolean {
  return id === call.id || id === approvalId(call.id) || id.startsWith(`${call.id}/`);
}

function settleOne<Deps>(
  call: Call,
  event: SettledCall,
  { tools }: BatchRules,
  context: AgentContext<Deps>,
): Call {
  const tool = ownTool(tools, call.name);
  switch (event.type) {
    case "approval.decided": {
      if (!event.approve) return say(call, "rejected", texts.rejected(event.reason));
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
 * started says so, and the rest was not executed (P3).
 */
export function closeBatch<Deps>(context: AgentContext<Deps>): AgentContext<Deps> {
  const { batch } = context;
  if (batch === null) return context;
  let next: AgentContext<Deps> = { ...context, batch: null };
  for (const call of batch.calls) {
    if (call.wave < batch.wave) continue;
    const started = call.status === "issued";
    const closed =
      call.outcome === undefined
        ? say(
            call,
            started ? "unknown" : "not-executed",
            started ? texts.MAY_HAVE_RUN : texts.NOT_EXECUTED,
          )
        : call;
    next = writeOutcome(next, closed, closed.outcome as CallOutcome);
  }
  return next;
}
