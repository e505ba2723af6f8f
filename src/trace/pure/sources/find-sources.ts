/**
 * Traces each block of a model request (`requestSources`), and each argument of a tool call (`callSources`),
 * to the recorded value that it is a copy of. Only copies are traced; anything else is reported as untraced.
 */

import { isJsonObject, type Json, type JsonObject } from "../../../core/kernel/values/index.js";
import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { LINES } from "../argument-shapes.js";
import { type AnsweredCall, callsIn, decidedInput } from "./answered-calls.js";
import { type RecordedValue, RecordIndex, type RecordPlace } from "./record-index.js";
import {
  type Block,
  blocksOf,
  missing,
  namesDirective,
  requestIn,
  type SourceLines,
  toolInputIn,
} from "./recorded-request.js";
import { leavesOf } from "./walk-json.js";

/** The source of a value. */
export type Source =
  /** It is a copy of what stands there. */
  | ({ readonly kind: "copy" } & RecordPlace)
  /** It holds a text that stands there. */
  | ({ readonly kind: "holds"; readonly text: string } & RecordPlace)
  /** A pure tool made it, inline, in that call. */
  | { readonly kind: "computed"; readonly eventId: string; readonly toolName: string }
  /** No record holds it. */
  | { readonly kind: "untraced"; readonly why: string };

/** A block of a model request. */
export interface SeenBlock extends Block {
  /** Never empty. */
  readonly sources: readonly Source[];
}

/** An argument of a tool call. */
export interface TracedArgument {
  /** JSON path in the call's input. */
  readonly path: string;
  readonly value: Json;
  /** The blocks of the request in which the model saw it, and where those have it from. */
  readonly seenIn: readonly SeenBlock[];
  /** Never empty. */
  readonly sources: readonly Source[];
}

const MADE =
  "the reasoner made it: its configuration, a behaviour or a plug-in; no record before it holds it";
const untracedMade: Source = { kind: "untraced", why: MADE };
const WRITTEN = "the model wrote it; nothing that it had been shown holds it";
const ELSEWHERE =
  "it stands in the journal of the run that this one continues, which was not given";
/** So many places of one value are named. */
const MAX_PLACES = 5;

/**
 * The blocks of a model request, in their order, each with its sources.
 * @param id of the event, or of the directive
 * @throws ReckonerError `trace.missing` where the run has no such request
 */
export function requestSources(run: SourceLines, id: string): readonly SeenBlock[] {
  checkArguments("requestSources", { run }, { run: LINES });
  const { line, system, messages, absent, tools } = requestIn(run, id);
  const records = recordsOf(run, line.seq);
  const calls = callsIn(run).filter(({ own, seq }) => !own || seq <= line.seq);
  const used = new Map<string, number>();
  // The answer that was shown last: results behind it are of its calls, whatever ids a model repeats.
  let answer: string | undefined;
  const blocks: SeenBlock[] = [];
  if (system !== undefined) {
    blocks.push({ path: "system", value: system, sources: textSources(records, system) });
  }
  if (absent > 0) {
    const path = `messages[0..${absent - 1}]`;
    blocks.push({ path, value: null, sources: [{ kind: "untraced", why: ELSEWHERE }] });
  }
  for (const [i, message] of messages.entries()) {
    for (const block of blocksOf(message, `messages[${absent + i}]`)) {
      const ofAnswer = calls.filter(({ answerId }) => answerId === answer);
      const shown = ofAnswer.length > 0 ? ofAnswer : calls;
      const sources = blockSources(block, records, shown, used);
      const [source] = sources;
      if (block.role === "assistant" && source?.kind === "copy") answer = source.eventId;
      blocks.push({ ...block, sources });
    }
  }
  for (const [i, schema] of tools.entries()) {
    blocks.push({ path: `tools[${i}]`, value: schema, sources: [untracedMade] });
  }
  return blocks;
}

/**
 * The arguments of a tool call: each value in its input, and where the model has it from.
 * @param id of the event, or of the directive: `tool/<iteration>/<index>` of an agent
 * @throws ReckonerError `trace.missing` where the run has no such call
 */
export function callSources(run: SourceLines, id: string): readonly TracedArgument[] {
  checkArguments("callSources", { run }, { run: LINES });
  const call = callsIn(run).find((each) => each.own && namesDirective(id, each.directive));
  if (call === undefined) return machineCallSources(run, id);
  const blocks = requestSources(run, call.answerId);
  const edited = decidedInput(run.lines, call.directive);
  const input = edited?.value ?? call.input;
  return leavesOf(input).map(({ path, value }): TracedArgument => {
    if (edited !== undefined) {
      const { place } = edited;
      const copy: Source = {
        kind: "copy",
        ...place,
        path: `${place.path}${path.slice(1)}`,
      };
      return { path, value, seenIn: [], sources: [copy] };
    }
    const seenIn = blocks.filter((block) => holds(block.value, value)).slice(0, MAX_PLACES);
    const sources = seenIn.flatMap((block) => block.sources);
    const none: Source = { kind: "untraced", why: WRITTEN };
    return { path, value, seenIn, sources: sources.length === 0 ? [none] : sources };
  });
}

