/**
 * Keeps track of which of a run's values its journal contains already (in an event, in a line's own values,
 * as items of a List), so that none is written twice. It follows from the lines; a resumed run rebuilds it
 * from them.
 */

import type { RunChart } from "../kernel/machine/index.js";
import {
  asJson,
  chain,
  isReference,
  type Json,
  type List,
  listHead,
  refOf,
  sameJson,
  sharesPrefix,
  sizeOf,
  toArray,
} from "../kernel/values/index.js";
import type { Directive, RunEvent } from "../kernel/vocabulary/index.js";
import { type DerivedContent, DerivedItems } from "./derived-items.js";
import { HeldValues, MAX_LENGTH, type References } from "./held-values.js";
import type { EventLine, Line } from "./line.js";
import { headIn, headOf, type ListHead, listsIn } from "./state-lists.js";

/** A List as it was recorded: the value itself, or what a reference says of it. */
interface RecordedList extends ListHead {
  readonly list?: List<Json>;
}

/** The way in which a List is to be recorded. */
export interface ListToWrite {
  /** The recorded List that it continues. */
  readonly base: ListHead | undefined;
  /** Its items behind that one's. */
  readonly items: readonly Json[];
  /** Whether events hold them all, so that nothing has to be written. */
  readonly derived: boolean;
}

/** The part of them that a snapshot holds. */
export interface WrittenContent {
  readonly lists: readonly ListHead[];
  /** Of the state of the last upgrade, where there was one. */
  readonly carried?: readonly ListHead[];
  readonly held: readonly string[];
  readonly derived: DerivedContent;
  readonly length: number;
}

/** How many Lists are remembered: several may alternate in one part of a directive. */
export const MAX_LISTS = 8;

/**
 * So many characters of events are known behind the mark of a snapshot, which holds them: of a run that has recorded
 * no List so far, and of others since the last one.
 */
const MAX_WITHOUT_LISTS = 64 * 1024;
const MAX_SINCE_LIST = 1024 * 1024;

/** The values of one run that its journal holds. References are known to all runs of the journal. */
export class WrittenValues {
  readonly #held: HeldValues;
  readonly #derived: DerivedItems;
  /** The Lists that were recorded last, the newest first. */
  #lists: RecordedList[] = [];
  /** The Lists of the state of the last upgrade. */
  #carried: readonly ListHead[] = [];
  /** Characters of the events' lines behind the last List. */
  #length: number;

  /**
   * @param references of the journal, where another run of it is there already
   * @param content as a snapshot held it
   */
  constructor(references?: References, content?: WrittenContent) {
    this.#held = new HeldValues(references, content?.held);
    this.#derived = new DerivedItems(content?.derived);
    this.#lists = [...(content?.lists ?? [])];
    this.#carried = content?.carried ?? [];
    this.#length = content?.length ?? 0;
  }

