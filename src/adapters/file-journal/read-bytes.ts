/**
 * Reads the bytes of a file from a position, in chunks, up to the size it had at the start. The
 * file is open only while a chunk is read. It must not know what a line means.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { codeOf } from "./file-calls.js";
import { withFile } from "./open-files.js";

/** Without waiting, should there be a pipe; not every platform has the flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** A first piece is small, since many who read want the first line alone. */
const FIRST = 64 * 1024;
const PIECE = 1024 * 1024;

/**
 * Reads a file.
 * @throws ReckonerError `journal.missing`, `journal.unreadable`
 */
export async function* readBytes(path: string, from: number): AsyncGenerator<Uint8Array> {
  let at = from;
  let end: number | undefined;
  for (let size = FIRST; end === undefined || at < end; size = PIECE) {
    const piece: { readonly bytes: Uint8Array; readonly end: number } = await readPiece(
      path,
      at,
      Math.min(size, (end ?? Number.POSITIVE_INFINITY) - at),
    );
    end ??= piece.end;
    if (piece.bytes.length === 0) return;
    at += piece.bytes.length;
    yield piece.bytes;
  }
}

async function readPiece(path: string, at: number, size: number) {
  try {
    return await withFile(async () => {
      const file = await open(path, READ);
      try {
        const stats = await file.stat();
        if (stats.isDirectory()) throw unreadable(path, "is a folder, not a journal");
        if (!stats.isFile()) throw unreadable(path, "is not a regular file");
        const bytes = Buffer.alloc(Math.max(0, Math.min(size, stats.size - at)));
        let have = 0;
        while (have < bytes.length) {
          const { bytesRead } = await file.read(bytes, have, bytes.length - have, at + have);
          if (bytesRead === 0) break;
          have += bytesRead;
        }
        return { bytes: bytes.subarray(0, have), end: stats.size };
      } finally {
        await file.close();
      }
    });
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

function unreadable(path: string, what: string, cause?: unknown): ReckonerError {
  return new ReckonerError("journal.unreadable", `${path} ${what}.`, { place: path, cause });
}
