/** SHA-256 over canonical JSON (RFC 8785), by the platform's implementation: the same bytes everywhere. */
import { sha256 } from "#platform";

export { sha256 };

/** The number of characters of a hash in a journal: 192 bits. */
export const DIGEST_LENGTH = 32;

/** The digest of a text or of bytes: the first 32 characters of its hash. */
export function digestOf(data: string | Uint8Array): string {
  return sha256(data).slice(0, DIGEST_LENGTH);
}
