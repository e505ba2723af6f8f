/**
 * `resultJson`: makes JSON of whatever a tool returned. A tool that ran must not be told as one that
 * failed because its result holds a Date or leads back to itself, so nothing is refused here: what
 * JSON does not have becomes what comes nearest, and the reader is told. All else that enters a run
 * passes the strict border of `json.ts` (K2).
 */

import { base64Of } from "./base64.js";
import { cutJson } from "./cut-json.js";
import { messageOf } from "./errors.js";
import {
  type Json,
  LIST_KEY,
  MAX_DEPTH,
  ownJson,
  soundText,
  TABLE_KEY,
  VECTOR_KEY,
} from "./json.js";
import { isList, toArray } from "./list.js";
import { childPath } from "./refusal.js";
import { bytesOf, isError, isMap, isPlain, isSet, isStream, nameOf } from "./result-kinds.js";
import { MAX_EVENT_LENGTH } from "./size-limits.js";
import { factsOf, hasPassed, heightIn, isPassedPlain } from "./stamp.js";
import { isUnawaited } from "./thenable.js";

/** Something in a result that was not JSON, and what became of it. */
export interface ResultChange {
  /** Its path; the first one, where more were changed in the same way. */
  readonly place: string;
  /** The change in words: "is a bigint, kept as its decimal text". */
  readonly how: string;
  /** The number of values that were changed in this way. */
  readonly count: number;
}

/** A result as JSON, with what was changed to make it so. */
export interface ResultJson {
  /** Accepted by the border; `undefined` where nothing of the value can be kept. */
  readonly json: Json | undefined;
  readonly changes: readonly ResultChange[];
}

/** Limits of a result. */
export interface ResultLimits {
  /** Characters of JSON; default none. A text, or a value's JSON text, is cut to it, and says so. */
  readonly most?: number | undefined;
  /** The depth that objects and arrays may have. */
  readonly maxDepth?: number;
  /** The name of the value in paths. */
  readonly place?: string;
}

/** Stands where a value leads back to itself. */
const CIRCULAR = "[circular]";
const TOO_DEEP = "[nested too deep]";

/**
 * After so many visits an object that leads back to another is not gone through once more. All in all
 * so many are made at least, and one for each two characters that are kept: a value takes two with its
 * comma. A proxy may have no end.
 */
const MANY_VISITS = 100_000;
/** Bytes that are encoded at once: more make a text that is cut anyhow. */
const MAX_BYTES: number = 6 * 1024 * 1024;

const HOW = {
  toJson: "has a toJSON, kept as what it gives",
  bigint: "is a bigint, kept as its decimal text",
  number: "is not a finite number, kept as null",
  instance: "is an instance of a class, kept by its own fields",
  object: "is a Map, kept as an object",
  pairs: "is kept as a list of pairs, since its keys cannot be those of an object here",
  set: "is a Set, kept as an array",
  bytes: "is bytes, kept as base64",
  numbers: "is a typed array, kept as its numbers",
  circular: "leads back to itself and is cut there",
  deep: "is nested too deep and is left out",
  leftOut: "is a function or a symbol and is left out",
  nothing: "is undefined in a list, kept as null",
  error: "is an error, kept as its name and message",
  stream: "is not JSON: a stream, an iterator or a promise",
  unreadable: "cannot be read, kept as null",
  cut: "is larger than what is kept and was cut",
  endless: "has too many values; the rest is left out",
} as const;

/**
 * Makes JSON of any value. Depends on the value alone, and never throws. Of JSON it makes the same
 * JSON, without changes.
 *
 * - what has a `toJSON` is what that gives: a Date is its ISO text
 * - a bigint is its decimal text; NaN and the infinities are null
 * - a Map with texts as keys is an object, any other a list of pairs; a Set is an array
 * - bytes are `{ base64, length }`; other typed arrays are their numbers
 * - an instance of a class is its own fields; an Error is `{ name, message }`
 * - a value that leads back to itself is cut there; functions and symbols are left out
 * - a stream, an iterator or a promise is a text that says so; what throws when it is read is null
 */
