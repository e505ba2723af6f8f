/**
 * Reads the fields of an untrusted object: each is checked, or refused with a code and its path. It
 * must not know operations or queries.
 */
import {
  childPath,
  type ErrorCode,
  type JsonObject,
  printValue,
  ReckonerError,
} from "../../kernel/index.js";
import { isId, isKey, isTime } from "./id.js";

/** Reads the fields of one object. */
export class Fields {
  readonly path: string;
  readonly #code: ErrorCode;
  readonly #of: JsonObject;

  /**
   * @param of plain JSON; `undefined` where there is nothing
   * @throws ReckonerError `code` where it is not an object
   */
  constructor(code: ErrorCode, of: unknown, path: string) {
    if (typeof of !== "object" || of === null || Array.isArray(of)) {
      throw new ReckonerError(code, `${path} is ${shown(of)}; give an object.`, { place: path });
    }
    this.#code = code;
    this.#of = of as JsonObject;
    this.path = path;
  }

  /** The value of a field as it is; `undefined` where there is none. */
  any(name: string): JsonObject[string] | undefined {
    return Object.hasOwn(this.#of, name) ? this.#of[name] : undefined;
  }

  /** The fields of an object within. */
  within(name: string): Fields {
    return new Fields(this.#code, this.any(name), this.#at(name));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#of, name);
  }

  /** A text without U+0000, which not every store can hold. */
  text(name: string): string {
    const value = this.any(name);
    if (typeof value !== "string") throw this.refused(name, value, "give a string");
    if (value.includes("\0")) throw this.refused(name, value, "leave U+0000 out");
    return value;
  }

  textOrNull(name: string): string | null {
    return this.any(name) === null ? null : this.text(name);
  }

  /** A text that is not blank. */
  label(name: string): string {
    const text = this.text(name);
    if (text.trim() === "") throw this.refused(name, text, "give a string that is not blank");
    return text;
  }

  id(name: string): string {
    const value = this.any(name);
    if (typeof value !== "string" || !isId(value)) {
      throw this.refused(name, value, "give an id: 1 to 160 of A-Z a-z 0-9 _ . : / -");
    }
    return value;
  }

  key(name: string): string {
    const value = this.any(name);
    if (!isKey(value)) {
      throw this.refused(name, value, "give a string of 1 to 1000 characters without U+0000");
    }
    return value;
  }

  time(name: string): number {
    const value = this.any(name);
    if (!isTime(value)) {
      throw this.refused(name, value, "give whole milliseconds since 1970-01-01 UTC");
    }
    return value;
  }

  oneOf<T extends string>(name: string, known: readonly T[]): T {
    const value = this.any(name);
    if (!known.includes(value as T)) {
      throw this.refused(name, value, `give one of ${known.join(", ")}`);
    }
    return value as T;
  }

  /** A list of known words. It may be empty, and then nothing fits. */
  someOf<T extends string>(name: string, known: readonly T[]): readonly T[] {
    return this.list(name).map((value, i) => {
      if (known.includes(value as T)) return value as T;
      throw this.refused(name, value, `give some of ${known.join(", ")}`, i);
    });
  }

  ids(name: string): readonly string[] {
    return this.list(name).map((value, i) => {
      if (typeof value === "string" && isId(value)) return value;
      throw this.refused(name, value, "give ids: 1 to 160 of A-Z a-z 0-9 _ . : / -", i);
    });
  }

  list(name: string): readonly unknown[] {
    const value = this.any(name);
    if (!Array.isArray(value)) throw this.refused(name, value, "give a list");
    return value;
  }

  /** A whole number within bounds. */
  count(name: string, least: number, most: number): number {
    const value = this.any(name);
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) {
      return value;
    }
    throw this.refused(name, value, `give a whole number from ${least} to ${most}`);
  }

  flag(name: string): boolean {
    const value = this.any(name);
    if (typeof value !== "boolean") throw this.refused(name, value, "give true or false");
    return value;
  }

  confidence(name: string): number | null {
    const value = this.any(name);
    if (value === null || (typeof value === "number" && value >= 0 && value <= 1)) return value;
    throw this.refused(name, value, "give a number from 0 to 1, or null");
  }

  /** A JSON object without U+0000 in any text or key. */
  object(name: string): JsonObject {
    const value = this.any(name);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw this.refused(name, value, "give an object");
    }
    const place = pathOfNull(value, this.#at(name));
    if (place !== undefined) {
      throw new ReckonerError(this.#code, `${place} holds U+0000; leave it out.`, { place });
    }
    return value as JsonObject;
  }

  /** A field, or what stands for it where it is left out. */
  optional<T, E>(name: string, take: (name: string) => T, otherwise: E): T | E {
    return this.has(name) ? take.call(this, name) : otherwise;
  }

  /** @throws ReckonerError where the object has a field that is not known */
  only(known: readonly string[]): void {
    for (const name in this.#of) {
      if (known.includes(name)) continue;
      throw this.refused(name, this.#of[name], `leave it out; known are ${known.join(", ")}`);
    }
  }

  /** The error for a field: what it is, and how to mend it. */
  refused(name: string, value: unknown, mend: string, index?: number): ReckonerError {
    const place = this.#at(name) + (index === undefined ? "" : `[${index}]`);
    return new ReckonerError(this.#code, `${place} is ${shown(value)}; ${mend}.`, { place });
  }

  #at(name: string): string {
    return childPath(this.path, name);
  }
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : printValue(value as JsonObject, 80);
}

/** Where JSON holds U+0000, in a text or a key. Nesting is bounded by the JSON border. */
function pathOfNull(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return value.includes("\0") ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : childPath(path, key);
    const found = key.includes("\0") ? place : pathOfNull(item, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
