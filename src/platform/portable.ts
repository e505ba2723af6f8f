/**
 * `#platform` outside of Node, as package.json's `imports` chooses it: SHA-256 in JavaScript, no files and no
 * server. `node.ts` has the same names.
 */
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

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

/** Hashes bytes, or the UTF-8 bytes of a text, with SHA-256: base64url without padding, 43 characters. */
export function sha256(data: string | Uint8Array): string {
  return base64url(nobleSha256(typeof data === "string" ? utf8ToBytes(data) : data));
}

/** Opens the journal at a path; undefined where the host has no file system. */
export const openJournal: ((path: string) => Promise<never>) | undefined = undefined;

/** Listens; undefined where the host has no server of Node's. */
export const openServer:
  | ((answer: (request: never) => unknown, options: unknown, isOpen: boolean) => Promise<never>)
  | undefined = undefined;
