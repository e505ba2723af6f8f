/** Tells the kinds of values that a tool may return and JSON does not have. */
import { soundText } from "./json.js";

/** Returns true for arrays and objects without a class, also of another realm. */
export function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // An object of another realm (a vm, an iframe) is plain too.
  return (
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype as object, "hasOwnProperty")
  );
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value);
}

/** Returns the name of a value's class. */
export function nameOf(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? soundText(name).slice(0, 60) : "an iterator";
}

/** Returns true for what is read piece by piece, and once. */
export function isStream(value: object): boolean {
  const may = value as { readonly [name: string | symbol]: unknown };
  const has = (name: string | symbol) => typeof may[name] === "function";
  if (has(Symbol.asyncIterator) || has("getReader")) return true;
  return has("next") && has(Symbol.iterator);
}

export const isError = (value: object): value is Error =>
  value instanceof Error || tagOf(value) === "[object Error]";
export const isMap = (value: object): value is Map<unknown, unknown> => isOf(value, Map);
export const isSet = (value: object): value is Set<unknown> => isOf(value, Set);

/** Returns true for a value of a built-in kind, also of another realm; one that only claims to be is none. */
function isOf(value: object, kind: MapConstructor | SetConstructor): boolean {
  if (!(value instanceof kind) && tagOf(value) !== `[object ${kind.name}]`) return false;
  try {
    // Its own getter throws for what has no such slot.
    Reflect.get(kind.prototype, "size", value);
    return true;
  } catch {
    return false;
  }
}

/** Returns the bytes of a value that holds nothing else. */
export function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    const isBytes = ["[object Uint8Array]", "[object Uint8ClampedArray]", "[object DataView]"];
    return isBytes.includes(tagOf(value))
      ? new Uint8Array(buffer, byteOffset, byteLength)
      : undefined;
  }
  const tag = tagOf(value);
  if (tag !== "[object ArrayBuffer]" && tag !== "[object SharedArrayBuffer]") return undefined;
  try {
    return new Uint8Array(value as ArrayBuffer);
  } catch {
    return undefined;
  }
}