export function resultJson(value: unknown, limits: ResultLimits = {}): ResultJson {
  const { most, maxDepth = MAX_DEPTH, place = "result" } = limits;
  const making = new Making(most ?? MAX_EVENT_LENGTH, maxDepth, place);
  try {
    const made = making.top(value);
    // The border freezes it, and would refuse what is none of it.
    const json = made === undefined ? undefined : ownJson(made, place, maxDepth);
    if (json === undefined) return { json, changes: making.changes() };
    if (most === undefined) {
      const isWhole = making.unseen === 0 && !making.endless;
      return { json: isWhole ? json : undefined, changes: making.changes() };
    }
    const cut = cutJson(json, most, making.unseen, making.endless);
    if (cut !== json) making.change(HOW.cut);
    return { json: cut, changes: making.changes() };
  } catch (thrown) {
    const how = `cannot be made JSON: ${messageOf(thrown)}`;
    return { json: undefined, changes: [{ place, how, count: 1 }] };
  }
}

/** The JSON of an object. */
interface Made {
  readonly json: Json | undefined;
  /** True if something in it was cut because it leads back to what it lies in. */
  readonly circular: boolean;
}

class Making {
  /** Characters of JSON that were never made. */
  unseen = 0;
  endless = false;
  #visits = 0;
  #cuts = 0;
  readonly #maxDepth: number;
  readonly #maxVisits: number;
  readonly #place: string;
  readonly #keys: (string | number)[] = [];
  readonly #above = new Set<object>();
  readonly #made = new Map<object, Made>();
  readonly #changes = new Map<string, ResultChange>();

  constructor(most: number, maxDepth: number, place: string) {
    this.#maxVisits = Math.max(MANY_VISITS, most * 0.6);
    this.#maxDepth = maxDepth;
    this.#place = place;
  }

  changes(): readonly ResultChange[] {
    return [...this.#changes.values()];
  }

  change(how: string): void {
    const before = this.#changes.get(how);
    const place = before?.place ?? this.#path();
    this.#changes.set(how, { place, how, count: (before?.count ?? 0) + 1 });
  }

  /** The whole value: nothing is null. */
  top(value: unknown): Json | undefined {
    return value === undefined ? null : this.#value(value, "");
  }

  #path(): string {
    let path = this.#place;
    for (const key of this.#keys) {
      path = typeof key === "number" ? `${path}[${key}]` : childPath(path, key);
    }
    return path;
  }

