/**
 * Writes the outcome of a tool call into the agent's context: its transcript, its records of tool calls and
 * its `deps`.
 */

import {
  isJsonObject,
  itemAt,
  type Json,
  ownJson,
  vectorItems,
} from "../../kernel/values/index.js";
import {
  addUsage as addUsages,
  type NotifyDirective,
  noUsage,
  secretPaths,
  type ToolMessage,
  type Usage,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call, CallOutcome, ToolCallRecord } from "../context/context.js";
import { call as invoke } from "../extend/behaviour.js";
import { addMessage, addToolCall, addUsage } from "../extend/context-functions.js";
import * as texts from "../transcript/texts.js";
import {
  asExecuted,
  errorOutput,
  resultMessage,
  toolOutput,
  withNote,
} from "../transcript/transcript.js";
import { concludeCall } from "./one-call.js";
import { countOutputCall } from "./output.js";
import type { AgentStep } from "./pipeline-step.js";
import { noteChanges, type Wave } from "./wave.js";

const ONE_CALL: Usage = { ...noUsage, toolCalls: 1 };

/**
 * Writes one call's result, its record and its context update. Its wave gathers what it changes, and
 * what observers are to be told.
 */
export function writeCall(
  context: AgentContext,
  call: Call,
  step: AgentStep,
  wave: Wave,
): AgentContext {
  const { spec } = step;
  const { outcome, deps } = concludeCall(call, step, context, wave);
  noteChanges(wave, call, outcome);
  wave.notices.push(...noticesOf(call, outcome));
  // A result has to be read, unless the turn was ended already.
  const { needsResponse } = context;
  const written = { ...writeOutcome(context, call, outcome), needsResponse };
  let next = countOutputCall(spec, written, call, outcome);
  if (outcome.type === "returned") {
    const ends = spec.tools[call.name]?.final === true && next.final === null;
    next = { ...next, deps, final: ends ? { output: outcome.output } : next.final };
  }
  const record = itemAt(next.toolCalls, -1) as ToolCallRecord;
  return invoke(spec.behaviour, "afterTool", [spec, record, next], next);
}

/** Returns what observers are told of an outcome. */
export function noticesOf(call: Call, outcome: CallOutcome): NotifyDirective[] {
  const inline = call.outcome === undefined ? [inlineResult(call, outcome)] : [];
  if (outcome.type !== "returned") return inline;
  return [...inline, ...secretNotices(call, outcome), ...refusedUpdate(call, outcome.output)];
}

/** Tells observers the result of a call that ran inline: no event has it. */
function inlineResult(
  { id, callId: toolCallId, name }: Call,
  outcome: CallOutcome,
): NotifyDirective {
  const result =
    outcome.type === "returned"
      ? { status: "succeeded", output: outcome.output }
      : { status: outcome.status, output: outcome.text };
  return { type: "notify", topic: "tool.settled", data: { id, toolCallId, name, ...result } };
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

/**
 * A word to observers where a result has what the Nous agent takes as a change of `deps`. Here it is a
 * part of the result like any other: what a tool fetched must not change `deps` by a key of its own.
 */
function refusedUpdate({ id, name }: Call, output: Json): NotifyDirective[] {
  if (!isJsonObject(output) || !Object.hasOwn(output, NOUS_UPDATE)) return [];
  const { [NOUS_UPDATE]: update } = output;
  const key = isJsonObject(update) ? Object.keys(update)[0] : undefined;
  const mend = `return withUpdate(result, contextUpdate().set(${JSON.stringify(key ?? "key")}, value))`;
  const message = `${NOUS_UPDATE} in the result of ${name} changes nothing; ${mend} instead`;
  return [{ type: "notify", topic: "deps.refused", data: { id, message } }];
}

const NOUS_UPDATE = "__update_context__";

/** Writes what a call came to into the transcript and the records. */
export function writeOutcome(
  context: AgentContext,
  call: Call,
  outcome: CallOutcome,
): AgentContext {
  const result =
    outcome.type === "returned"
      ? toolOutput(outcome.output, outcome.content)
      : errorOutput(outcome);
  const { edited } = call;
  const read = edited === undefined ? result : withNote(result, texts.edited(edited.by));
  const message = ownJson<ToolMessage>(resultMessage(call, read));
  const executed =
    edited === undefined ? context : { ...context, messages: asExecuted(context, call) };
  const next = addToolCall(addMessage(executed, message), recordOf(call, outcome));
  return addUsage(addUsage(next, ONE_CALL), childrenUsage(call));
}

/** Returns a call as the run remembers it. */
export function recordOf(call: Call, outcome: CallOutcome): ToolCallRecord {
  const returned = outcome.type === "returned";
  return ownJson<ToolCallRecord>({
    id: call.id,
    callId: call.callId,
    name: call.name,
    input: call.input,
    ...(call.edited === undefined ? {} : { edited: call.edited }),
    status: returned ? "succeeded" : outcome.status,
    output: returned ? outcome.output : outcome.text,
    ...(returned || outcome.error === undefined ? {} : { error: outcome.error }),
  });
}

/** Adds up the spending of a call's child runs. */
export function childrenUsage({ settlements }: Call): Partial<Usage> {
  if (settlements === undefined) return {};
  return vectorItems(settlements).reduce<Partial<Usage>>(
    (sum, settled) =>
      addUsages(
        sum as Usage,
        (settled !== null && "usage" in settled ? settled.usage : null) ?? {},
      ),
    noUsage,
  );
}
