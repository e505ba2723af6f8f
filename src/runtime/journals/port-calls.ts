/** Calls the functions of a journal port, and gives what they throw a code. */
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import type { JournalPort, JournalPosition, JournalWriter } from "../ports/ports.js";

/**
 * Opens a journal for writing. A new one has no head beside it: an earlier run's would lead away from it.
 * @throws ReckonerError what the port throws, else `journal.write`; `journal.exists`
 */
export async function openWriter(
  port: JournalPort,
  mode: "create" | "append",
): Promise<JournalWriter> {
  try {
    if (mode === "create" && ((await port.notes?.list("head")) ?? []).length > 0) {
      const message = `${port.name} has the head of an earlier run beside it: remove that, or choose another name.`;
      throw new ReckonerError("journal.exists", message, { place: port.name });
    }
    const writer = await port.open(mode);
    if (typeof writer?.append !== "function") throw new Error("open gave no writer");
    return writer;
  } catch (thrown) {
    throw portFailure("journal.write", port, "could not be opened for writing", thrown);
  }
}

/** Appends lines. @throws ReckonerError what the port throws, else `journal.write` */
export async function appendLines(
  port: JournalPort,
  writer: JournalWriter,
  lines: readonly string[],
  expected: JournalPosition,
): Promise<void> {
  try {
    await writer.append(lines, expected);
  } catch (thrown) {
    throw portFailure("journal.write", port, "could not be written", thrown);
  }
}

/**
 * Closes a journal that was open for writing. What was appended is durable whatever comes of it.
 * @returns what went wrong, with a code
 */
export async function closeWriter(
  port: JournalPort,
  writer: JournalWriter,
): Promise<ReckonerError | undefined> {
  try {
    await writer.close();
    return undefined;
  } catch (thrown) {
    return portFailure(
      "journal.write",
      port,
      "could not be closed, and nothing that was written is lost",
      thrown,
    );
  }
}

/**
 * Does something with a journal that is open for writing, and closes it.
 * @throws whatever the work throws, else a ReckonerError where the journal cannot be closed
 */
export async function withWriter<Result>(
  port: JournalPort,
  mode: "create" | "append",
  work: (writer: JournalWriter) => Promise<Result>,
): Promise<Result> {
  const writer = await openWriter(port, mode);
  let result: Result;
  try {
    result = await work(writer);
  } catch (thrown) {
    await closeWriter(port, writer);
    throw thrown;
  }
  const unclosed = await closeWriter(port, writer);
  if (unclosed !== undefined) throw unclosed;
  return result;
}

/** The bytes from a byte on. @throws ReckonerError what the port throws, else `journal.unreadable` */
export async function* readBytes(port: JournalPort, from?: number): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of port.read(from)) {
      // Text taken for bytes would be a journal without a line.
      if (!isBytes(bytes)) throw new Error("read gave something that is not a Uint8Array");
      yield bytes;
    }
  } catch (thrown) {
    throw portFailure("journal.unreadable", port, "could not be read", thrown);
  }
}

/** Whether it is bytes, of whatever realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Partial<Uint8Array>).BYTES_PER_ELEMENT === 1;
}

/** Reads or writes notes. @throws ReckonerError what the port throws, else the code */
export async function callNotes<Result>(
  port: Pick<JournalPort, "name">,
  code: "journal.write" | "journal.unreadable",
  what: string,
  call: () => Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await call();
  } catch (thrown) {
    throw portFailure(code, port, what, thrown);
  }
}

/** What a port threw: as it is where it has a code of ours. */
export function portFailure(
  code: "journal.write" | "journal.unreadable",
  { name }: Pick<JournalPort, "name">,
  what: string,
  thrown: unknown,
): ReckonerError {
  if (isReckonerError(thrown)) return thrown;
  const message = `The journal ${name} ${what}: ${maskCredentials(messageOf(thrown))}.`;
  return new ReckonerError(code, message, { place: name, cause: thrown });
}
