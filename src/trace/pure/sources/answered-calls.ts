/**
 * Lists the tool calls of recorded model answers, each with the event that settled it, and finds the
 * arguments that a person gave in place of the model's.
 */
import { isEventLine, isHeaderLine, type Line } from "../../../core/journal/index.js";
import { asJson, type Json, type JsonObject } from "../../../core/kernel/values/index.js";
import { isOurCall, type Message, toolCallsOf } from "../../../core/kernel/vocabulary/index.js";
import { traceId } from "../trace-id.js";
import type { RecordedValue } from "./record-index.js";
import type { SourceLines } from "./recorded-request.js";

/** A tool call as an answer holds it. */
export interface AnsweredCall {
  readonly eventId: string;
  readonly directive: string;
  /** The event of the request that was answered. */
  readonly answerId: string;
  /** Sequence number of the answer. */
  readonly seq: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  /** Of the run itself, and not of an earlier one. */
  readonly own: boolean;
  /** The event that settled it. */
  readonly settled?: { readonly seq: number; readonly runId: string; readonly event: JsonObject };
}

/** The calls of all answers, each with what settled it. */
export function callsIn({ lines, earlier = [] }: SourceLines): readonly AnsweredCall[] {
  return [...earlier.map((each) => [each, false] as const), [lines, true] as const].flatMap(
    ([each, own]) => callsOf(each, own),
  );
}

function callsOf(lines: readonly Line[], own: boolean): readonly AnsweredCall[] {
  let runId = "";
  const settled = new Map<string, AnsweredCall["settled"]>();
  const calls: AnsweredCall[] = [];
  for (const line of lines) {
    // Behind the lines that a fork shares come its own header and its own.
    if (isHeaderLine(line)) runId = line.runId;
    if (!isEventLine(line)) continue;
    const event = asJson(line.event);
    if (typeof event.id === "string") settled.set(event.id, { seq: line.seq, runId, event });
    if (event.type !== "llm.succeeded" || !Array.isArray(event.content)) continue;
    const request = String(event.id);
    const message = { role: "assistant", content: event.content } as unknown as Message;
    for (const [index, part] of toolCallsOf(message).filter(isOurCall).entries()) {
      const directive = `tool/${request.split("/")[1]}/${index}`;
      calls.push({
        eventId: traceId(runId, directive),
        directive,
        answerId: traceId(runId, request),
        seq: line.seq,
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        input: part.input ?? null,
        own,
      });
    }
  }
  return calls.map((call) => {
    const by = settled.get(call.directive);
    return by === undefined ? call : { ...call, settled: by };
  });
}

/** The arguments that a person gave instead of the model's. */
export function decidedInput(lines: readonly Line[], directive: string): RecordedValue | undefined {
  const approval = directive.replace(/^tool\//, "approval/");
  let runId = "";
  let decidedValue: RecordedValue | undefined;
  for (const line of lines) {
    if (isHeaderLine(line)) runId = line.runId;
    if (!isEventLine(line)) continue;
    const { type, id = "", input } = asJson(line.event) as { [name: string]: Json | undefined };
    // A person who is asked anew decides under another id; the last decision counts.
    const isOwn = id === approval || String(id).startsWith(`${approval}/`);
    if (type !== "approval.decided" || !isOwn) continue;
    const eventId = traceId(runId, String(id));
    const place = { eventId, runId, seq: line.seq, path: "$.event.input" };
    decidedValue = input === undefined ? undefined : { place, value: input };
  }
  return decidedValue;
}
