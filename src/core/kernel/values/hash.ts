/**
 * SHA-256 over canonical JSON (RFC 8785). The built-in implementation runs everywhere; a host may
 * inject a faster one.
 */
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of a text's UTF-8 bytes, or of bytes, as base64url without padding (43 characters). */
export type Sha256 = (data: string | Uint8Array) => string;

/** How many characters of a hash stand in a journal: 192 bits. */
export const DIGEST_LENGTH = 32;

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
export const portableSha256: Sha256 = (data) =>
  base64url(nobleSha256(typeof data === "string" ? utf8ToBytes(data) : data));

let implementation: Sha256 = portableSha256;

/** Injects a faster SHA-256 (Node's own, say). It must give the same bytes; one probe checks it. */
export function useSha256(fast: Sha256): void {
  const probe = "reckoner \u00e9\u{1F600}";
  const right = portableSha256(probe);
  if (fast(probe) === right && fast(utf8ToBytes(probe)) === right) implementation = fast;
}

/** SHA-256 of a text or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return implementation(data);
}

/** The digest of a text or of bytes: the first 32 characters of its hash. */
export function digestOf(data: string | Uint8Array): string {
  return implementation(data).slice(0, DIGEST_LENGTH);
}
