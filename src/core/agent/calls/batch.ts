/**
 * Carries out the tool calls of one answer of the model, in parallel waves: a `sequential` call is a wave of
 * its own, and a wave begins when the one before is settled. Results are written into the transcript in call
 * order (P3, P4).
 */

import {
  replaceItem,
  sealOwn,
  toJson,
  vectorItem,
  vectorItems,
  vectorOf,
  vectorSize,
} from "../../kernel/values/index.js";
import {
  callIdentity,
  type NotifyDirective,
  readArguments,
  type Tool,
  type ToolCallPart,
  takesText,
} from "../../kernel/vocabulary/index.js";
import { noReserve, reserveSettled, shareOut } from "../budget/shares.js";
import type { AgentContext, Batch, Call } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { keepTranscript } from "../extend/check-transcript.js";
import { stopAfter } from "../extend/stop.js";
import * as texts from "../transcript/texts.js";
import { approvalId, callIndex, renewedNotice } from "./call-directives.js";
import { beginCall, concludeCall, cutOff, LOST, noTool, ownTool } from "./one-call.js";
import { say } from "./outcome.js";
import { addPending } from "./pending.js";
import { type AgentStep, newStep } from "./pipeline-step.js";
import { againNotices, disbelieved } from "./send-back.js";
import { type SettledCall, settleOne } from "./settle-call.js";
import { newWave, noteChanges, overwritten } from "./wave.js";
import { writeCall, writeOutcome } from "./write-call.js";

/** No notices: sealed once, and then the same value from step to step. */
export const NO_NOTICES: readonly NotifyDirective[] = /* @__PURE__ */ toJson([]);
const NONE: readonly number[] = /* @__PURE__ */ toJson([]);

/** The context with more that observers are to be told. */
function withNotices(context: AgentContext, notices: readonly NotifyDirective[]): AgentContext {
  return notices.length === 0 ? context : { ...context, notices: [...context.notices, ...notices] };
}

/** The context with the tool calls of an answer taken on, as far as they go by themselves. */
export function openBatch(
  context: AgentContext,
  iteration: number,
  parts: readonly ToolCallPart[],
  offered: ReadonlySet<string>,
  step: AgentStep,
): AgentContext {
  if (parts.length === 0) return context;
  const { spec } = step;
  const flaw = disbelieved(context);
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
      ...(part.approvalId === undefined ? {} : { approvalId: part.approvalId }),
      ...(part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions }),
      wave,
      status: "waiting",
    };
    if (flaw !== null) return say(call, "not-executed", texts.callsNotRun(flaw));
    if (part.approvalId !== undefined) return call;
    if (!offered.has(part.toolName)) return noTool(call);
    const fault = argumentFault(part, ownTool(spec.tools, part.toolName));
    return fault === undefined ? call : say(call, "failed", fault, "arguments");
  });
  const batch = {
    calls: vectorOf(calls),
    from: 0,
    until: 0,
    open: 0,
    asking: 0,
    due: NONE,
    reserved: noReserve,
  };
  const again = flaw === null || !context.needsResponse ? [] : againNotices(context);
  const opened = withNotices({ ...context, batch }, again);
  return beginWaves(context.needsResponse ? opened : endedAt(opened, batch), step);
}

/** The context whose turn is ended: no call that waits is executed. */
function endedAt(context: AgentContext, batch: Batch): AgentContext {
  return { ...context, batch: notBegun(batch, texts.TURN_ENDED) };
}

/** The text about arguments that are not a JSON object; `undefined` if they are one. */
function argumentFault(part: ToolCallPart, tool: Tool | undefined): string | undefined {
  if (!isMalformed(part) || isText(part, tool)) return undefined;
  const { malformed, input } = part;
  if (malformed !== true) return texts.notAnObject(JSON.stringify(input));
  const read = typeof input === "string" ? readArguments(input) : { ok: true };
  return "json" in read ? texts.refusedArguments(read.json) : texts.MALFORMED;
}

