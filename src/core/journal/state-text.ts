/**
 * The text whose digest proves a state: value, status, each field of the context, what is
 * outstanding, what was issued, the fault, what history states remember, the machine's own output, and
 * what the journal remembers. A step costs the fields
 * that it changed: the texts of the others are kept.
 */
import {
  asJson,
  canonical,
  changedEntries,
  digestOf,
  isJsonObject,
  type Json,
  type JsonObject,
  quoted,
  type RunState,
  refOf,
  TABLE_KEY,
  tableText,
} from "../kernel/index.js";
import { shownRef } from "./node-text.js";

/** A field of the context that a step changed. */
interface Change {
  readonly key: string;
  readonly ref: string;
  readonly before: Json | undefined;
  readonly after: Json;
}

/** Objects with more keys are shown one level deeper, as long as few of them changed. */
const MANY_KEYS = 16;
const FEW = 8;
/** A list of changes beyond this length is left out: it is for finding, not for proof. */
const MAX_SET = 256 * 1024;

const NO_KEYS: readonly string[] = [];
const NO_CHANGES: readonly Change[] = [];
/** What stands for what is no longer there; a text of its own would have a `=` before it. */
const GONE = '"#"';
/** What stands for more changes than a line names. */
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
  #context: JsonObject | undefined;
  /** The context's keys as it has them, their values, and where each stands among them in order. */
  #keys: readonly string[] = [];
  #values: (Json | undefined)[] = [];
  #ranks: readonly number[] = [];
  /** By rank. */
  #texts: string[] = [];
  #removed: readonly string[] = [];

  /** Takes the next state's context in. @returns the fields that changed */
  #take(context: JsonObject): readonly Change[] {
    this.#removed = NO_KEYS;
    if (context === this.#context) return NO_CHANGES;
    const before = this.#context ?? {};
    if (!hasKeys(context, this.#keys)) this.#takeKeys(context);
    this.#context = context;
    const changes: Change[] = [];
    let i = 0;
    for (const key in context) {
      const after = context[key] as Json;
      const at = this.#ranks[i] as number;
      if (after !== this.#values[i] || this.#texts[at] === "") {
        this.#values[i] = after;
        const ref = refOf(after);
        const text = `${quoted(key)}:${ref}`;
        const was = this.#texts[at];
        if (text !== was) {
          this.#texts[at] = text;
          const old = Object.hasOwn(before, key) ? before[key] : undefined;
          if (was !== "" || old === undefined || refOf(old) !== ref)
            changes.push({ key, ref, before: old, after });
        }
      }
      i += 1;
    }
    return inOrder(changes);
  }

  #takeKeys(context: JsonObject): void {
    const keys = Object.keys(context);
    const sorted = [...keys].sort();
    this.#removed = this.#keys.filter((key) => !Object.hasOwn(context, key)).sort();
    this.#keys = keys;
    this.#ranks = keys.map((key) => sorted.indexOf(key));
    this.#values = keys.map(() => undefined);
    this.#texts = keys.map(() => "");
  }

  /**
   * The digest of a state, and what changed since the last one as it stands in the line.
   * @param memory the text of what the journal remembers
   */
  next(state: RunState, memory: string): { readonly set: string; readonly digest: string } {
    const changes = this.#take(contextOf(state)).map(shownChange);
    const gone = this.#removed.map((key) => `${quoted(escaped(key))}:${GONE}`);
    const set = [...gone, ...changes].join(",");
    return {
      set: set === "" ? "" : set.length > MAX_SET ? MUCH : `{${set}}`,
      digest: digestOf(this.#text(state, memory)),
    };
  }

  #text(state: RunState, memory: string): string {
    const value =
      typeof state.value === "string" ? quoted(state.value) : canonical(state.value as Json);
    const fault = state.fault === undefined ? "" : canonical(asJson(state.fault));
    const owed = tableText(asJson(state.outstanding));
    const issued = refOf(asJson(state.issued));
    const end = `${fault}${partText("history", state.history)}${partText("output", state.output)}`;
    const context = isFields(state.context)
      ? `{${this.#texts.join(",")}}`
      : refOf((state.context ?? null) as Json);
    return `${value} ${state.status}
${context}
${owed} ${issued}
${end}
${memory}`;
  }
}

/** A part that few states have; no fault's text ends like it. */
function partText(name: string, part: Json | undefined): string {
  return part === undefined ? "" : ` ${name} ${refOf(part)}`;
}

/** The digest of a state by itself. */
export function stateDigest(state: RunState, memory: string): string {
  return new StateText().next(state, memory).digest;
}

/** A context that is no object has no fields; it stands in the text as a whole. */
function contextOf({ context }: RunState): JsonObject {
  return isFields(context) ? context : {};
}

function isFields(context: unknown): context is JsonObject {
  return typeof context === "object" && context !== null && !Array.isArray(context);
}

/** Whether a context has just these keys, in this order. */
function hasKeys(context: JsonObject, keys: readonly string[]): boolean {
  let at = 0;
  for (const key in context) {
    if (key !== keys[at]) return false;
    at += 1;
  }
  return at === keys.length;
}

/** The changes in the order of their keys. A few are put there in place: a sort copies them first. */
function inOrder(changes: Change[]): readonly Change[] {
  if (changes.length > FEW) return changes.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (let i = 1; i < changes.length; i++) {
    const change = changes[i] as Change;
    let at = i;
    for (; at > 0 && (changes[at - 1] as Change).key > change.key; at--) {
      changes[at] = changes[at - 1] as Change;
    }
    changes[at] = change;
  }
  return changes;
}

function shownChange({ key, ref, before, after }: Change): string {
  const deeper = changedWithin(before, after);
  if (deeper === undefined) return `${quoted(escaped(key))}:${shownRef(ref, after)}`;
  return deeper
    .map(([name, value]) => {
      const path = quoted(`${escaped(key)}/${escaped(name)}`);
      return `${path}:${value === undefined ? GONE : shownRef(refOf(value), value)}`;
    })
    .join(",");
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
  const keys = Object.keys(after);
  if (keys.length <= MANY_KEYS) return undefined;
  const changed = keys.filter((key) => after[key] !== before[key]);
  const gone = Object.keys(before).some((key) => !Object.hasOwn(after, key));
  if (gone || changed.length === 0 || changed.length > FEW) return undefined;
  return changed.map((key) => [key, after[key]] as const);
}
