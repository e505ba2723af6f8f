/**
 * Puts a recorded request, answer or value into a few words for the studio, or two of them beside each other,
 * cut so that their difference is in sight.
 */
import {
  cutText,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../core/kernel/values/index.js";
import { type IssuedEffect, nameOf, type RecordedRun } from "./recorded-run.js";

/** The longest value in a sentence. */
const LONG = 200;
/** Characters of a value's beginning, and of what stands before its difference, where it is longer. */
const HEAD = 60;
const BEFORE = 40;
/** Parts of an answer that are told. */
const MOST_PARTS = 3;

/** A value in a sentence. */
export function valueWords(value: Json | undefined): string {
  return value === undefined ? "nothing" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > LONG ? `${cutText(text, LONG)}…` : text;
}

/** Two values in a sentence, cut so that their difference is in sight. */
export function bothValues(
  a: Json | undefined,
  b: Json | undefined,
): readonly [a: string, b: string] {
  if (a === undefined || b === undefined) return [valueWords(a), valueWords(b)];
  return bothCut(JSON.stringify(a), JSON.stringify(b));
}

/** Two texts in a sentence: of long ones the beginning, and what stands about the place where they differ. */
export function bothCut(a: string, b: string): readonly [a: string, b: string] {
  if (a.length <= LONG && b.length <= LONG) return [a, b];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const from = same - BEFORE;
  if (from <= HEAD) return [cut(a), cut(b)];
  const [left, right] = [a, b].map(
    (text) => `${cutText(text, HEAD)} … ${cut(text.slice(from).replace(/^\p{Surrogate}/u, ""))}`,
  );
  return [left as string, right as string];
}

/** A request, as it is told. */
export interface Asked {
  readonly type: string;
  /** Its tool, its store, its reasoner, or the question that it puts. */
  readonly name: string;
  readonly input: Json;
}

/** The part of a request that says what is asked. */
export function inputPart(type: string): string {
  const parts: { readonly [type: string]: string } = {
    read: "query",
    write: "operations",
    approval: "subject",
  };
  return Object.hasOwn(parts, type) ? (parts[type] as string) : "input";
}

/** A recorded request, as it is told. */
export function askedOf(run: RecordedRun, effect: IssuedEffect): Asked {
  const { type } = effect;
  return { type, name: nameOf(run, effect), input: run.part(effect, inputPart(type)) ?? null };
}

/** The thing that a request asks for, without its arguments. */
export function nounOf({ type, name }: Pick<Asked, "type" | "name">): string {
  const nouns: { readonly [type: string]: string } = {
    llm: "an answer of the model",
    approval: `a person's decision, “${name}”`,
    timer: "a timer",
    read: `a read of ${name}`,
    write: `a write to ${name}`,
  };
  return Object.hasOwn(nouns, type) ? (nouns[type] as string) : name;
}

/** A request with its arguments. */
export function callWords(asked: Asked): string {
  const { type, input } = asked;
  const isWhole = type === "llm" || type === "approval" || type === "timer";
  return isWhole ? nounOf(asked) : `${nounOf(asked)} with ${valueWords(input)}`;
}

/** A part of an answer: a few words, and a text or a value that may be long. */
type Part = readonly [head: string, value: string];

/** An answer: of a model its texts and calls, of a person the decision, of all else a value or an error. */
function partsOf(event: JsonObject): readonly Part[] {
  const { type, content, approve, input, value, reason, error, output, by } = event;
  if (type === "llm.succeeded") return contentParts(Array.isArray(content) ? content : []);
  if (typeof approve === "boolean") {
    const who = typeof by === "string" ? by : "a person";
    return [
      [`${who} ${approve ? "approved" : "rejected"}`, ""],
      ...(input === undefined ? [] : [["edited it to ", JSON.stringify(input)] as const]),
      ...(value === undefined ? [] : [["answered ", JSON.stringify(value)] as const]),
      ...(typeof reason === "string" ? [["gave as the reason ", `“${reason}”`] as const] : []),
    ];
  }
  if (isJsonObject(error)) return [["failed: ", String(error.message)]];
  const result = output ?? value;
  if (result !== undefined) return [["returned ", JSON.stringify(result)]];
  if (type === "timer.fired") return [["went off", ""]];
  return [[`${type} `, JSON.stringify(shownPart(event))]];
}

/** An event without what differs in any two runs. */
function shownPart({ type: _type, id: _id, at: _at, runId: _run, ...rest }: JsonObject): Json {
  return rest;
}

function contentParts(content: readonly Json[]): readonly Part[] {
  const parts = content.flatMap((each): readonly Part[] => {
    const { type, text, toolName, input = null } = isJsonObject(each) ? each : {};
    if (type === "text" && text !== "") return [["said ", `“${text}”`]];
    if (type === "tool-call") return [[`called ${toolName} with `, JSON.stringify(input)]];
    return [];
  });
  return parts.length === 0 ? [["said nothing", ""]] : parts;
}

function join(parts: readonly Part[]): string {
  const words = parts.slice(0, MOST_PARTS).map(([head, value]) => `${head}${cut(value)}`);
  const more = parts.length - words.length;
  return `${words.join(" and ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** An answer in words. */
export function answerWords(event: JsonObject): string {
  return join(partsOf(event));
}

/** Two answers in words: of those with several parts the ones that the other has not. */
export function bothAnswers(a: JsonObject, b: JsonObject): readonly [a: string, b: string] {
  const all = [partsOf(a), partsOf(b)] as const;
  const own = all.map((parts, i) => {
    const others = new Set(all[1 - i]?.map((part) => part.join("")));
    return parts.filter((part) => !others.has(part.join("")));
  }) as [Part[], Part[]];
  const [left, right] = own.every((parts) => parts.length > 0) ? own : all;
  const pairs = left.map((part, i): readonly [Part, Part | undefined] => {
    const other = right[i];
    if (other === undefined || other[0] !== part[0]) return [part, other];
    const [mine, theirs] = bothCut(part[1], other[1]);
    return [
      [part[0], mine],
      [other[0], theirs],
    ];
  });
  return [join(pairs.map(([part]) => part)), join(right.map((part, i) => pairs[i]?.[1] ?? part))];
}