/** Returns true when a call's arguments are no JSON object. */
export function isMalformed({ malformed, input }: ToolCallPart): boolean {
  return malformed === true || typeof input !== "object" || input === null || Array.isArray(input);
}

/** Returns true for the text that a tool of free text is called with. */
function isText({ malformed, input }: ToolCallPart, tool: Tool | undefined): boolean {
  return (
    malformed !== true && typeof input === "string" && tool !== undefined && takesText(tool.schema)
  );
}

/** Begins and writes waves until one has to wait for somebody, or the batch is done. */
function beginWaves(context: AgentContext, step: AgentStep): AgentContext {
  let next = context;
  for (;;) {
    next = beginWave(next, next.batch as Batch, step);
    const { batch } = next;
    if (batch === null || batch.open > 0) return next;
    next = writeWave(next, batch, step);
  }
}

/** The context with the next wave's calls begun, or without a batch where there is none. */
function beginWave(context: AgentContext, batch: Batch, step: AgentStep): AgentContext {
  const from = batch.until;
  const wave = vectorItem(batch.calls, from)?.wave;
  if (wave === undefined) return concludeBatch(context, batch, step);
  let { calls } = batch;
  let until = from;
  let [open, asking] = [0, 0];
  const due: number[] = [];
  const asked: Call[] = [];
  for (; vectorItem(calls, until)?.wave === wave; until++) {
    const begun = sealOwn(beginCall(vectorItem(calls, until) as Call, step, context));
    calls = replaceItem(calls, until, begun);
    if (isAsked(begun)) asked.push(begun);
    if (!isOpen(begun)) continue;
    open += 1;
    if (begun.status === "asking") asking += 1;
    due.push(until);
  }
  const opened = sealOwn<Batch>({ calls, from, until, open, asking, due, reserved: noReserve });
  return shareOut(addPending({ ...context, batch: opened }, asked));
}

/** Returns true when a person is asked about a call, and its wave does not wait for that. */
function isAsked({ outcome }: Call): boolean {
  return outcome?.type === "said" && outcome.status === "asked";
}

/** The context without its batch, of which all calls are written. */
function concludeBatch(context: AgentContext, batch: Batch, { spec }: AgentStep): AgentContext {
  const next = keepTranscript(spec, { ...context, batch: null });
  return stopAfter(spec, next, vectorSize(batch.calls));
}

/** Returns true when something has to come of a call before its wave can be written. */
function isOpen({ status }: Call): boolean {
  return status === "asking" || status === "issued";
}

/** The context with a wave's results in the transcript, in call order. */
function writeWave(context: AgentContext, batch: Batch, step: AgentStep): AgentContext {
  const wave = newWave(context);
  let next = context;
  let unknown: Call | undefined;
  let lost = false;
  for (let at = batch.from; at < batch.until; at++) {
    const call = vectorItem(batch.calls, at) as Call;
    next = writeCall(next, call, step, wave);
    if (isLost(call)) lost = true;
    else if (unknown === undefined && isUnknown(call) && stopsAt(call, step.spec)) unknown = call;
  }
  next = withNotices(next, [...wave.notices, ...overwritten(wave)]);
  if (!next.needsResponse) return endedAt(next, batch);
  if (lost) return { ...next, batch: lostBehind(next, batch) };
  if (unknown === undefined) return next;
  const text = texts.behindUnknown(unknown.name, callIdentity(next.runId, unknown.id));
  return { ...next, batch: notBegun(batch, text) };
}

function isUnknown({ outcome }: Call): boolean {
  return outcome?.type === "said" && outcome.status === "unknown";
}

/** Returns true for a call whose outcome may stand behind the lost end of a journal: those after it may have run there. */
function isLost({ outcome }: Call): boolean {
  return outcome?.type === "said" && outcome.status === "unknown" && outcome.error?.code === LOST;
}

/** The batch, of which the calls that wait may have run behind the lost end of the journal. */
function lostBehind({ runId }: AgentContext, batch: Batch): Batch {
  const calls = vectorItems(batch.calls).map((call) =>
    call.status === "waiting"
      ? say(call, "unknown", texts.mayBeLost(callIdentity(runId, call.id)), "unknown")
      : call,
  );
  return { ...batch, calls: vectorOf(calls) };
}

