/**
 * Copies the files (parts of messages) that a journal names to another store of files, for `copyJournal`.
 * They are named by all that enters a run: by its header, its events and the state of an upgrade. An answer
 * of a model names none.
 */
import { isEventLine, type Line } from "../../core/journal/index.js";
import { ReckonerError, shownBriefly } from "../../core/kernel/values/index.js";
import { type BlobPort, type JournalPort, viewOf } from "../../runtime/index.js";

/** A file that is named, and where. */
interface Named {
  readonly id: string;
  readonly place: string;
}

/**
 * Finds the files that a journal names.
 * @returns has the copy of the journal hold each
 * @throws ReckonerError `blob.missing`, and what reading journals and the stores throw
 */
export async function namedFiles(
  source: JournalPort,
  { from, to }: { readonly from: BlobPort; readonly to: BlobPort },
): Promise<(target: JournalPort) => Promise<void>> {
  const named = await namedIn(source);
  const read = async (id: string, place: string) => {
    const bytes = await from.read(source, id);
    if (bytes === undefined) throw notThere(source, { id, place });
    return bytes;
  };
  // One at a time: all of them may be more than memory has room for.
  for (const [id, place] of named) await read(id, place);
  return async (target) => {
    for (const [id, place] of named) await to.keep(target, id, await read(id, place));
  };
}

/** Returns the files that a journal names, each with the first place. */
async function namedIn(source: JournalPort): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let number = 0;
  for await (const { line } of viewOf(source).lines()) {
    number += 1;
    for (const { id, place } of namesIn(partWithFiles(line), "")) {
      if (!found.has(id)) found.set(id, `line ${number}${place}`);
    }
  }
  return found;
}

/** Returns the part of a line that may name files. */
function partWithFiles(line: Line): unknown {
  if (!isEventLine(line)) return line;
  return line.event.type === "llm.succeeded" ? undefined : { event: line.event };
}

function* namesIn(value: unknown, place: string): Generator<Named> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [n, each] of value.entries()) yield* namesIn(each, `${place}[${n}]`);
    return;
  }
  const part = value as { readonly [name in "role" | "type" | "blob" | "mediaType"]?: unknown };
  if (part.role === "assistant") return;
  if (part.type === "file" && typeof part.blob === "string" && typeof part.mediaType === "string") {
    yield { id: part.blob, place };
    return;
  }
  for (const [name, each] of Object.entries(value)) yield* namesIn(each, `${place}.${name}`);
}

function notThere({ name }: JournalPort, { id, place }: Named): ReckonerError {
  const message = `There is no file ${shownBriefly(id)}, which ${name} names in ${place}; put it back where its files lie, and copy again.`;
  return new ReckonerError("blob.missing", message, { place: `${name}, ${place}` });
}
