/**
 * Hashes: SHA-256 over canonical JSON (RFC 8785), as 43 characters of base64url. The core's own
 * implementation runs everywhere; a host may inject a faster one with the same bytes.
 */
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";
import { type Json, type JsonObject, LIST_KEY } from "./json.js";
import { rememberedHash, rememberHash } from "./stamp.js";

/** SHA-256 of a text's UTF-8 bytes, as base64url without padding. */
export type Sha256 = (text: string) => string;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i] as number;
    const b = bytes[i + 1] ?? 0;
    const c = bytes[i + 2] ?? 0;
    text += alphabet[a >> 2];
    text += alphabet[((a & 3) << 4) | (b >> 4)];
    if (i + 1 < bytes.length) text += alphabet[((b & 15) << 2) | (c >> 6)];
    if (i + 2 < bytes.length) text += alphabet[c & 63];
  }
  return text;
}

/** The implementation that runs everywhere. */
export const portableSha256: Sha256 = (text) => base64url(nobleSha256(utf8ToBytes(text)));

let implementation: Sha256 = portableSha256;

/** Injects a faster SHA-256 (Node's own, say). It must give the same bytes; one probe checks it. */
export function useSha256(fast: Sha256): void {
  const probe = "reckoner \u00e9\u{1F600}";
  if (fast(probe) === portableSha256(probe)) implementation = fast;
}

/** SHA-256 of a text. */
export function sha256(text: string): string {
  return implementation(text);
}

/** The canonical text of a JSON value, in which a List stands as its size and head. */
export function canonical(value: Json): string {
  return canonicalize(digestible(value)) as string;
}

/** The hash of a JSON value. A value that holds a List costs the List's head, not its items. */
export function hashOf(value: Json): string {
  if (typeof value === "string" && value.length > LONG_TEXT) return hashOfText(value);
  if (typeof value !== "object" || value === null) return sha256(canonical(value));
  const known = rememberedHash(value);
  if (known !== undefined) return known;
  const hash = sha256(canonical(value));
  rememberHash(value, hash);
  return hash;
}

/** A text from this length on is worth remembering: a system prompt is hashed at every request. */
const LONG_TEXT = 64;
const MAX_TEXTS = 32;
let texts = new Map<string, string>();

function hashOfText(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const hash = sha256(canonical(text));
  if (texts.size >= MAX_TEXTS) texts = new Map();
  texts.set(text, hash);
  return hash;
}

function digestible(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return mapped(value);
  const object = value as JsonObject;
  if (LIST_KEY in object)
    return { [LIST_KEY]: object[LIST_KEY] as Json, head: object.head as Json };
  let copy: Record<string, Json> | undefined;
  for (const key in object) {
    const before = object[key] as Json;
    const after = digestible(before);
    if (after !== before) {
      copy ??= { ...object };
      copy[key] = after;
    }
  }
  return copy ?? value;
}

function mapped(value: readonly Json[]): Json {
  let copy: Json[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const before = value[i] as Json;
    const after = digestible(before);
    if (after !== before) {
      copy ??= [...value];
      copy[i] = after;
    }
  }
  return copy ?? value;
}
