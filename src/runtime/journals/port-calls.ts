/** Calls of a journal's port: what a port throws without a code of ours is told with one. */
import {
  isReckonerError,
  maskCredentials,
  messageOf,
  ReckonerError,
} from "../../core/kernel/index.js";
import type { JournalPort, JournalWriter } from "../ports.js";

/** Opens a journal for writing. @throws ReckonerError what the port throws, else `journal.write` */
export async function openWriter(
  port: JournalPort,
  mode: "create" | "append",
): Promise<JournalWriter> {
  try {
    return await port.open(mode);
  } catch (thrown) {
    throw failed("journal.write", port, "could not be opened for writing", thrown);
  }
}

/** The bytes from a byte on. @throws ReckonerError what the port throws, else `journal.unreadable` */
export async function* readBytes(port: JournalPort, from?: number): AsyncGenerator<Uint8Array> {
  try {
    yield* port.read(from);
  } catch (thrown) {
    throw failed("journal.unreadable", port, "could not be read", thrown);
  }
}

/** Reads or writes notes. @throws ReckonerError what the port throws, else the code */
export async function callNotes<Result>(
  port: JournalPort,
  code: "journal.write" | "journal.unreadable",
  what: string,
  call: () => Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await call();
  } catch (thrown) {
    throw failed(code, port, what, thrown);
  }
}

function failed(
  code: "journal.write" | "journal.unreadable",
  { name }: JournalPort,
  what: string,
  thrown: unknown,
): unknown {
  if (isReckonerError(thrown)) return thrown;
  const message = `The journal ${name} ${what}: ${maskCredentials(messageOf(thrown))}.`;
  return new ReckonerError(code, message, { place: name, cause: thrown });
}
