/**
 * Writes the text whose digest is recorded as a state's proof: value, status, number, each field of the
 * context, outstanding directives, issued ids, the fault, the history of history states, the machine's own
 * output, and the parts of the last directives. A step only computes the fields that it changed.
 */

import type { RunState } from "../kernel/machine/index.js";
import {
  asJson,
  canonical,
  changedEntries,
  digestOf,
  isJsonObject,
  type Json,
  type JsonObject,
  LIST_KEY,
  quoted,
  refOf,
  TABLE_KEY,
  VECTOR_KEY,
} from "../kernel/values/index.js";
import type { JournalMemory } from "./memory.js";
import { shownRef } from "./node-text.js";
import { OwedText } from "./owed-text.js";
import { PartsText } from "./parts-text.js";

/** A field of the context that a step changed: where it stands among them, and as a line shows it. */
interface ChangedField {
  readonly rank: number;
  readonly text: string;
}

/** Objects with more keys are shown one level deeper, as long as few of them changed. */
const MANY_KEYS = 16;
const FEW = 8;
/** A longer list of changes is left out: it only helps to find a difference, and proves nothing. */
const MAX_SET = 256 * 1024;

/** The text for a removed field; other texts like it are escaped with `=`. */
const GONE = '"#"';
/** The text for more changes than a line names. */
const MUCH = '"*"';

/** A name within a path: `/` divides it, as in RFC 6901. */
function escaped(name: string): string {
  if (!name.includes("~") && !name.includes("/")) return name;
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names of a path, from the field of the context on. */
export function namesIn(path: string): readonly string[] {
  return path.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The text of one run's states, one after the other. */
export class StateText {
  readonly #parts = new PartsText();
  /** What is outstanding. */
  readonly owed: OwedText = new OwedText();
  #context: JsonObject | undefined;
  /** The context's keys as it has them, their values, and where each stands among them in order. */
  #keys: readonly string[] = [];
  #values: (Json | undefined)[] = [];
  #ranks: readonly number[] = [];
  /** The keys in order, and by rank what they hold; "" where that is not known. */
  #head = "[]";
  #refs: string[] = [];
  /**
   * The refs in few pieces: each that has changed on its own is one, and all refs between two of
   * them are one.
   */
  #pieces: string[] = [];
  /** Where the piece of a rank is; -1 for what has not changed yet. */
  #pieceOf: number[] = [];

  /** Takes the next state's context in. @returns the fields that changed, as they stand in a line */
  #take(context: JsonObject): string {
    if (context === this.#context) return "";
    const before = this.#context ?? {};
    let set = "";
    let changes = this.#changes(context, before);
    if (changes === undefined) {
      set = this.#takeKeys(context);
      changes = this.#changes(context, before) ?? [];
    }
    this.#context = context;
    for (const { text } of inOrder(changes)) set += set === "" ? text : `,${text}`;
    return set;
  }

  /** @returns `undefined` where the context has not just these keys, in this order */
  #changes(context: JsonObject, before: JsonObject): ChangedField[] | undefined {
    const keys = this.#keys;
    const values = this.#values;
    const changes: ChangedField[] = [];
    let i = 0;
    for (const key in context) {
      if (key !== keys[i]) return undefined;
      const after = context[key] as Json;
      // A field of which no ref is known yet has no value here.
      if (after !== values[i]) {
        values[i] = after;
        const rank = this.#ranks[i] as number;
        const was = this.#refs[rank];
        const ref = refOf(after);
        if (ref !== was) {
          this.#put(rank, ref, was !== "");
          const old = Object.hasOwn(before, key) ? before[key] : undefined;
          if (was !== "" || old === undefined || refOf(old) !== ref)
            changes.push({ rank, text: shownChange(key, ref, old, after) });
        }
      }
      i += 1;
    }
    return i === keys.length ? changes : undefined;
  }

  /** @returns the fields that are gone */
  #takeKeys(context: JsonObject): string {
    const keys = Object.keys(context);
    const sorted = [...keys].sort();
    const gone = this.#keys.filter((key) => !Object.hasOwn(context, key)).sort();
    this.#keys = keys;
    this.#ranks = keys.map((key) => sorted.indexOf(key));
    this.#values = keys.map(() => undefined);
    this.#head = refOf(sorted);
    this.#refs = keys.map(() => "");
    this.#pieces = [];
    this.#pieceOf = keys.map(() => -1);
    return gone.map((key) => `${quoted(escaped(key))}:${GONE}`).join(",");
  }

  /** @param changes whether there was another ref: then the rank will mostly change again */
  #put(rank: number, ref: string, changes: boolean): void {
    this.#refs[rank] = ref;
    const piece = this.#pieceOf[rank] as number;
    if (piece < 0) {
      if (changes) this.#pieceOf[rank] = 0;
      this.#pieces = [];
    } else if (this.#pieces.length > 0) this.#pieces[piece] = pieceOf(ref);
  }

  /** The refs in the order of their keys. */
  #joined(): string {
    if (this.#pieces.length === 0) {
      let fixed: string[] = [];
      const put = () => {
        if (fixed.length > 0) this.#pieces.push(fixed.join(","));
        fixed = [];
      };
      this.#refs.forEach((ref, rank) => {
        if (this.#pieceOf[rank] === -1) fixed.push(pieceOf(ref));
        else {
          put();
          this.#pieceOf[rank] = this.#pieces.push(pieceOf(ref)) - 1;
        }
      });
      put();
    }
    return this.#pieces.join(",");
  }

  /**
   * The digest of a state, and what changed since the last one as it stands in the line.
   * @param memory what the journal remembers
   */
  next(state: RunState, memory: JournalMemory): { readonly set: string; readonly digest: string } {
    const set = this.#take(contextOf(state));
    return {
      set: set === "" ? "" : set.length > MAX_SET ? MUCH : `{${set}}`,
      digest: digestOf(this.#text(state, memory)),
    };
  }

  #text(state: RunState, memory: JournalMemory): string {
    const value =
      typeof state.value === "string" ? quoted(state.value) : canonical(state.value as Json);
    const fault = state.fault === undefined ? "" : canonical(asJson(state.fault));
    const owed = this.owed.of(state.outstanding, memory.parts);
    const issued = refOf(asJson(state.issued));
    const end = `${fault}${partText("history", state.history)}${partText("output", state.output)}`;
    // The keys of a run's states are mostly the same, and one ref.
    const context = isFields(state.context)
      ? `{${this.#head} ${this.#joined()}}`
      : refOf((state.context ?? null) as Json);
    return `${value} ${state.status} ${state.seq}
${context}
${owed} ${issued}
${end}
${this.#parts.of(memory.parts)}`;
  }
}