  /** A value that lies at the present place; `undefined` where it is left out. */
  #value(value: unknown, key: string): Json | undefined {
    this.#visits += 1;
    switch (typeof value) {
      case "string":
        return soundText(value);
      case "boolean":
        return value;
      case "undefined":
        return undefined;
      case "number":
        if (Number.isFinite(value)) return value === 0 ? 0 : value;
        return this.#changed(HOW.number, null);
      case "bigint":
        return this.#changed(HOW.bigint, String(value));
      case "object":
        return value === null ? null : this.#object(value, key);
      default:
        return this.#changed(HOW.leftOut, undefined);
    }
  }

  #changed<T>(how: string, instead: T): T {
    this.change(how);
    return instead;
  }

  /** @param asked whether it is what a `toJSON` gave, and is not asked for its own */
  #object(value: object, key: string, asked = false): Json | undefined {
    if (this.#above.has(value)) {
      this.#cuts += 1;
      return this.#changed(HOW.circular, CIRCULAR);
    }
    const depth = this.#keys.length;
    if (depth + Math.max(1, heightIn(factsOf(value))) > this.#maxDepth) {
      // Of a value that passed the border only its depth is known: what is too deep in it is cut.
      if (depth >= this.#maxDepth) return this.#changed(HOW.deep, TOO_DEEP);
    } else if (isPassedPlain(value)) {
      return value as Json;
    }
    const before = this.#made.get(value);
    if (before !== undefined && !asked && (!before.circular || this.#visits > MANY_VISITS)) {
      return before.json;
    }
    this.#above.add(value);
    const cuts = this.#cuts;
    let json: Json | undefined;
    try {
      json = this.#content(value, key, asked);
    } catch {
      // A getter, a proxy or a `toJSON` threw. Of the whole value nothing is left then.
      this.#keys.length = depth;
      json = this.#changed(HOW.unreadable, depth === 0 ? undefined : null);
    }
    this.#above.delete(value);
    if (!asked) this.#made.set(value, { json, circular: this.#cuts > cuts });
    return json;
  }

  #content(value: object, key: string, asked: boolean): Json | undefined {
    if (hasPassed(value) && isList(value)) return this.#array(toArray(value));
    const special = isPlain(value) ? undefined : this.#special(value);
    if (special !== undefined) return special;
    if (isUnawaited(value)) return this.#changed(HOW.stream, notJson("a promise"));
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function" && !asked) {
      const json: unknown = Reflect.apply(toJSON, value, [key]);
      this.change(HOW.toJson);
      // It may give itself, whose own fields are then looked at.
      if (json !== value) {
        const isObject = typeof json === "object" && json !== null;
        return isObject ? this.#object(json, key, true) : this.#value(json, key);
      }
    }
    if (Array.isArray(value)) return this.#array(value);
    if (isStream(value)) return this.#changed(HOW.stream, notJson(nameOf(value)));
    if (!isPlain(value)) this.change(HOW.instance);
    const fields = value as { readonly [key: string]: unknown };
    return this.#entries(Object.keys(value).map((each) => [each, () => fields[each]]));
  }

  /** A value of a kind of its own; `undefined` where it is an object like others. */
  #special(value: object): Json | undefined {
    if (isError(value)) {
      const { name, message } = value;
      return this.#changed(HOW.error, { name: String(name), message: String(message) });
    }
    const bytes = bytesOf(value);
    if (bytes !== undefined) return this.#changed(HOW.bytes, this.#bytes(bytes));
    if (ArrayBuffer.isView(value)) {
      this.change(HOW.numbers);
      return this.#array(value as unknown as ArrayLike<unknown>);
    }
    if (isMap(value)) return this.#map(value);
    if (isSet(value)) {
      this.change(HOW.set);
      return this.#array([...Set.prototype.values.call(value)]);
    }
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      this.change(HOW.instance);
      return this.#value(value.valueOf(), "");
    }
    return undefined;
  }

  #bytes(bytes: Uint8Array): Json {
    const { length } = bytes;
    const encoded = Math.min(length, MAX_BYTES);
    this.unseen += 4 * Math.ceil((length - encoded) / 3);
    return { base64: base64Of(bytes.subarray(0, encoded)), length };
  }

  #array(items: ArrayLike<unknown>): Json {
    const made: Json[] = [];
    const { length } = items;
    for (let i = 0; i < length && this.#goesOn(); i++) {
      this.#keys.push(i);
      const raw = this.#read(() => items[i]);
      const item = this.#value(raw, String(i));
      // A list has no gaps: what is left out would move what comes behind it.
      if (raw === undefined) this.change(HOW.nothing);
      made.push(item === undefined ? null : item);
      this.#keys.pop();
    }
    return made;
  }

  #map(map: Map<unknown, unknown>): Json {
    const entries = [...Map.prototype.entries.call(map)] as [unknown, unknown][];
    if (entries.every(([key]) => typeof key === "string")) {
      this.change(HOW.object);
      return this.#entries(entries.map(([key, item]) => [key as string, () => item]));
    }
    this.change(HOW.pairs);
    return this.#array(entries);
  }

  #entries(entries: readonly Entry[]): Json {
    if (!areFit(entries)) {
      this.change(HOW.pairs);
      return this.#array(entries.map(([key, read]) => [key, this.#read(read)]));
    }
    const made: [string, Json][] = [];
    for (const [key, read] of entries) {
      if (!this.#goesOn()) break;
      this.#keys.push(key);
      const item = this.#value(this.#read(read), key);
      if (item !== undefined) made.push([key, item]);
      this.#keys.pop();
    }
    return Object.fromEntries(made);
  }

  #read(read: () => unknown): unknown {
    try {
      return read();
    } catch {
      return this.#changed(HOW.unreadable, null);
    }
  }

  #goesOn(): boolean {
    if (this.#visits < this.#maxVisits) return true;
    if (!this.endless) this.change(HOW.endless);
    this.endless = true;
    return false;
  }
}

/** A key, and the value under it, which is read once. */
type Entry = readonly [key: string, read: () => unknown];

/** Returns true if keys can be those of an object: the border refuses some, and lone surrogates. */
function areFit(entries: readonly Entry[]): boolean {
  return entries.every(([key]) => !UNFIT.has(key) && soundText(key) === key);
}

const UNFIT: ReadonlySet<string> = new Set(["__proto__", LIST_KEY, VECTOR_KEY, TABLE_KEY]);

function notJson(what: string): string {
  return `[not JSON: ${what}]`;
}
