/**
 * Looks up the values behind a journal's references: in its events, its stored values, and the
 * items of its Lists. Used to show recorded values; a value that is not found stays a reference.
 */
import {
  asJson,
  chain,
  isReference,
  type Json,
  type JsonObject,
  MAX_OWN_DEPTH,
  refOf,
} from "../kernel/values/index.js";
import { DerivedItems } from "./derived-items.js";
import { Generations } from "./generations.js";
import { MAX_LENGTH, MAX_REFERENCES } from "./held-values.js";
import type { DirectiveRecord, EventLine, ItemsRecord, Line, Node } from "./line.js";
import { MAX_SHOWN, tagOf } from "./node-text.js";
import { type RecordedDirective, RecordedParts } from "./recorded-parts.js";
import { HeldValue, type StoredLimits, StoredNodes } from "./stored-nodes.js";
import { MAX_LISTS } from "./written-values.js";

/** The placeholder of a value that the journal does not contain. */
export type Unresolved = { readonly "@ref": string };

/** A List as a journal records it: the items behind another one. */
interface RecordedItems {
  readonly after: string | undefined;
  readonly items: readonly Node[];
  /** Whether the items are values and not nodes. */
  readonly whole: boolean;
}

/** The maximal number of nodes of a value: a line with more was made to exhaust its reader. */
const MAX_NODES = 2_000_000;

