/**
 * What the journal keeps of a step (J2): for each directive one hash per part, and each value once.
 * A part that grows is a List and costs its new items, so a turn costs the same bytes at turn 10 and
 * at turn 10 000.
 */
import {
  asJson,
  chain,
  type Directive,
  hashOf,
  isList,
  type Json,
  type JsonObject,
  type List,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Step,
  sizeOf,
  toArray,
} from "../kernel/index.js";
import {
  type DirectiveRecord,
  type EncodedLine,
  type EndRecord,
  type EventLine,
  encodeLine,
  FORMAT,
  type HeaderLine,
  type Line,
  type ListPart,
  type PartRecord,
  type StartMark,
} from "./line.js";

/** The last List recorded for a part: its size and head. */
interface Known {
  readonly size: number;
  readonly head: string;
}

/** What a recorder has to remember between two lines; plain JSON, kept in snapshots. */
export interface RecorderState {
  /** Hash of the last line. */
  readonly previous: string;
  readonly lists: { readonly [part: string]: Known };
}

/** The parts of a directive, beside its type and id. */
export function partsOf(directive: Directive): [string, Json][] {
  const parts: [string, Json][] = [];
  for (const [name, value] of Object.entries(directive)) {
    if (name !== "type" && name !== "id") parts.push([name, value as Json]);
  }
  return parts;
}

/** How a step's end is recorded, or `undefined` where the run goes on. */
export function endOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
): EndRecord | undefined {
  if (state.status === "active") return undefined;
  const output = reasoner.output(state) as Json | undefined;
  return {
    status: state.status,
    ...(output === undefined ? {} : { output: hashOf(output) }),
    ...(state.fault === undefined ? {} : { fault: state.fault }),
  };
}

/** Turns steps into lines. One for each journal that is being written. */
export class Recorder {
  #previous: string;
  readonly #lists: Map<string, Known>;
  readonly #seen = new Set<string>();
  /** What the events since the last recorded List hold. */
  readonly #held = new Set<unknown>();
  #listed = false;

  constructor(state: RecorderState = { previous: "", lists: {} }) {
    this.#previous = state.previous;
    this.#lists = new Map(Object.entries(state.lists));
  }

  /** What the recorder remembers, to go on from in another process. */
  get state(): RecorderState {
    return { previous: this.#previous, lists: Object.fromEntries(this.#lists) };
  }

  /** Takes a line in that was written before: the chain and the values go on from it. */
  observe(line: Line, hash: string): void {
    this.#previous = hash;
    if (line.type !== "event") return;
    for (const key of Object.keys(line.values ?? {})) this.#seen.add(key);
    for (const record of line.directives ?? []) {
      for (const [part, value] of Object.entries(record.parts)) {
        if (typeof value === "string" || "is" in value) continue;
        this.#lists.set(`${record.type}.${part}`, { size: value.size, head: value.list });
      }
    }
  }

  header(header: Omit<HeaderLine, "type" | "format">): EncodedLine {
    return this.#encode({ type: "header", format: FORMAT, ...header });
  }

  mark(mark: StartMark): EncodedLine {
    return this.#encode({ type: "mark", ...mark });
  }

  event<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly StartMark[],
  ): EncodedLine {
    const { state } = step;
    hold(asJson(event), this.#held);
    const values: Record<string, Json> = {};
    const keep = (hash: string, value: Json) => {
      if (this.#seen.has(hash)) return;
      this.#seen.add(hash);
      if (!this.#held.has(value)) values[hash] = shared(value, this.#held);
    };
    const directives = step.directives.map((directive) => this.#directive(directive, keep));
    const end = endOf(reasoner, state);
    if (end?.output !== undefined) keep(end.output, reasoner.output(state) as Json);
    const line: EventLine = {
      type: "event",
      seq: state.seq,
      event,
      value: state.value,
      ...(step.ignored === undefined ? {} : { ignored: step.ignored }),
      ...(directives.length === 0 ? {} : { directives }),
      ...(end === undefined ? {} : { end }),
      ...(Object.keys(values).length === 0 ? {} : { values }),
      ...(starts.length === 0 ? {} : { starts }),
    };
    // What a List takes on stands in the events since the last one; older ones need not be kept.
    if (this.#listed || this.#held.size > MAX_HELD) this.#held.clear();
    this.#listed = false;
    return this.#encode(line);
  }

  #encode(line: Line): EncodedLine {
    const encoded = encodeLine(line, this.#previous);
    this.#previous = encoded.hash;
    return encoded;
  }

  #directive(directive: Directive, keep: (hash: string, value: Json) => void): DirectiveRecord {
    const parts: Record<string, PartRecord> = {};
    for (const [name, value] of partsOf(directive)) {
      if (isList(value)) {
        parts[name] = this.#list(`${directive.type}.${name}`, value as List<Json>, keep);
      } else if (isShort(value)) {
        parts[name] = { is: value };
      } else {
        const hash = hashOf(value);
        keep(hash, value);
        parts[name] = hash;
      }
    }
    return { type: directive.type, ...("id" in directive ? { id: directive.id } : {}), parts };
  }

  #list(key: string, list: List<Json>, keep: (hash: string, value: Json) => void): ListPart {
    const known = this.#lists.get(key);
    const from = known !== undefined && extendsKnown(list, known) ? known.size : 0;
    const items = toArray(list, from).map((item) => {
      const hash = hashOf(item);
      keep(hash, item);
      return hash;
    });
    this.#lists.set(key, { size: sizeOf(list), head: list.head });
    this.#listed = true;
    return { list: list.head, size: sizeOf(list), from, items };
  }
}

/** Whether a List begins with another of which only size and head are known. */
function extendsKnown(list: List<Json>, known: Known): boolean {
  if (sizeOf(list) < known.size) return false;
  let head = known.head;
  for (const item of toArray(list, known.size)) head = chain(head, item);
  return head === list.head;
}

/** A hash with its quotes; a text below this length is cheaper written out. */
const HASH_LENGTH = 45;
/** A reference, `{"@hash":"…"}`; a value below this length is cheaper written out. */
const REFERENCE_LENGTH = 60;
/** Beyond this many remembered values of events the recorder forgets them; it costs bytes, no more. */
const MAX_HELD = 10_000;

/** Whether a value is no longer than its hash. */
function isShort(value: Json): boolean {
  if (typeof value === "string") return value.length < HASH_LENGTH - 2;
  if (typeof value !== "object" || value === null) return true;
  const children = Array.isArray(value) ? value : Object.values(value as JsonObject);
  if (children.some((child) => typeof child === "object" && child !== null)) return false;
  return JSON.stringify(value).length < HASH_LENGTH;
}

/** Remembers everything within a value that is long enough to be worth a reference. */
function hold(value: Json, held: Set<unknown>): void {
  if (typeof value === "string") {
    if (value.length >= REFERENCE_LENGTH) held.add(value);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  held.add(value);
  const children = Array.isArray(value) ? value : Object.values(value as JsonObject);
  for (const child of children) hold(child, held);
}

/** A value in which what an event holds is a reference to it. */
function shared(value: Json, held: ReadonlySet<unknown>): Json {
  if (typeof value === "string") return held.has(value) ? { "@hash": hashOf(value) } : value;
  if (typeof value !== "object" || value === null) return value;
  if (held.has(value) && JSON.stringify(value).length >= REFERENCE_LENGTH) {
    return { "@hash": hashOf(value) };
  }
  if (Array.isArray(value)) return value.map((item) => shared(item, held));
  const copy: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) copy[key] = shared(child, held);
  return copy;
}