/** A ref among others: of many fields most are null, and no ref is empty. */
function pieceOf(ref: string): string {
  return ref === "null" ? "" : ref;
}

/** A part that few states have; no fault's text ends like it. */
function partText(name: string, part: Json | undefined): string {
  return part === undefined ? "" : ` ${name} ${refOf(part)}`;
}

/** The digest of a state by itself. */
export function stateDigest(state: RunState, memory: JournalMemory): string {
  return new StateText().next(state, memory).digest;
}

/** A context that is not an object, or a collection, has no fields; it stands in the text as a whole. */
function contextOf({ context }: RunState): JsonObject {
  return isFields(context) ? context : {};
}

function isFields(context: unknown): context is JsonObject {
  if (!isJsonObject(context as Json)) return false;
  const fields = context as JsonObject;
  return !(LIST_KEY in fields || VECTOR_KEY in fields || TABLE_KEY in fields);
}

/** The changes in the order of their keys. A few are put there in place: a sort copies them first. */
function inOrder(changes: ChangedField[]): readonly ChangedField[] {
  if (changes.length > FEW) return changes.sort((a, b) => a.rank - b.rank);
  for (let i = 1; i < changes.length; i++) {
    const change = changes[i] as ChangedField;
    let at = i;
    for (; at > 0 && (changes[at - 1] as ChangedField).rank > change.rank; at--) {
      changes[at] = changes[at - 1] as ChangedField;
    }
    changes[at] = change;
  }
  return changes;
}

function shownChange(key: string, ref: string, before: Json | undefined, after: Json): string {
  const deeper = changedWithin(before, after);
  if (deeper === undefined) return `${quoted(escaped(key))}:${shownRef(ref, after)}`;
  return deeper
    .map(([name, value]) => {
      const path = quoted(`${escaped(key)}/${escaped(name)}`);
      return `${path}:${value === undefined ? GONE : shownRef(refOf(value), value)}`;
    })
    .join(",");
}

function hasManyKeys(value: JsonObject): boolean {
  let count = 0;
  for (const _ in value) {
    count += 1;
    if (count > MANY_KEYS) return true;
  }
  return false;
}

function isSame(before: Json | undefined, after: Json): boolean {
  return before === after || (before !== undefined && refOf(before) === refOf(after));
}

/** The few entries that changed within a Table or an object of many keys. */
function changedWithin(
  before: Json | undefined,
  after: Json,
): readonly (readonly [string, Json | undefined])[] | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) return undefined;
  if (TABLE_KEY in before && TABLE_KEY in after) {
    return changedEntries<Json>(before as never, after as never, FEW);
  }
  if (!hasManyKeys(after)) return undefined;
  const keys = Object.keys(after);
  // Compared by value: object identity does not survive the process.
  const changed = keys.filter((key) => !isSame(before[key], after[key] as Json));
  const gone = Object.keys(before).some((key) => !Object.hasOwn(after, key));
  if (gone || changed.length === 0 || changed.length > FEW) return undefined;
  return changed.map((key) => [key, after[key]] as const);
}
