/**
 * Finds a model request in a run's lines, with its system text, messages and tools as recorded, and divides
 * its messages into blocks. It also finds the input of a tool that the machine itself has called.
 */
import {
  type EventLine,
  isEventLine,
  isUnresolved,
  type Line,
  type Node,
  RecordedValues,
} from "../../../core/journal/index.js";
import { isJsonObject, type Json, ReckonerError } from "../../../core/kernel/values/index.js";
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
  /** The number of messages before those: they are in a journal that is missing. */
  readonly absent: number;
  readonly tools: readonly Json[];
}

/** A directive as it is recorded. */
interface IssuedDirective {
  readonly line: EventLine;
  /** Where its parts stand, by their names. */
  readonly parts: ReadonlyMap<string, Node>;
  /** The values that the journal recorded up to there. */
  readonly values: RecordedValues;
}

/**
 * A request of a run.
 * @param id of the event, or of the directive
 * @throws ReckonerError `trace.missing` where the run has no such request
 */
export function requestIn(run: SourceLines, id: string): RecordedRequest {
  const found = issuedIn(run, "llm", id);
  if (found === undefined) throw missing(id, "model request");
  const { line, parts, values } = found;
  const tools = partOf(found, "tools");
  return {
    line,
    system: partOf(found, "system"),
    ...messagesIn(values, parts.get("messages")),
    tools: Array.isArray(tools) ? tools : [],
  };
}

/** The input of a tool that the machine itself has called, and the event at which it did. */
export function toolInputIn(
  run: SourceLines,
  id: string,
): { readonly line: EventLine; readonly input: Json } | undefined {
  const found = issuedIn(run, "tool", id);
  return found && { line: found.line, input: partOf(found, "input") ?? null };
}

function partOf({ parts, values }: IssuedDirective, name: string): Json | undefined {
  const node = parts.get(name);
  return node === undefined ? undefined : values.value(node);
}

/** The directive of a type that an id names, by its own or by its event's. */
function issuedIn(
  { lines, earlier = [] }: SourceLines,
  type: "llm" | "tool",
  id: string,
): IssuedDirective | undefined {
  const values = new RecordedValues();
  for (const each of earlier) for (const line of each) values.take(line);
  const base = lines.flatMap((line) => ("items" in line ? (line.items ?? []) : []))[0]?.after;
  // Of the run that this one goes on from, the transcript as it was in the end.
  if (earlier.length > 0 && base !== undefined) values.knowList(base);
  for (const line of lines) {
    const found = values
      .take(line)
      .find((each) => each.type === type && namesDirective(id, each.id ?? ""));
    if (found !== undefined && isEventLine(line)) return { line, parts: found.parts, values };
  }
  return undefined;
}

/** The messages of a request, as far as they are known. */
function messagesIn(
  values: RecordedValues,
  node: Node | undefined,
): Pick<RecordedRequest, "messages" | "absent"> {
  const whole = node === undefined ? [] : values.value(node);
  if (Array.isArray(whole)) return { messages: whole, absent: 0 };
  if (!isUnresolved(whole) || typeof node !== "string") return { messages: [], absent: 0 };
  const messages: Json[] = [];
  const size = Number(/^@(\d+)#/.exec(node)?.[1] ?? 0);
  for (let at: string | undefined = node; at !== undefined && messages.length < size; ) {
    const grown = values.growth(at);
    if (grown === undefined) break;
    messages.unshift(...grown.items);
    at = grown.after;
  }
  return { messages, absent: Math.max(0, size - messages.length) };
}

/**
 * Returns true when a text names a directive: by its own id, or by its event's, with the run's or
 * without.
 */
export function namesDirective(text: string, directiveId: string): boolean {
  return text === directiveId || localId(text) === localId(traceId("", directiveId));
}

/** Makes the error of a part that a run does not have. */
export function missing(id: string, what: string): ReckonerError {
  return new ReckonerError(
    "trace.missing",
    `The run has no ${what} ${localId(id)}; reckoner observe events lists what it has.`,
    { place: id },
  );
}

/** A block of a request. */
export interface Block {
  /** `system`, `messages[3].content[0]`, `tools[1]`. */
  readonly path: string;
  /** Of a message. */
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
