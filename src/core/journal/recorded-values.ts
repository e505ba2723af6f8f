/**
 * The values behind a journal's references: from its events, its stored values, and the items of its
 * Lists. Made where something recorded is to be shown; nothing is guessed, what is not there stays
 * its reference.
 */
import {
  asJson,
  chain,
  isReference,
  type Json,
  type JsonObject,
  MAX_OWN_DEPTH,
  refOf,
} from "../kernel/index.js";
import { DerivedItems } from "./derived-items.js";
import type { DirectiveRecord, EventLine, ItemsRecord, Line, Node } from "./line.js";
import { tagOf } from "./node-text.js";

/** What stands for a value that no line of the journal holds. */
export type Unresolved = { readonly "@ref": string };

/** A List as a journal records it: the items behind another one. */
interface RecordedItems {
  readonly after: string | undefined;
  readonly items: readonly Node[];
  /** Whether the items are values and not nodes. */
  readonly whole: boolean;
}

/** A value has no more nodes: a line that says otherwise was made to exhaust who shows it. */
const MAX_NODES = 2_000_000;

/** How many items a List's reference says that it has. */
function sizeIn(list: string): number {
  return Number(/^@(\d+)#/.exec(list)?.[1] ?? Number.NaN);
}

/** Finds recorded values by their references; lines are taken in one by one, in their order. */
export class RecordedValues {
  readonly #nodes = new Map<string, Node>();
  readonly #held = new Map<string, Json>();
  /** What events hold that is too short for a reference, by its tag; none where two have one. */
  readonly #tagged = new Map<string, Json | undefined>();
  #events: Json[] = [];
  readonly #lists = new Map<string, RecordedItems>();
  /** The List that was recorded last. */
  #last: string | undefined;
  readonly #derived = new DerivedItems();
  /** The refs of the parts of the last directive of each type. */
  readonly #parts = new Map<string, ReadonlyMap<string, Node>>();

  constructor(lines: Iterable<Line> = []) {
    for (const line of lines) this.take(line);
  }

  /** Takes a line in. @returns the directives of an event's line, each with all its parts */
  take(line: Line): readonly RecordedDirective[] {
    if ("type" in line) {
      // A fork's input is that of the run that it shares its beginning with.
      if (line.fork !== undefined) return [];
      this.#derived.begin(line.input);
      this.#events.push(line.input);
      return [];
    }
    if ("values" in line && line.values !== undefined) {
      for (const [reference, node] of Object.entries(line.values)) this.#nodes.set(reference, node);
    }
    if ("items" in line) for (const each of line.items ?? []) this.#keep(each);
    return "event" in line ? this.#event(line) : [];
  }

  /** A List that another journal holds: its items are to be had there. */
  inherit(list: string, items: readonly Json[]): void {
    this.#lists.set(list, { after: undefined, items, whole: true });
    this.#last = list;
  }

  /** A List that the journal came to behind its last request: one that a later run begins with. */
  knowList(list: string): void {
    this.#list(list);
  }

  #keep({ list, after, add }: ItemsRecord): void {
    this.#lists.set(list, { after, items: add, whole: false });
  }

  #event({ event, do: directives = [] }: EventLine): readonly RecordedDirective[] {
    this.#events.push(asJson(event));
    this.#derived.take(event, directives as never);
    return directives.map((each) => this.#directive(each));
  }

  #directive({ type, id, "-": gone = [], ...changed }: DirectiveRecord): RecordedDirective {
    const parts = new Map(this.#parts.get(type));
    for (const name of gone) parts.delete(name);
    for (const [name, node] of Object.entries(changed)) {
      parts.set(name, node as Node);
      if (typeof node === "string" && node.startsWith("@")) this.#list(node);
    }
    this.#parts.set(type, parts);
    return { type, ...(id === undefined ? {} : { id }), parts };
  }

  #list(reference: string): void {
    const derived = this.#derived.items() ?? [];
    if (!this.#lists.has(reference)) {
      const after = this.#last;
      const head = derived.reduce(
        (at: string, item) => chain(at, item),
        after?.replace(/^@\d+#/, "") ?? "",
      );
      if (reference.endsWith(`#${head}`)) {
        this.#lists.set(reference, { after, items: derived, whole: true });
      }
    }
    this.#last = reference;
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
    const node = this.#nodes.get(reference);
    if (node !== undefined) return this.#value(node, so);
    for (const event of this.#events) this.#hold(event);
    this.#events = [];
    return this.#held.get(reference);
  }

  #hold(value: Json): void {
    const ref = refOf(value);
    // What is short stands as itself everywhere; a field's value has at least its tag.
    if (isReference(ref)) this.#held.set(ref, value);
    else {
      const tag = tagOf(ref);
      const known = this.#tagged.get(tag);
      const other = this.#tagged.has(tag) && (known === undefined || refOf(known) !== ref);
      this.#tagged.set(tag, other ? undefined : value);
    }
    if (typeof value !== "object" || value === null) return;
    for (const child of Array.isArray(value) ? value : Object.values(value as JsonObject)) {
      this.#hold(child);
    }
  }

  /** The items of a List, or `undefined` where the journal does not hold them all. */
  items(reference: string): readonly Json[] | undefined {
    return this.#items(reference, { depth: 0, nodes: 0 });
  }

  #items(reference: string, so: { depth: number; nodes: number }): Json[] | undefined {
    const found: RecordedItems[] = [];
    let at: string | undefined = reference;
    while (at !== undefined && !at.startsWith("@0#")) {
      const one: RecordedItems | undefined = this.#lists.get(at);
      // A List is longer than the one that it continues, or there is no end of them.
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
    const found = this.#lists.get(reference);
    if (found === undefined) return undefined;
    const items = this.#itemsOf(found, { depth: 0, nodes: 0 });
    return found.after === undefined ? { items } : { after: found.after, items };
  }

  /** A value with a digest that begins with the letters of a tag, where exactly one is there. */
  tagged(tag: string): Json | undefined {
    this.value("#");
    const known = [...this.#nodes.keys(), ...this.#held.keys(), ...this.#lists.keys()];
    const fits = new Set(known.filter((each) => each.startsWith(tag)));
    if (fits.size === 0) return this.#tagged.get(tag);
    return fits.size === 1 ? this.value([...fits][0] as string) : undefined;
  }
}

/** A recorded directive with all its parts, as nodes. */
export interface RecordedDirective {
  readonly type: string;
  readonly id?: string;
  readonly parts: ReadonlyMap<string, Node>;
}

/** Whether a value is one that the journal does not hold. */
export function isUnresolved(value: Json | undefined): value is Unresolved {
  return typeof value === "object" && value !== null && "@ref" in value;
}
