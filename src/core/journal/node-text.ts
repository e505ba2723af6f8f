/**
 * Writes a value as it stands in a line of a journal: long nested values as `"#digest"`; Lists, Vectors and
 * Tables as references. A text that looks like a reference is escaped with `=`.
 */
import { isReference, type Json, type JsonObject, quoted, refOf } from "../kernel/values/index.js";

/** A text in which a reference stands, or what could be taken for one. */
const ambiguous = /[#@%]|"=/;

/** A ref as it stands in a line. @param value what it is the ref of */
export function refText(ref: string, value: Json): string {
  if (isReference(ref)) return `"${ref}"`;
  return ambiguous.test(ref) ? nodeText(value) : ref;
}

/** Returns true if a reference may stand in a ref, or the ref is one. */
export function mayRefer(ref: string): boolean {
  return ambiguous.test(ref);
}

/**
 * A value as it stands in a line.
 * @param nested is told of each nested value for which a reference stands
 */
export function nodeText(value: Json, nested?: (reference: string, value: Json) => void): string {
  if (typeof value === "string") {
    return quoted(/^[#@%=]/.test(value) ? `=${value}` : value);
  }
  if (typeof value !== "object" || value === null) return refOf(value);
  const child = (each: Json): string => {
    const ref = refOf(each);
    if (!isReference(ref)) return nodeText(each, nested);
    nested?.(ref, each);
    return `"${ref}"`;
  };
  if (Array.isArray(value)) return `[${value.map(child).join(",")}]`;
  const texts: string[] = [];
  for (const [key, each] of Object.entries(value as JsonObject)) {
    if (each !== undefined) texts.push(`${quoted(key)}:${child(each)}`);
  }
  return `{${texts.join(",")}}`;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const TAG_LENGTH = 5;
/** Of what has its size in its reference fewer will do. */
const SIZED_TAG_LENGTH = 3;
/** A changed value up to this length stands in the line itself. */
export const MAX_SHOWN = 32;

/** A changed value: itself where it is short, else the letters to find it by. They prove nothing. */
export function shownRef(ref: string, value: Json): string {
  if (!isReference(ref) && ref.length <= MAX_SHOWN) return refText(ref, value);
  return `"${tagOf(ref)}"`;
}

/** The letters by which a changed value is found. */
export function tagOf(ref: string): string {
  if (isReference(ref)) {
    const at = ref.indexOf("#");
    return ref.slice(0, at + 1 + (at === 0 ? TAG_LENGTH : SIZED_TAG_LENGTH));
  }
  let bits = 0x811c9dc5;
  for (let i = 0; i < ref.length; i++) bits = Math.imul(bits ^ ref.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits ^= bits >>> 12;
  let tag = "#";
  for (let i = 0; i < TAG_LENGTH; i++) {
    tag += letters[bits & 63];
    bits >>>= 6;
  }
  return tag;
}
