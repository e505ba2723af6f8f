/**
 * Names the files of child runs' journals. The mapping from ids to names is injective, on any file
 * system.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../core/kernel/index.js";

/** Longer names become a digest: file systems allow some 255 bytes. */
const MAX_NAME = 120;

/** The file of a child run: `<path>.runs/<id>.jsonl`. @param path of its parent, real */
export function childFile(path: string, id: string): string {
  return join(`${path}.runs`, `${fileName(id)}.jsonl`);
}

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

/** The journal at the root of the tree that a journal is in: the one whose lock covers it. */
export function rootOf(path: string): string {
  for (const match of path.matchAll(/\.runs[/\\]/g)) {
    const root = path.slice(0, match.index);
    if (statSync(root, { throwIfNoEntry: false })?.isFile() === true) return root;
  }
  return path;
}
