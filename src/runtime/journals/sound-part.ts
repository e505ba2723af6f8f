/**
 * Reads the part of a damaged journal that stands before its first fault, such as a changed byte or a lost line.
 * It is for readers alone: whoever goes on with a run has every byte of its journal verified.
 */
import { isReckonerError, type ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { LineStream } from "./line-stream.js";
import { readBytes } from "./port-calls.js";

/** The part of a journal before its first fault. */
export interface SoundPart {
  /** The journal, which ends there. Without a fault it is the journal itself. */
  readonly port: JournalPort;
  readonly fault: ReckonerError | undefined;
}

/** Reads a journal through. @throws ReckonerError where it is not there, or its first line has the fault */
export async function soundPart(port: JournalPort): Promise<SoundPart> {
  const stream = new LineStream(port, undefined, { isEnough: () => end > 0 });
  let end = 0;
  for await (const batch of stream.batches()) end = batch.at(-1)?.end ?? end;
  const { fault } = stream;
  return { port: fault === undefined ? port : endingAt(port, end), fault };
}

/**
 * Reads a journal, and where it has a fault, what stands before that.
 * @param read is called once more then, with a journal that ends before the fault
 * @throws what reading throws; the fault where what is wanted does not stand before it
 */
export async function beforeFault<Read>(
  port: JournalPort,
  read: (port: JournalPort, fault?: ReckonerError) => Promise<Read>,
): Promise<Read> {
  try {
    return await read(port);
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    const part = await soundPart(port).catch(() => undefined);
    // The fault may be another journal's, to which this one links.
    if (part?.fault?.message !== thrown.message) throw thrown;
    return read(part.port, part.fault).catch(() => {
      throw thrown;
    });
  }
}

function endingAt(port: JournalPort, end: number): JournalPort {
  const { endNote: _endNote, ...rest } = port;
  return {
    ...rest,
    async *read(from = 0) {
      let left = end - from;
      for await (const bytes of readBytes(port, from)) {
        if (left <= 0) return;
        yield bytes.subarray(0, left);
        left -= bytes.length;
      }
    },
  };
}
