/**
 * Repairs a transcript from any source (P3): afterwards each tool call has exactly one result,
 * right after its message and in call order, and each result has its call.
 */

import { addTo, groupBy } from "../../kernel/values/index.js";
import {
  checkArguments,
  isOurCall,
  type Message,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
} from "../../kernel/vocabulary/index.js";
import { MESSAGES } from "../context/check-context.js";
import { NOT_EXECUTED } from "./texts.js";
import { ownCallsOf, resultMessage, withOwnIds } from "./transcript.js";

/** The counts of a transcript's repairs. */
export interface TranscriptRepair {
  /** Results that stood elsewhere than behind their call and in call order. */
  readonly moved: number;
  /** Results without a call before them, and messages without a result, that were left out. */
  readonly orphans: number;
  /** Further results of a call that has one, left out: the first counts. */
  readonly duplicates: number;
  /** Calls without a result, which were given the text for calls that never started. */
  readonly answered: number;
  /** Calls that were given an id of their own, and results that named another tool than their call. */
  readonly renamed: number;
}

/** A valid transcript, and the repairs that were made; `null` if none were needed. */
export interface RepairedTranscript {
  readonly messages: readonly Message[];
  readonly repair: TranscriptRepair | null;
}

/** A result as it was found. */
interface Found {
  readonly part: ToolResultPart;
  /** The message around it, for what the provider wants to see again. */
  readonly around: Message;
  /** Index of its message. */
  readonly at: number;
  taken: boolean;
}

/** A call of ours, and the result that is given to it. */
interface Slot {
  /** With an id of its own. */
  readonly call: ToolCallPart;
  /** The id that results know it by. */
  readonly originalId: string;
  readonly at: number;
  found?: Found;
}

type Counts = { -readonly [Count in keyof TranscriptRepair]: number };

/**
 * Repairs a transcript. Late results are moved behind their calls, orphans and duplicates left out,
 * missing ones answered, two calls with one id in one answer told apart. The same array where there
 * is nothing to do. Linear, and idempotent.
 * @param open the last answer's calls are being carried out: they may lack their results
 */
export function repairTranscript(messages: readonly Message[], open = false): RepairedTranscript {
  checkArguments("repairTranscript", { messages }, { messages: MESSAGES });
  if (isWhole(messages, open)) return { messages, repair: null };
  const counts: Counts = { moved: 0, orphans: 0, duplicates: 0, answered: 0, renamed: 0 };
  const { kept, slots, results } = takeApart(messages, counts);
  matchDirect(messages, slots, results, counts);
  matchLate(slots, results, counts);
  const repaired = putTogether(messages, kept, slots, open, counts);
  const nothing = Object.values(counts).every((count) => count === 0);
  if (nothing) return { messages, repair: null };
  return { messages: repaired, repair: counts };
}

/**
 * Messages in which every tool call has exactly one result; one that never got any is given the
 * text for calls that never started.
 */
export function patchDanglingToolCalls(messages: readonly Message[]): readonly Message[] {
  return repairTranscript(messages).messages;
}

/**
 * Returns true when there is nothing to repair. It says no, too, where it cannot see: a provider's own
 * result whose call is not among these messages.
 */
export function isWhole(messages: readonly Message[], open = false): boolean {
  const provided = new Set<string>();
  let owed: readonly ToolCallPart[] = [];
  let next = 0;
  for (const message of messages) {
    if (message.role === "tool") {
      if (message.content.length === 0) return false;
      for (const part of message.content) {
        const due = owed[next++];
        if (part.type !== "tool-result" || due?.toolCallId !== part.toolCallId) return false;
        if (due.toolName !== part.toolName) return false;
      }
      continue;
    }
    if (next < owed.length) return false;
    next = 0;
    owed = [];
    if (message.role !== "assistant" || typeof message.content === "string") continue;
    if (withOwnIds(message.content) !== message.content) return false;
    for (const part of message.content) {
      if (part.type === "tool-call" && !isOurCall(part)) provided.add(part.toolCallId);
      if (part.type === "tool-result" && !provided.has(part.toolCallId)) return false;
    }
    owed = ownCallsOf(message);
  }
  return open || next === owed.length;
}

/** The messages without results of ours, by index; the calls; and the results, in their order. */
function takeApart(messages: readonly Message[], counts: Counts) {
  const provided = new Set<string>();
  const kept = new Map<number, Message>();
  const slots = new Map<number, Slot[]>();
  const results: Found[] = [];
  messages.forEach((message, at) => {
    if (message.role === "tool") {
      if (message.content.length === 0) counts.orphans += 1;
      for (const part of message.content) {
        // Other frameworks keep more in such a message: what is no result answers no call.
        if (part.type === "tool-result") results.push({ part, around: message, at, taken: false });
        else counts.orphans += 1;
      }
      return;
    }
    if (message.role !== "assistant" || typeof message.content === "string") {
      kept.set(at, message);
      return;
    }
    const content = withOwnIds(message.content);
    const calls: Slot[] = [];
    const rest = content.filter((part, i) => {
      if (part.type === "tool-call") {
        const originalId = (message.content[i] as ToolCallPart).toolCallId;
        if (!isOurCall(part)) provided.add(part.toolCallId);
        else calls.push({ call: part, originalId: originalId, at });
        if (originalId !== part.toolCallId) counts.renamed += 1;
      }
      if (part.type !== "tool-result" || provided.has(part.toolCallId)) return true;
      results.push({ part, around: message, at, taken: false });
      return false;
    });
    if (calls.length > 0) slots.set(at, calls);
    if (rest.length === content.length) {
      kept.set(at, content === message.content ? message : { ...message, content });
    } else if (rest.length > 0) kept.set(at, { ...message, content: rest });
  });
  return { kept, slots, results };
}