/** Returns true when no calls are begun after this one, whose outcome is unknown. */
function stopsAt({ name }: Call, spec: AgentSpec): boolean {
  return (ownTool(spec.tools, name)?.onUnknown ?? spec.onUnknown) === "stop";
}

/** The batch, of which the calls that wait are not executed: the model reads why. */
function notBegun(batch: Batch, text: string): Batch {
  const calls = vectorItems(batch.calls).map((call) =>
    call.status === "waiting" ? say(call, "not-executed", text) : call,
  );
  return { ...batch, calls: vectorOf(calls) };
}

/** Returns the context when its notices, and the calls that are due, have been issued. */
export function noCallDue(context: AgentContext): AgentContext {
  const { batch } = context;
  return { ...context, notices: NO_NOTICES, batch: batch && { ...batch, due: NONE } };
}

/** The context after something settled a directive of one of its calls. */
export function settleCall(
  context: AgentContext,
  event: SettledCall,
  spec: AgentSpec,
): AgentContext {
  const { batch } = context;
  const at = callIndex(event.id);
  const before = batch === null ? undefined : vectorItem(batch.calls, at);
  if (batch === null || before === undefined) return context;
  // Each settlement has a size limit of its own: otherwise its place in the order would matter
  // (P4).
  const after = sealOwn(settleOne(before, event, newStep(spec, event.at), context));
  const isDue = before.status === "asking" && isOpen(after);
  const settled: Batch = {
    ...batch,
    calls: replaceItem(batch.calls, at, after),
    open: batch.open - (isOpen(after) ? 0 : 1),
    asking: batch.asking - (before.status === "asking" && after.status !== "asking" ? 1 : 0),
    due: isDue ? [at] : NONE,
    reserved: reserveSettled(context, batch.reserved, before, event),
  };
  const renewed = after.status === "asking" ? renewedNotice(after) : NO_NOTICES;
  const next: AgentContext = { ...context, notices: renewed, batch: settled };
  if (settled.open > 0) return shareOut(next);
  const step = newStep(spec, event.at);
  return beginWaves(writeWave(next, settled, step), step);
}

/**
 * The context with its batch closed before its time: what is settled keeps its result, what may have
 * started says so, and the rest was not executed (P3): the model reads why. Hooks see each, as they see any other.
 */
export function closeBatch(
  context: AgentContext,
  step: AgentStep,
  why: string = texts.NOT_EXECUTED,
): AgentContext {
  const { batch } = context;
  if (batch === null) return context;
  let next: AgentContext = { ...context, batch: null };
  const wave = newWave(context);
  for (let at = batch.from; at < vectorSize(batch.calls); at++) {
    const call = vectorItem(batch.calls, at) as Call;
    // An `issue` tool may have written, though its result waits for the rest of its wave.
    const started = call.status === "issued" || call.settlements !== undefined;
    const closed =
      call.outcome !== undefined
        ? call
        : started
          ? cutOff(call, step, next)
          : say(call, "not-executed", why);
    const { outcome, deps } = concludeCall(closed, step, next, wave);
    noteChanges(wave, closed, outcome);
    next = { ...writeOutcome(next, closed, outcome), deps };
  }
  return keepTranscript(step.spec, withNotices(next, [...wave.notices, ...overwritten(wave)]));
}

/** The ids of everything that the batch still waits for. */
export function batchIds({ calls, from, until }: Batch): readonly string[] {
  const ids: string[] = [];
  for (let at = from; at < until; at++) {
    const call = vectorItem(calls, at) as Call;
    if (call.status === "asking") ids.push(approvalId(call));
    if (call.status !== "issued") continue;
    if (call.settlements === undefined) ids.push(call.id);
    else {
      const all = vectorItems(call.settlements);
      ids.push(...all.flatMap((settled, i) => (settled === null ? [`${call.id}/${i}`] : [])));
    }
  }
  return ids;
}
