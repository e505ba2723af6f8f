/**
 * Decodes the lines of one journal as a stream, with every byte verified. Readers elsewhere use `view.ts`, which
 * adds the lines that a fork shares and tells the runs of a tree apart.
 */
import {
  type DecodedLine,
  type Extent,
  type HeaderLine,
  isHeaderLine,
  LineDecoder,
  RecordedLists,
} from "../../core/journal/index.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { LineStream, type RawLine } from "./line-stream.js";

/** A line of a raw one. @throws ReckonerError `journal.format`, `journal.hostile` */
export function decoded(decoder: LineDecoder, raw: RawLine): DecodedLine {
  return decoder.decode({ text: raw.text(), number: raw.number, hash: raw.hash });
}

/** A journal's lines, verified and decoded. `torn` is told of bytes behind the last newline. */
export async function* readLines(
  port: JournalPort,
  torn?: (bytes: number) => void,
): AsyncGenerator<DecodedLine> {
  for await (const lines of readPieces(port, torn)) yield* lines;
}

/** The same in the pieces in which they are read; each is gone through before the next. */
export function readPieces(
  port: JournalPort,
  torn?: (bytes: number) => void,
  extent?: Extent,
): AsyncGenerator<Iterable<DecodedLine>> {
  return piecesOf(new LineStream(port), torn, extent);
}

/** The pieces of a stream of lines. */
export async function* piecesOf(
  stream: LineStream,
  torn?: (bytes: number) => void,
  extent?: Extent,
): AsyncGenerator<Iterable<DecodedLine>> {
  const decoder = new LineDecoder(extent);
  for await (const batch of stream.batches()) yield linesOf(batch, decoder);
  if (stream.torn > 0) torn?.(stream.torn);
}

function* linesOf(batch: readonly RawLine[], decoder: LineDecoder): Generator<DecodedLine> {
  for (const raw of batch) yield decoded(decoder, raw);
}

/**
 * A journal's header, its line verified and no other.
 * @throws ReckonerError `journal.empty`, `journal.missing` and what decoding a line throws
 */
export async function readHeader(port: JournalPort): Promise<HeaderLine> {
  for await (const { line } of readLines(port)) if (isHeaderLine(line)) return line;
  throw emptyJournal(port);
}

/**
 * Takes a line. Where it is an upgrade that refers to Lists that nobody folded, the lines before it are read first, and
 * it is taken again.
 */
export function takeKnowing<Taken>(
  port: JournalPort,
  { line, number }: DecodedLine,
  take: () => Taken,
  know: (lists: RecordedLists) => void,
): Taken | Promise<Taken> {
  try {
    return take();
  } catch (thrown) {
    const isUnknown = isReckonerError(thrown) && thrown.code === "journal.configuration";
    if (!isUnknown || !("upgrade" in line)) throw thrown;
    return listsBefore(port, number).then((lists) => {
      know(lists);
      return take();
    });
  }
}

async function listsBefore(port: JournalPort, number: number): Promise<RecordedLists> {
  const lists = new RecordedLists();
  for await (const before of readLines(port)) {
    if (before.number >= number) break;
    lists.take(before);
  }
  return lists;
}

/** A journal's header, or `undefined` where the run never began. */
export async function findHeader(port: JournalPort): Promise<HeaderLine | undefined> {
  try {
    return await readHeader(port);
  } catch (thrown) {
    const none = isReckonerError(thrown) && /^journal\.(missing|empty)$/.test(thrown.code);
    if (none) return undefined;
    throw thrown;
  }
}

/** @internal */
export function emptyJournal(port: JournalPort): ReckonerError {
  return new ReckonerError(
    "journal.empty",
    `The journal ${port.name} holds no header: the run never began. Remove it and run again.`,
    { place: port.name },
  );
}

/** What is said of a torn last line. */
export function tornNotice(bytes: number): string {
  return `The last line was torn (${bytes} bytes) and is left out.`;
}