/** Gives each answer's calls the results that stand right behind it, or in it. */
function matchDirect(
  messages: readonly Message[],
  slots: ReadonlyMap<number, readonly Slot[]>,
  results: readonly Found[],
  counts: Counts,
): void {
  let answer = -1;
  let at = 0;
  let open = new Map<string, number[]>();
  let last = -1;
  for (const found of results) {
    for (; at <= found.at; at++) {
      if (messages[at]?.role === "tool") continue;
      answer = at;
      last = -1;
      open = new Map();
      slots.get(answer)?.forEach(({ originalId }, i) => {
        addTo(open, originalId, i);
      });
    }
    const index = open.get(found.part.toolCallId)?.shift();
    if (index === undefined) continue;
    (slots.get(answer)?.[index] as Slot).found = found;
    found.taken = true;
    if (index < last || found.around.role !== "tool") counts.moved += 1;
    last = Math.max(last, index);
  }
}

/**
 * Gives late results to the calls before them. Providers re-use ids: of several calls the last is
 * meant, and of several results each has its own, in their order.
 */
function matchLate(
  slots: ReadonlyMap<number, readonly Slot[]>,
  results: readonly Found[],
  counts: Counts,
): void {
  const callsOf = groupBy([...slots.values()].flat(), ({ originalId }) => originalId);
  const cursors = new Map<string, number>();
  for (const found of results.toReversed()) {
    if (found.taken) continue;
    const id = found.part.toolCallId;
    const calls = callsOf.get(id) ?? [];
    let cursor = cursors.get(id) ?? calls.length - 1;
    const fits = ({ found: answered, at }: Slot) => answered === undefined && at < found.at;
    while (cursor >= 0 && !fits(calls[cursor] as Slot)) cursor -= 1;
    const slot = calls[cursor];
    cursors.set(id, cursor - 1);
    if (slot !== undefined) {
      slot.found = found;
      found.taken = true;
      counts.moved += 1;
    } else if ((calls[0]?.at ?? Number.POSITIVE_INFINITY) <= found.at) counts.duplicates += 1;
    else counts.orphans += 1;
  }
}

function putTogether(
  messages: readonly Message[],
  kept: ReadonlyMap<number, Message>,
  slots: ReadonlyMap<number, readonly Slot[]>,
  open: boolean,
  counts: Counts,
): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const behind = new Map<number, ToolMessage[]>();
  let answer = -1;
  messages.forEach((message, at) => {
    if (message.role !== "tool") answer = at;
    else addTo(behind, answer, message);
  });
  const all: Message[] = [];
  messages.forEach((_, at) => {
    const message = kept.get(at);
    if (message !== undefined) all.push(message);
    const calls = slots.get(at);
    if (calls === undefined) return;
    const there = behind.get(at) ?? [];
    if (standsRight(calls, there)) {
      all.push(...there);
      return;
    }
    for (const slot of calls) {
      if (slot.found !== undefined) all.push(resultOf(slot, slot.found, counts));
      else if (!(open && at === last)) {
        counts.answered += 1;
        all.push(notExecuted(slot.call));
      }
    }
  });
  return all;
}

/** Returns true when an answer's results stand behind it already as they must. */
function standsRight(calls: readonly Slot[], there: readonly ToolMessage[]): boolean {
  const parts = there.flatMap(({ content }) => content);
  return (
    parts.length === calls.length &&
    there.every(({ content }) => content.length > 0) &&
    calls.every(
      ({ call, found }, i) =>
        found?.part === parts[i] &&
        call.toolCallId === found?.part.toolCallId &&
        call.toolName === found.part.toolName,
    )
  );
}

function resultOf(
  { call, originalId }: Slot,
  { part, around }: Found,
  counts: Counts,
): ToolMessage {
  const { toolCallId, toolName } = call;
  if (part.toolName !== toolName && originalId === toolCallId) counts.renamed += 1;
  const { providerOptions } = around;
  return {
    role: "tool",
    content: [{ ...part, toolCallId, toolName }],
    ...(around.role !== "tool" || providerOptions === undefined ? {} : { providerOptions }),
  };
}

function notExecuted(call: ToolCallPart): ToolMessage {
  const { toolCallId: callId, toolName: name, providerOptions, approvalId } = call;
  return resultMessage(
    { callId, name, providerOptions, ...(approvalId === undefined ? {} : { approvalId }) },
    { type: "error-text", value: NOT_EXECUTED },
  );
}
