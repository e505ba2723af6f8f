/** A model request as its journal recorded it, block by block. */
import {
  type EventLine,
  isEventLine,
  isUnresolved,
  type Line,
  type Node,
  RecordedValues,
} from "../../journal/index.js";
import { isJsonObject, type Json, ReckonerError } from "../../kernel/index.js";
import { localId, traceId } from "../trace-id.js";

/** One run's lines, and those of the runs that it goes on from, the earliest first. */
export interface SourceLines {
  readonly lines: readonly Line[];
  readonly earlier?: readonly (readonly Line[])[];
}

/** A request as it is recorded. */
export interface RecordedRequest {
  readonly line: EventLine;
  readonly system: Json | undefined;
  readonly messages: readonly Json[];
  /** How many messages stand before those: they are in a journal that is not at hand. */
  readonly absent: number;
  readonly tools: readonly Json[];
}

/**
 * A request of a run.
 * @param id of the event, or of the directive
 * @throws ReckonerError `trace.missing` where the run has no such request
 */
export function requestIn({ lines, earlier = [] }: SourceLines, id: string): RecordedRequest {
  const values = new RecordedValues();
  for (const each of earlier) for (const line of each) values.take(line);
  const base = lines.flatMap((line) => ("items" in line ? (line.items ?? []) : []))[0]?.after;
  // Of the run that this one goes on from, the transcript as it was in the end.
  if (earlier.length > 0 && base !== undefined) values.knowList(base);
  for (const line of lines) {
    const found = values
      .take(line)
      .find((each) => each.type === "llm" && namesDirective(id, each.id ?? ""));
    if (found === undefined || !isEventLine(line)) continue;
    const { parts } = found;
    const partOf = (name: string): Json | undefined => {
      const node = parts.get(name);
      return node === undefined ? undefined : values.value(node);
    };
    const tools = partOf("tools");
    return {
      line,
      system: partOf("system"),
      ...messagesIn(values, parts.get("messages")),
      tools: Array.isArray(tools) ? tools : [],
    };
  }
  throw missing(id, "model request");
}

/** The messages of a request, as far as they are at hand. */
function messagesIn(
  values: RecordedValues,
  node: Node | undefined,
): Pick<RecordedRequest, "messages" | "absent"> {
  const whole = node === undefined ? [] : values.value(node);
  if (Array.isArray(whole)) return { messages: whole, absent: 0 };
  if (!isUnresolved(whole) || typeof node !== "string") return { messages: [], absent: 0 };
  const known: Json[] = [];
  const size = Number(/^@(\d+)#/.exec(node)?.[1] ?? 0);
  for (let at: string | undefined = node; at !== undefined && known.length < size; ) {
    const grown = values.growth(at);
    if (grown === undefined) break;
    known.unshift(...grown.items);
    at = grown.after;
  }
  return { messages: known, absent: Math.max(0, size - known.length) };
}

/** Whether a text names a directive: by its own id, or by its event's, with the run's or without. */
export function namesDirective(text: string, directiveId: string): boolean {
  return text === directiveId || localId(text) === localId(traceId("", directiveId));
}

/** What a run does not have. */
export function missing(id: string, what: string): ReckonerError {
  return new ReckonerError(
    "trace.missing",
    `The run has no ${what} ${localId(id)}; reckoner observe events lists what it has.`,
    { place: id },
  );
}

/** A block of a request. */
export interface Block {
  readonly path: string;
  readonly role?: string;
  readonly value: Json;
}

/** A message's blocks: its parts, or its text. */
export function blocksOf(message: Json, path: string): readonly Block[] {
  if (!isJsonObject(message)) return [{ path, value: message }];
  const { role, content } = message;
  const of = typeof role === "string" ? { role } : {};
  if (!Array.isArray(content)) return [{ path: `${path}.content`, ...of, value: content ?? null }];
  return content.map((part, i) => ({ path: `${path}.content[${i}]`, ...of, value: part }));
}
