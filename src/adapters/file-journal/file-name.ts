/** Names files after ids. The mapping is injective, on any file system (J9). */
import { digestOf } from "../../core/kernel/values/index.js";

/** Longer names become a digest: file systems allow some 255 bytes. */
const MAX_NAME = 120;

/** An id as a file's name: what is no lower-case letter, digit, `-` or `_` is escaped byte by byte. */
export function fileName(id: string): string {
  const escaped = id.replace(/[^a-z0-9_-]/gu, (c) => {
    // Half a character has no bytes of its own: as UTF-8 all of them would be one.
    if (/\p{Surrogate}/u.test(c)) return `%u${c.charCodeAt(0).toString(16)}`;
    return [...Buffer.from(c)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  });
  if (escaped.length <= MAX_NAME) return escaped;
  // Of a digest too the case must not matter.
  return `~${Buffer.from(digestOf(escaped), "base64url").toString("hex")}`;
}