  /**
   * At the mark of a snapshot only what that holds stays known, so that whoever goes on from it writes what
   * whoever wrote it writes.
   */
  settle(): WrittenContent {
    const most = this.#lists.length === 0 ? MAX_WITHOUT_LISTS : MAX_SINCE_LIST;
    // Results of an answer that is worked on are items of the next List for sure.
    if (!this.#derived.isOpen && this.#length > most) this.forget();
    this.#lists = this.#lists.map(({ size, head }) => ({ size, head }));
    this.#held.settle();
    const { settled: held } = this.#held;
    const carried = this.#carried.length === 0 ? {} : { carried: this.#carried };
    const derived = this.#derived.content;
    return { lists: this.#lists, ...carried, held, derived, length: this.#length };
  }

  get references(): References {
    return this.#held.references;
  }

  /** Takes the run's input in, and what a header says of its chart. */
  begin(input: Json, chart?: RunChart): void {
    if (typeof chart === "object") {
      const reference = refOf(asJson(chart));
      if (isReference(reference)) this.wrote(reference, JSON.stringify(chart).length);
    }
    this.#held.take(input);
    this.#derived.begin(input);
  }

  /** Takes an event in, and what was issued upon it. */
  take(event: RunEvent, directives: readonly Directive[]): void {
    this.#held.take(event);
    this.#derived.take(event, directives);
  }

  /** The line of an event is complete. @param length of its text */
  grew(length: number): void {
    this.#length += length;
    if (this.#length > MAX_LENGTH) this.forget();
  }

  /** Forgets the events behind the last List. */
  forget(): void {
    this.#length = 0;
    this.#held.forgetEvents();
    this.#derived.lose();
  }

  /** Takes in a line that was written before. @param length of its text */
  observe(line: Line, length: number): void {
    this.observeStored(line);
    if ("type" in line) {
      // A fork's input is that of the run that it shares its beginning with.
      if (line.fork === undefined) this.begin(line.input, line.chart);
    } else if ("event" in line) this.#observeEvent(line, length);
  }

  /** Takes in the references that a line holds, of whichever run it is. */
  observeStored(line: Line): void {
    if (!("values" in line)) return;
    for (const [ref, node] of Object.entries(line.values ?? {})) {
      this.#held.wrote(ref, JSON.stringify(node).length);
    }
  }

  #observeEvent({ event, do: directives = [] }: EventLine, length: number): void {
    this.take(event, directives as never);
    for (const { type: _type, id: _id, "-": _gone, ...parts } of directives) {
      for (const ref of Object.values(parts)) if (typeof ref === "string") this.knowList(ref);
    }
    this.grew(length);
  }

  /** Takes in the reference of a List that was recorded. */
  knowList(ref: string): void {
    const list = headIn(ref);
    if (list !== undefined) this.#listed(list);
  }

  /** A List that another journal recorded, which this one goes on from. */
  inherit(list: List<Json>): void {
    this.#lists = [{ list, ...headOf(list) }, ...this.#lists].slice(0, MAX_LISTS);
  }

  #listed(list: RecordedList): void {
    const lists = this.#lists;
    let at = lists.findIndex(({ head }) => head === list.head);
    if (at < 0) at = Math.min(lists.length, MAX_LISTS - 1);
    for (; at > 0; at--) lists[at] = lists[at - 1] as RecordedList;
    lists[0] = list;
    // What a List takes on stands in the events since the last one.
    this.#length = 0;
    this.#held.forgetEvents();
    this.#derived.items();
  }

  has(reference: string, value: Json): boolean {
    return this.#held.has(reference, value);
  }

  wrote(reference: string, length: number): void {
    this.#held.wrote(reference, length);
  }

  /** How to record a List; from then on it counts as recorded. */
  list(list: List<Json>): ListToWrite {
    const base = this.#baseOf(list);
    const items = toArray(list, base?.size ?? 0);
    const derived = base === this.#lists[0] && areDerived(items, this.#derived.items());
    return { base, items, derived };
  }

  /** The longest List that the lines hold and a List of an upgrade's state continues; it counts as no more recorded. */
  heldOf(list: List<Json>): ListHead | undefined {
    const base = this.#baseOf(list);
    const items = toArray(list, base?.size ?? 0);
    if (base === this.#lists[0] && areDerived(items, this.#derived.current)) return headOf(list);
    const carried = this.#longest(this.#carried, list, sharesItems);
    return (carried?.size ?? 0) > (base?.size ?? 0) ? carried : base;
  }

  /** The lines hold the Lists of a state: an upgrade has said it. */
  carriedOver(state: object): void {
    this.#carried = listsIn(state).map(headOf);
  }

  /** A List was recorded. */
  wroteList(list: List<Json>): void {
    this.#listed({ list, ...headOf(list) });
  }

  /** The longest of the recorded Lists that a List continues. */
  #baseOf(list: List<Json>): RecordedList | undefined {
    // What shares its rows costs no look at the items; only where none does, they are hashed.
    const shared = this.#longest(this.#lists, list, sharesRows);
    if (shared !== undefined && shared.size > 0) return shared;
    return this.#longest(this.#lists, list, sharesItems) ?? shared;
  }

  #longest(
    lists: readonly RecordedList[],
    list: List<Json>,
    continues: (list: List<Json>, recorded: RecordedList) => boolean,
  ): RecordedList | undefined {
    // Of a short one it would cost all items behind it to know.
    const bySize = [...lists].sort((a, b) => b.size - a.size);
    return bySize.find((each) => each.size <= sizeOf(list) && continues(list, each));
  }
}

function areDerived(items: readonly Json[], derived: readonly Json[] | undefined): boolean {
  if (derived?.length !== items.length) return false;
  return derived.every((item, i) => sameJson(item, items[i]));
}

/** Returns true if a List begins with the rows of a recorded one. */
function sharesRows(list: List<Json>, { list: prefix }: RecordedList): boolean {
  return prefix !== undefined && sharesPrefix(list, prefix);
}

/** Returns true if a List begins with the items of a recorded one. */
function sharesItems(list: List<Json>, { size, head }: RecordedList): boolean {
  let at = head;
  for (const item of toArray(list, size)) at = chain(at, item);
  return at === listHead(list);
}
