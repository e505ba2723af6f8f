/**
 * The text of a file from a byte position on, such that a changed byte cannot go unnoticed. It must
 * not know what a line means.
 */
import { constants, isUtf8 } from "node:buffer";
import { constants as modes } from "node:fs";
import { open } from "node:fs/promises";
import { messageOf, ReckonerError } from "../../core/kernel/index.js";
import { codeOf } from "./file-calls.js";

const NEWLINE = 10;
/** Without waiting, should there be a pipe; not every platform has the flag. */
const READ = modes.O_RDONLY | (modes.O_NONBLOCK ?? 0);

/**
 * Reads a file.
 * @throws ReckonerError `journal.missing`, `journal.unreadable`
 */
export async function readText(path: string, from: number): Promise<string> {
  try {
    const file = await open(path, READ);
    try {
      const stats = await file.stat();
      if (stats.isDirectory()) throw unreadable(path, "is a folder, not a journal");
      if (!stats.isFile()) throw unreadable(path, "is not a regular file");
      const size = Math.max(0, stats.size - from);
      if (size > constants.MAX_STRING_LENGTH)
        throw unreadable(path, "is too long to be read at once");
      const bytes = Buffer.alloc(size);
      let have = 0;
      while (have < size) {
        const { bytesRead } = await file.read(bytes, have, size - have, from + have);
        if (bytesRead === 0) break;
        have += bytesRead;
      }
      return decode(bytes.subarray(0, have));
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof ReckonerError) throw thrown;
    const code = codeOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ReckonerError("journal.missing", `${path} does not exist.`, {
        place: path,
        cause: thrown,
      });
    }
    throw unreadable(path, `cannot be read: ${messageOf(thrown)}`, thrown);
  }
}

/**
 * Bytes as text, a byte order mark kept. Decoding puts U+FFFD for bytes that are not UTF-8, and a
 * line may hold that character rightly: a changed byte could then give the very text that it had.
 * So a line that is not UTF-8 is read as Latin-1, whose text has no such character, and no hash fits.
 */
export function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(at, end);
    lines.push(line.toString(isUtf8(line) ? "utf8" : "latin1"));
    at = end;
  }
  return lines.join("");
}

function unreadable(path: string, what: string, cause?: unknown): ReckonerError {
  return new ReckonerError("journal.unreadable", `${path} ${what}.`, { place: path, cause });
}
