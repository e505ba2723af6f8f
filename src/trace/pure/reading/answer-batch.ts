/**
 * Assigns directives and results to the tool calls of one model answer, so that the trace shows each call's
 * outcome: a directive of its own, directives that it issued, a person's decision, or only a result. An
 * agent's ids tell which call a directive belongs to; for other machines it is the first one of that tool
 * with that input.
 */
import {
  canonical,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../../core/kernel/values/index.js";
import type { ToolCallPart } from "../../../core/kernel/vocabulary/index.js";
import type { TraceStatus } from "../trace-event.js";
import { recordId, traceId } from "../trace-id.js";
import type { Draft, Effect } from "./open-event.js";

/** A call of an answer. */
export interface Slot {
  readonly index: number;
  readonly call: ToolCallPart;
  /** The call's event; absent as long as nothing is known of the call. */
  event?: Draft;
  /** The call has a `tool` directive of its own, which settles it. */
  direct?: true;
  readonly approvals: Effect[];
  /** The requests of an `issue` tool. */
  readonly requests: Effect[];
}

/** A directive as far as it says which call it is for. */
export interface Issued {
  readonly type: string;
  readonly id: string;
  /** Absent where the directive was issued before. */
  readonly parts?: JsonObject;
}

/** An agent's model request, and what it issues for a call of the answer. */
const REQUEST = /^llm\/(\d+)(?:\/\d+)?$/;
const OF_CALL = /^(?:tool|approval)\/(\d+)\/(\d+)(?:\/\d+)?$/;

/** The calls of one answer. */
export class AnswerBatch {
  readonly answer: Draft;
  readonly slots: readonly Slot[];
  /** The iteration of an agent; absent where the ids do not say it. */
  readonly #iteration: string | undefined;
  /** Sequence number of the answer's event. */
  readonly #seq: number;
  /** Everything of it was over, and no request has shown its results yet. */
  over = false;

  constructor(answer: Draft, request: string, calls: readonly ToolCallPart[], isAgent: boolean) {
    this.answer = answer;
    this.#seq = answer.endSeq ?? answer.seq;
    this.#iteration = isAgent ? REQUEST.exec(request)?.[1] : undefined;
    this.slots = calls.map((call, index) => ({ index, call, approvals: [], requests: [] }));
  }

  /** The call that a directive is for. */
  slotOf({ type, id, parts = {} }: Issued): Slot | undefined {
    if (this.#iteration !== undefined) {
      const [, iteration, index] = OF_CALL.exec(id) ?? [];
      return iteration === this.#iteration ? this.slots[Number(index)] : undefined;
    }
    if (type !== "tool" || parts.name === undefined) return undefined;
    const input = canonical(parts.input as Json);
    return this.slots.find(
      ({ event, call }) =>
        event === undefined && call.toolName === parts.name && canonical(call.input) === input,
    );
  }

  /** The event's id of a call without a directive: as an agent would name it, or by its place. */
  idOf({ index }: Slot, runId: string): string {
    if (this.#iteration === undefined) return recordId(runId, this.#seq, `call/${index}`);
    return traceId(runId, `tool/${this.#iteration}/${index}`);
  }
}

/** The result of a call, as the transcript has it. */
export interface BatchResult {
  readonly toolName: string;
  readonly output: Json;
}

/** The results behind the last answer with calls among messages, in call order. */
export function resultsIn(messages: readonly Json[]): readonly BatchResult[] {
  let from = messages.length;
  while (from > 0 && !partsOf(messages[from - 1], "assistant").some(isCall)) from -= 1;
  return messages.slice(from).flatMap((message) => partsOf(message, "tool").filter(isResult));
}

function partsOf(message: Json | undefined, role: string): readonly Json[] {
  if (!isJsonObject(message) || message.role !== role) return [];
  return Array.isArray(message.content) ? message.content : [];
}

function isCall(part: Json): boolean {
  return isJsonObject(part) && part.type === "tool-call";
}

function isResult(part: Json): part is Json & BatchResult {
  return isJsonObject(part) && part.type === "tool-result" && typeof part.toolName === "string";
}

/** The words by which an agent tells of a call that has no ordinary result. */
const SAID: readonly (readonly [RegExp, TraceStatus])[] = [
  [/^Tool call was (?:denied by hook|rejected by approval handler)/, "rejected"],
  [/^Tool call was (?:interrupted and not executed|not executed, since)/, "not-executed"],
  [/^Tool call was interrupted after it had started/, "unknown"],
];

/** Returns the outcome of a call, from the result that the model was told. */
export function outcomeOfResult({ output }: BatchResult): {
  readonly status: TraceStatus;
  readonly value: Json;
} {
  if (!isJsonObject(output)) return { status: "unrecorded", value: null };
  const { type, reason = null, value = reason } = output;
  if (type === "execution-denied") return { status: "rejected", value };
  if (type !== "error-text" && type !== "error-json" && type !== "error-content") {
    return { status: "succeeded", value };
  }
  const text = textIn(value);
  return { status: SAID.find(([pattern]) => pattern.test(text))?.[1] ?? "failed", value };
}

function textIn(value: Json): string {
  if (typeof value === "string") return value;
  const first = Array.isArray(value) ? value[0] : undefined;
  return isJsonObject(first) && typeof first.text === "string" ? first.text : "";
}
