/**
 * Lists the changes that each event made to the state, from the lines alone, for `show` and the studio. A
 * line names the changed paths; values are looked up in the journal, or else their short tag is shown.
 */

import {
  type EventLine,
  fromContent,
  isUnresolved,
  type Node,
  namesIn,
  plainOf,
  type RecordedValues,
  type StateChange,
  tagOf,
  valueAt,
} from "../../core/journal/index.js";
import type { StateValue } from "../../core/kernel/machine/index.js";
import { childPath, type Json, refOf } from "../../core/kernel/values/index.js";

/** A value that an earlier line set, and that is not at hand any more. */
export interface SetBefore {
  /** The change of the line that has it as `before`. */
  readonly change: number;
  /** As `set` names it. */
  readonly path: string;
  /** The event whose line set it. */
  readonly seq: number;
}

/** The changes of one journal's events; its lines are taken in one by one, in their order. */
export class RecordedChanges {
  readonly #values: RecordedValues;
  /** The context's paths as they were set last. */
  readonly #nodes = new Map<string, { readonly node: Node; readonly seq: number }>();
  #missing: readonly SetBefore[] = [];
  /** The paths in the context of the changes that were taken last; absent for those that are elsewhere. */
  #names: (readonly string[])[] = [];
  #value: StateValue | undefined;

  /** @param values of the same lines, each taken in before it is taken in here */
  constructor(values: RecordedValues) {
    this.#values = values;
  }

  /** Another one that goes on from here by itself. */
  copy(): RecordedChanges {
    const copy = new RecordedChanges(this.#values);
    for (const [path, set] of this.#nodes) copy.#nodes.set(path, set);
    copy.#value = this.#value;
    return copy;
  }

  /** Takes an event's line in, and says nothing of it. */
  pass({ seq, set = {}, value }: EventLine): void {
    // A value that changed more than a line names is not known by what it was set to before.
    if (set === "*") this.#nodes.clear();
    for (const [path, node] of Object.entries(set === "*" ? {} : set)) {
      // A path that is gone was nothing, as what never was: paths that come and go do not pile up.
      if (node === "#") this.#nodes.delete(path);
      else this.#nodes.set(path, { node, seq });
    }
    this.#value = value;
  }

  /** Takes in the parts of an upgrade, after which no path is what it was set to before. */
  carryOver(parts: { readonly [path: string]: Json }): void {
    this.#nodes.clear();
    if (parts.value !== undefined) this.#value = fromContent(parts.value) as StateValue;
  }

  /** @returns what an event's line says that changed */
  take(line: EventLine): readonly StateChange[] {
    const { set = {}, value, end } = line;
    const changes: StateChange[] = [];
    const missing: SetBefore[] = [];
    this.#names = [];
    if (JSON.stringify(value) !== JSON.stringify(this.#value)) {
      const before = this.#value as Json | undefined;
      changes.push({ path: "value", ...some("before", before), after: value as Json });
    }
    if (end !== undefined) changes.push({ path: "status", before: "active", after: end.status });
    if (set === "*") changes.push({ path: "context", after: { "@ref": set } });
    else {
      for (const [path, node] of Object.entries(set)) {
        const names = namesIn(path);
        this.#names[changes.length] = names;
        const was = this.#nodes.get(path);
        const before = this.#valueOf(was?.node);
        if (was !== undefined && isUnresolved(before)) {
          missing.push({ change: changes.length, path, seq: was.seq });
        }
        changes.push({
          path: names.reduce(childPath, "context"),
          ...some("before", before),
          ...some("after", this.#valueOf(node)),
        });
      }
    }
    this.#missing = missing;
    this.pass(line);
    return changes;
  }

  /**
   * The values that the last changes have as `before` and an older line set, in the order of
   * the changes: it is to be had by reading that line again.
   */
  get missing(): readonly SetBefore[] {
    return this.#missing;
  }

  /**
   * The changes that were taken last, with values that the journal does not hold taken from a context
   * that has just these.
   */
  heldBy(changes: readonly StateChange[], context: unknown): readonly StateChange[] {
    return changes.map((change, i) => {
      const value = valueAt(context, this.#names[i] ?? []);
      if (value === undefined || this.#names[i] === undefined) return change;
      const tag = tagOf(refOf(value));
      const of = (side: "before" | "after") =>
        isUnresolved(change[side]) && change[side]["@ref"] === tag
          ? { [side]: plainOf(value) }
          : {};
      return { ...change, ...of("before"), ...of("after") };
    });
  }

  /** The value that a line just read set a path to. */
  setTo({ set = {} }: EventLine, path: string): Json | undefined {
    return set === "*" ? undefined : this.#valueOf(set[path]);
  }

  /** @returns nothing where nothing is known, or is there any more */
  #valueOf(node: Node | undefined): Json | undefined {
    if (node === undefined || node === "#") return undefined;
    if (typeof node !== "string" || !/^(?:#|[@%]\d+#)/.test(node)) return this.#values.value(node);
    return this.#values.tagged(node) ?? { "@ref": node };
  }
}

function some(name: "before" | "after", value: Json | undefined): Partial<StateChange> {
  return value === undefined ? {} : { [name]: value };
}