/** The number of items that a List's reference says. */
function sizeIn(list: string): number {
  return Number(/^@(\d+)#/.exec(list)?.[1] ?? Number.NaN);
}

/** What events hold. */
class EventValues {
  readonly held: Map<string, Json> = new Map();
  /** What is too short for a reference, by its tag; none where two have one. */
  readonly tagged: Map<string, Json | undefined> = new Map();
  /** What was not looked through yet. */
  events: Json[] = [];
}

/** The limits of a reader that only needs the values of the newest lines. */
const RECENT: RecentLimits = { length: MAX_LENGTH, nodes: MAX_REFERENCES, lists: MAX_LISTS };

/** How much is held: characters of events, of values and of Lists, each, and so many of the last two. */
interface RecentLimits extends StoredLimits {
  readonly lists: number;
}

/** Finds recorded values by their references; lines are taken in one by one, in their order. */
export class RecordedValues {
  readonly #recent: RecentLimits | undefined;
  readonly #nodes: StoredNodes;
  readonly #events: Generations<EventValues>;
  readonly #lists: Generations<Map<string, RecordedItems>>;
  /** The List that was recorded last. */
  #last: string | undefined;
  readonly #derived = new DerivedItems();
  /** Characters of the events behind the last List. */
  #behindList = 0;
  /** Whether the newest event recorded a List. */
  #isAtList = false;
  /** The refs of the parts of the last directive of each type. */
  readonly #parts = new RecordedParts();
  /** The turn at which all of these were kept. */
  #kept = 0;

  constructor(lines: Iterable<Line> = [], recent?: RecentLimits, nodes?: StoredNodes) {
    this.#recent = recent;
    const length = recent?.length ?? Number.POSITIVE_INFINITY;
    this.#nodes = nodes ?? new StoredNodes(recent, (reference) => this.#inEvents(reference));
    this.#events = new Generations(() => new EventValues(), length);
    this.#lists = new Generations(() => new Map(), length);
    for (const line of lines) this.take(line);
  }

  /**
   * The values that a line may refer to and that are no older than what its writer remembered: enough
   * to read line by line. What it holds does not grow with the journal.
   */
  static recent(limits: RecentLimits = RECENT): RecordedValues {
    return new RecordedValues([], limits);
  }

  /** The values of another run of the journal, of whose lines each takes its own: all look up what any stores. */
  ofOtherRun(): RecordedValues {
    return new RecordedValues([], this.#recent, this.#nodes);
  }

  /** The numbers of events, values and Lists that are held. */
  get size(): number {
    return sum([
      ...this.#events.all.map(({ held, events }) => held.size + events.length),
      ...this.#nodes.all.map(({ size }) => size),
      ...this.#lists.all.map(({ size }) => size),
      this.#derived.size,
    ]);
  }

  /** The number of characters of events, values and Lists' items are held; 0 where nothing is forgotten. */
  get length(): number {
    return this.#events.length + this.#nodes.length + this.#lists.length;
  }

  /** Takes a line in. @returns the directives of an event's line, each with all its parts */
  take(line: Line): readonly RecordedDirective[] {
    this.#keepParts();
    if ("type" in line) {
      // A fork's input is that of the run that it shares its beginning with.
      if (line.fork !== undefined) return [];
      if (typeof line.chart === "object") {
        const chart = asJson(line.chart);
        this.#nodes.hold(refOf(chart), chart);
      }
      this.begin(line.input);
      return [];
    }
    this.takeStored(line);
    if ("items" in line) for (const each of line.items ?? []) this.#takeItems(each);
    return "event" in line ? this.#event(line) : [];
  }

  /** Takes in the input with which a run begins. */
  begin(input: Json): void {
    this.#derived.begin(input);
    this.#take(input);
    // Its writer counts events alone.
    this.#behindList = 0;
  }

  /** Takes in the values that a line stores, of whichever run it is. */
  takeStored(line: Line): void {
    if (!("values" in line)) return;
    for (const [ref, node] of Object.entries(line.values ?? {})) this.#nodes.set(ref, node);
  }

  /** A List that another journal contains, with its items. */
  inherit(list: string, items: readonly Json[]): void {
    this.#lists.young.set(list, { after: undefined, items, whole: true });
    this.#last = list;
  }

  #take(event: Json): void {
    const length = this.#lengthOf(event);
    this.#events.grow(length).events.push(event);
    this.#behindList += length;
    // As its writer does: what it has forgotten it writes out.
    if (this.#behindList > MAX_LENGTH) this.#derived.lose();
  }

  #lengthOf(node: Node): number {
    return this.#recent === undefined ? 0 : JSON.stringify(node).length;
  }

  /** A List that the journal came to behind its last request: one that a later run begins with. */
  knowList(list: string): void {
    this.#list(list);
  }

  #takeItems({ list, after, add }: ItemsRecord): void {
    this.#nodes.keep(add, false);
    this.#lists.grow(this.#lengthOf(add)).set(list, { after, items: add, whole: false });
  }

  #event({ event, do: directives = [] }: EventLine): readonly RecordedDirective[] {
    this.#take(asJson(event));
    this.#derived.take(event, directives as never);
    this.#keepParts();
    this.#isAtList = false;
    const recorded = directives.map((each) => this.#directive(each));
    if (this.#recent === undefined) return recorded;
    // A List grows by what is in the events since the last one; no line refers to older events.
    if (this.#isAtList) this.#events.turn();
    if (this.#lists.young.size >= this.#recent.lists) this.#lists.turn();
    this.#nodes.turnWhenFull();
    this.#keepParts();
    return recorded;
  }

  /** What the next directives may have unchanged is not forgotten. */
  #keepParts(): void {
    const turns = this.#nodes.turns + this.#events.turns;
    if (turns === this.#kept) return;
    for (const parts of this.#parts.last) this.#nodes.keep([...parts.values()], true);
    this.#kept = turns;
  }

  #directive(record: DirectiveRecord): RecordedDirective {
    const recorded = this.#parts.directive(record);
    const { type: _type, id: _id, "-": _gone, ...changed } = record;
    for (const node of Object.values(changed) as Node[]) {
      if (typeof node === "string" && node.startsWith("@")) this.#list(node);
      else this.#nodes.keep([node], false);
    }
    return recorded;
  }

  #list(reference: string): void {
    const length = this.#behindList;
    this.#behindList = 0;
    this.#isAtList = true;
    const derived = this.#derived.items() ?? [];
    if (this.#listed(reference) === undefined) {
      const after = this.#last;
      const head = derived.reduce(
        (at: string, item) => chain(at, item),
        after?.replace(/^@\d+#/, "") ?? "",
      );
      if (reference.endsWith(`#${head}`)) {
        this.#lists.grow(length).set(reference, { after, items: derived, whole: true });
      }
    }
    this.#last = reference;
  }

  /** The items of a List, also of one that the run came to behind its last request. */
  itemsSoFar(reference: string): readonly Json[] | undefined {
    const items = this.items(reference);
    if (items !== undefined) return items;
    const before = this.#last === undefined ? [] : this.items(this.#last);
    const derived = this.#derived.current ?? [];
    const head = derived.reduce(chain, this.#last?.replace(/^@\d+#/, "") ?? "");
    return before !== undefined && reference.endsWith(`#${head}`)
      ? [...before, ...derived]
      : undefined;
  }

  /** The value of a node: with what it refers to in its place. */
  value(node: Node): Json {
    return this.#value(node, { depth: 0, nodes: 0 });
  }

  /** @param so how deep it is and how much was looked at: what refers to itself has no end */
  #value(node: Node, so: { depth: number; nodes: number }): Json {
    so.nodes += 1;
    if (typeof node === "string") {
      if (node.startsWith("=")) return node.slice(1);
      if (!isReference(node)) return node;
      if (so.depth > MAX_OWN_DEPTH || so.nodes > MAX_NODES) return { "@ref": node };
      so.depth += 1;
      const value = node.startsWith("@") ? this.#items(node, so) : this.#referred(node, so);
      so.depth -= 1;
      return value ?? { "@ref": node };
    }
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((item: Node) => this.#value(item, so));
    return Object.fromEntries(
      Object.entries(node as JsonObject).map(([key, child]) => [key, this.#value(child, so)]),
    );
  }

  #referred(reference: string, so: { depth: number; nodes: number }): Json | undefined {
    const stored = this.#nodes.get(reference);
    if (stored === undefined) return this.#inEvents(reference);
    return stored instanceof HeldValue ? stored.value : this.#value(stored, so);
  }

  /** A value within a known event. */
  #inEvents(reference: string): Json | undefined {
    for (const each of this.#events.all) {
      lookThrough(each);
      const held = each.held.get(reference);
      if (held !== undefined) return held;
    }
    return undefined;
  }

  #listed(reference: string): RecordedItems | undefined {
    for (const each of this.#lists.all) {
      const found = each.get(reference);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The items of a List, or `undefined` where the journal does not hold them all. */
  items(reference: string): readonly Json[] | undefined {
    return this.#items(reference, { depth: 0, nodes: 0 });
  }

  #items(reference: string, so: { depth: number; nodes: number }): Json[] | undefined {
    const found: RecordedItems[] = [];
    let at: string | undefined = reference;
    while (at !== undefined && !at.startsWith("@0#")) {
      const one: RecordedItems | undefined = this.#listed(at);
      // A List must be longer than the one that it continues; otherwise the recursion would not
      // end.
      if (one === undefined) return undefined;
      if (one.after !== undefined && !(sizeIn(one.after) < sizeIn(at))) return undefined;
      found.push(one);
      at = one.after;
    }
    return found.reverse().flatMap((one) => this.#itemsOf(one, so));
  }

  #itemsOf({ items, whole }: RecordedItems, so: { depth: number; nodes: number }): readonly Json[] {
    return whole ? items : items.map((node) => this.#value(node, so));
  }

  /** How many items a List has beyond the one before it, and where that one is. */
  growth(
    reference: string,
  ): { readonly after?: string; readonly items: readonly Json[] } | undefined {
    const found = this.#listed(reference);
    if (found === undefined) return undefined;
    const items = this.#itemsOf(found, { depth: 0, nodes: 0 });
    return found.after === undefined ? { items } : { after: found.after, items };
  }

  /** A value with a digest that begins with the letters of a tag, where exactly one is there. */
  tagged(tag: string): Json | undefined {
    this.value("#");
    const events = this.#events.all;
    const maps = [...this.#nodes.all, ...events.map(({ held }) => held), ...this.#lists.all];
    const keys = maps.flatMap((each) => [...each.keys()]);
    const fits = new Set(keys.filter((each) => each.startsWith(tag)));
    if (fits.size === 0) return events.find(({ tagged }) => tagged.has(tag))?.tagged.get(tag);
    return fits.size === 1 ? this.value([...fits][0] as string) : undefined;
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, one) => all + one, 0);
}

function lookThrough(values: EventValues): void {
  for (const event of values.events) hold(event, values);
  values.events = [];
}

function hold(value: Json, values: EventValues): void {
  const { held, tagged } = values;
  const ref = refOf(value);
  // Short values are written out everywhere; a longer field has its tag.
  if (isReference(ref)) held.set(ref, value);
  else if (ref.length > MAX_SHOWN) {
    const tag = tagOf(ref);
    const cached = tagged.get(tag);
    const other = tagged.has(tag) && (cached === undefined || refOf(cached) !== ref);
    tagged.set(tag, other ? undefined : value);
  }
  if (typeof value !== "object" || value === null) return;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    hold(child, values);
  }
}

/** Returns true if a value is one that the journal does not hold. */
export function isUnresolved(value: Json | undefined): value is Unresolved {
  return typeof value === "object" && value !== null && "@ref" in value;
}
