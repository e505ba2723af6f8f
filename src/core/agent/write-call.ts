/** Writes the outcome of a tool call into the transcript, the records and the run's `deps`. */
import {
  addUsage as addUsages,
  itemAt,
  type Json,
  type NotifyDirective,
  noUsage,
  ownJson,
  secretPaths,
  type ToolMessage,
  type Usage,
  vectorItems,
} from "../kernel/index.js";
import { call as invoke } from "./behaviour.js";
import { concludeCall } from "./calls.js";
import type { AgentContext, Call, CallOutcome, ToolCallRecord } from "./context.js";
import { addMessage, addToolCall, addUsage } from "./context-functions.js";
import { countOutputCall } from "./output.js";
import type { AgentStep } from "./pipeline-step.js";
import { errorOutput, resultMessage, toolOutput } from "./transcript.js";

const ONE_CALL: Usage = { ...noUsage, toolCalls: 1 };

/**
 * Writes one call's result, its record and its context update.
 * @param told what observers are to be told is put behind it
 */
export function writeCall(
  context: AgentContext,
  call: Call,
  step: AgentStep,
  told: NotifyDirective[],
): AgentContext {
  const { spec } = step;
  const { outcome, deps } = concludeCall(call, step, context, told);
  let next = countOutputCall(spec, writeOutcome(context, call, outcome), call, outcome);
  if (outcome.type === "returned") {
    told.push(...secretNotices(call, outcome));
    const ends = spec.tools[call.name]?.final === true && next.final === null;
    next = { ...next, deps, final: ends ? { output: outcome.output } : next.final };
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
  const record = ownJson<ToolCallRecord>({
    id: call.id,
    callId: call.callId,
    name: call.name,
    input: call.input,
    status: returned ? "succeeded" : outcome.status,
    output,
  });
  const message = ownJson<ToolMessage>(
    resultMessage(
      call,
      returned
        ? toolOutput(outcome.output, outcome.content)
        : errorOutput(outcome.text, outcome.content),
    ),
  );
  const next = addToolCall(addMessage(context, message), record);
  return addUsage(next, usageOf(call));
}

/** What a call has spent: itself, and what its child runs did. */
function usageOf({ settlements }: Call): Usage {
  if (settlements === undefined) return ONE_CALL;
  return vectorItems(settlements).reduce<Usage>(
    (sum, settled) =>
      addUsages(sum, (settled !== null && "usage" in settled ? settled.usage : null) ?? {}),
    ONE_CALL,
  );
}