/** The arguments of a tool that the machine itself has called: what it made them of. */
function machineCallSources(run: SourceLines, id: string): readonly TracedArgument[] {
  const called = toolInputIn(run, id);
  if (called === undefined) throw missing(id, "tool call");
  const records = recordsOf(run, called.line.seq);
  return leavesOf(called.input).map(({ path, value }) => {
    const isScalar = typeof value === "string" || typeof value === "number";
    const sources = isScalar ? textSources(records, value) : [untracedMade];
    return { path, value, seenIn: [], sources };
  });
}

function recordsOf({ lines, earlier = [] }: SourceLines, until: number): readonly RecordIndex[] {
  return [...earlier.map((each) => new RecordIndex(each)), new RecordIndex(lines, until)];
}

function copyOf({ place }: RecordedValue): Source {
  return { kind: "copy", ...place };
}

/**
 * @param used how often each value was taken already: the second message of one text is the second
 * record of it
 */
function blockSources(
  { value }: Block,
  records: readonly RecordIndex[],
  calls: readonly AnsweredCall[],
  used: Map<string, number>,
): readonly Source[] {
  if (isJsonObject(value) && value.type === "tool-result") {
    const result = resultSources(value, records, calls);
    if (result.length > 0) return result;
  }
  const key = JSON.stringify(value);
  for (const each of candidates(value)) {
    const places = records.flatMap((run) => run.equalTo(each));
    if (places.length === 0) continue;
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    return [copyOf(places[Math.min(nth, places.length - 1)] as RecordedValue)];
  }
  return textSources(records, value);
}

/** Returns the forms that a block may have in a record: itself, or the text that it is about. */
function candidates(value: Json): readonly Json[] {
  if (!isJsonObject(value)) return [value];
  if (value.type === "text" && typeof value.text === "string") return [value, value.text];
  return [value];
}

/** A text by the recorded texts that it holds. */
function textSources(records: readonly RecordIndex[], value: Json): readonly Source[] {
  const text = typeof value === "string" ? value : textIn(value);
  const equal = records.flatMap((run) => run.equalTo(value));
  if (equal[0] !== undefined) return [copyOf(equal[0])];
  const held = records
    .flatMap((run) => run.within(text))
    .slice(0, MAX_PLACES)
    .map(({ place, value: found }): Source => {
      return { kind: "holds", ...place, text: found as string };
    });
  return held.length === 0 ? [untracedMade] : held;
}

/** All texts in a value, a line each. */
function textIn(value: Json): string {
  return leavesOf(value)
    .flatMap((leaf) => (typeof leaf.value === "string" ? [leaf.value] : []))
    .join("\n");
}

/** The result of a call, by the call: what settled it, or that it ran inline. */
function resultSources(
  result: JsonObject,
  records: readonly RecordIndex[],
  calls: readonly AnsweredCall[],
): readonly Source[] {
  const call = calls.filter(({ toolCallId }) => sameCall(toolCallId, result.toolCallId)).at(-1);
  if (call === undefined || call.toolName !== result.toolName) return [];
  const output = isJsonObject(result.output) ? result.output : {};
  const { settled, eventId, toolName } = call;
  if (settled === undefined) return [{ kind: "computed", eventId, toolName }];
  const { event, seq, runId } = settled;
  for (const name of ["output", "content"] as const) {
    if (event[name] === undefined) continue;
    if (JSON.stringify(event[name]) !== JSON.stringify(output.value)) continue;
    return [{ kind: "copy", eventId, runId, seq, path: `$.event.${name}` }];
  }
  const message = isJsonObject(event.error) ? event.error.message : undefined;
  const words = textIn(output.value ?? null);
  if (typeof message === "string" && message !== "" && words.includes(message)) {
    const path = "$.event.error.message";
    return [{ kind: "holds", eventId, runId, seq, path, text: message }];
  }
  return textSources(records, output.value ?? null);
}

/** The k-th call with one id has it with a number behind it in the transcript. */
function sameCall(id: string, shown: Json | undefined): boolean {
  return shown === id || (typeof shown === "string" && shown.replace(/_\d+$/, "") === id);
}

/** Shorter arguments are copies only of whole values: as parts of texts they stand everywhere. */
const MIN_ARGUMENT = 4;

/** Returns true when a block holds an argument: as a value of its own, or, a longer text, within one. */
function holds(block: Json, argument: Json): boolean {
  const text = typeof argument === "number" ? String(argument) : argument;
  return leavesOf(block).some(({ path, value }) => {
    if (path === "$.type" || path === "$.toolCallId" || path === "$.toolName") return false;
    if (value === argument) return typeof argument !== "boolean" && argument !== null;
    if (typeof value !== "string" || typeof text !== "string") return false;
    if (typeof argument === "number") return numberIn(value, text);
    return text.length >= MIN_ARGUMENT && value.includes(text);
  });
}

/** Returns true when a text holds a number of two digits or more, and not as a part of another one. */
function numberIn(text: string, digits: string): boolean {
  if (digits.replace(/\D/g, "").length < 2) return false;
  const at = text.indexOf(digits);
  if (at < 0) return false;
  return !/[\d.]/.test(text[at - 1] ?? "") && !/\d/.test(text[at + digits.length] ?? "");
}
