/**
 * Reads a journal together with the lines that it shares: those of the runs from which it was
 * forked, each up to the cut, then its own. All bytes are verified, and cycles are detected.
 */
import {
  type DecodedLine,
  type Extent,
  type HeaderLine,
  headerIn,
  isHeaderLine,
  isUpgradeLine,
  type Line,
  type RunLink,
} from "../../core/journal/index.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { LineStream } from "./line-stream.js";
import { emptyJournal, findHeader, piecesOf, readLines, readPieces } from "./read-journal.js";

/** A line of a history, and whose it is. */
export class PastLine implements DecodedLine {
  readonly text: string;
  readonly number: number;
  readonly hash: string;
  readonly glance: DecodedLine["glance"];
  readonly port: JournalPort;
  /** The run whose journal it stands in. */
  readonly runId: string;
  readonly #decoded: DecodedLine;

  constructor(decoded: DecodedLine, port: JournalPort, runId: string) {
    this.text = decoded.text;
    this.number = decoded.number;
    this.hash = decoded.hash;
    this.glance = decoded.glance;
    this.port = port;
    this.runId = runId;
    this.#decoded = decoded;
  }

  get line(): Line {
    return this.#decoded.line;
  }
}

/** A header, and the hash of its line. */
export interface ReadHeader {
  readonly header: HeaderLine;
  readonly hash: string;
}

/** The headers of the runs on the way to one: a run that is met twice leads round in a circle. */
export type Trail = ReadonlySet<string>;

/**
 * The journal that a link leads to.
 * @param hash of the header that has the link
 * @throws ReckonerError `journal.link` where there is none, or the links form a cycle
 */
export function followLink(
  port: JournalPort,
  link: RunLink,
  hash: string,
  trail: Trail,
): { readonly port: JournalPort; readonly trail: Trail } {
  if (trail.has(hash)) throw linkNotFound(port.name, "the links form a cycle");
  const other = port.follow?.(link.journal);
  if (other === undefined) throw linkNotFound(link.journal, `${port.name} does not lead to it`);
  return { port: other, trail: new Set([...trail, hash]) };
}

/**
 * The word by which a journal refers to the one of a run; absent where that leads elsewhere or nowhere,
 * as between journals of two kinds.
 */
export async function linkWord(
  own: JournalPort,
  other: JournalPort,
  runId: string,
): Promise<string | undefined> {
  const word = own.link?.(other);
  const there = word === undefined ? undefined : own.follow?.(word);
  const header = there === undefined ? undefined : await findHeader(there);
  return header?.runId === runId ? word : undefined;
}

/** @internal */
export function linkNotFound(journal: string, why: string, cause?: unknown): ReckonerError {
  return new ReckonerError(
    "journal.link",
    `The run to go on from, in ${journal}, cannot be found: ${why}.`,
    { place: journal, cause },
  );
}

/**
 * Reads the journal behind a link.
 * @throws ReckonerError `journal.link` where it is not there, and what reading it throws
 */
export async function readLinked<Read>(
  from: JournalPort,
  to: JournalPort,
  read: () => Promise<Read>,
): Promise<Read> {
  try {
    return await read();
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.code !== "journal.missing") throw thrown;
    throw linkNotFound(to.name, `${from.name} links to it, and it is not there`, thrown);
  }
}

/** A journal that a history goes through, and the last event of it that belongs to the history. */
export interface HistorySegment {
  readonly port: JournalPort;
  readonly header: HeaderLine;
  /** Absent for the run whose history it is. */
  readonly until: RunLink | undefined;
}

/**
 * The journals of a fork's history, the oldest first.
 * @param own the fork's header, and its line's hash
 * @throws ReckonerError `journal.link`, and what reading a header throws
 */
export async function historySegments(
  port: JournalPort,
  own: ReadHeader,
): Promise<readonly HistorySegment[]> {
  const segments: HistorySegment[] = [];
  let at = port;
  let { header, hash } = own;
  let until: RunLink | undefined;
  let trail: Trail = new Set();
  for (;;) {
    if (until !== undefined && header.runId !== until.runId) {
      throw linkNotFound(at.name, `it is of run ${header.runId}, not ${until.runId}`);
    }
    segments.unshift({ port: at, header, until });
    if (header.fork === undefined) return segments;
    until = header.fork;
    const other = followLink(at, until, hash, trail);
    ({ header, hash } = await readLinked(at, other.port, () => readHeaderLine(other.port)));
    ({ port: at, trail } = other);
  }
}

async function readHeaderLine(port: JournalPort): Promise<ReadHeader> {
  for await (const { line, hash } of readLines(port)) {
    if (isHeaderLine(line)) return { header: line, hash };
  }
  throw emptyJournal(port);
}

/** A header, and the journal in which it stands. */
export interface HeadedJournal extends ReadHeader {
  readonly port: JournalPort;
}

/**
 * The header that a run began with, and the journal in which it stands: of a fork those of the run that
 * it shares its beginning with.
 * @throws ReckonerError `journal.link`, and what reading a journal throws
 */
export async function readOrigin(port: JournalPort): Promise<HeadedJournal> {
  for await (const { line, hash, port: at } of readHistory(port)) {
    if (isHeaderLine(line)) return { header: line, hash, port: at };
  }
  throw emptyJournal(port);
}

/**
 * The lines of a run from its beginning: of a fork those that it shares first. The headers of forks
 * are among them, where the shared part ends.
 * @param torn is told of bytes behind the last newline
 * @throws ReckonerError `journal.link`, and what reading a journal throws
 */
export async function* readHistory(
  port: JournalPort,
  torn?: (bytes: number) => void,
): AsyncGenerator<PastLine> {
  for await (const lines of readHistoryPieces(port, torn)) yield* lines;
}

/** The same in the pieces in which they were read: who goes through many lines waits for each piece. */
export async function* readHistoryPieces(
  port: JournalPort,
  torn?: (bytes: number) => void,
  extent?: Extent,
): AsyncGenerator<Iterable<PastLine>> {
  const pieces = readPieces(port, torn, extent);
  try {
    const { value: piece = [] } = await pieces.next();
    const lines = piece[Symbol.iterator]();
    const { value: first } = lines.next();
    const header = first === undefined ? undefined : headerIn(first);
    if (first === undefined || header === undefined) throw emptyJournal(port);
    if (header.fork === undefined) {
      yield pastLines([first], port, header);
      yield pastLines({ [Symbol.iterator]: () => lines }, port, header);
      for await (const more of pieces) yield pastLines(more, port, header);
      return;
    }
    yield* readSegments(await historySegments(port, { header, hash: first.hash }), torn, extent);
  } finally {
    await pieces.return(undefined);
  }
}

async function* readSegments(
  segments: readonly HistorySegment[],
  torn: ((bytes: number) => void) | undefined,
  extent: Extent | undefined,
): AsyncGenerator<Iterable<PastLine>> {
  for (const { port: at, header, until } of segments) {
    if (until === undefined) {
      for await (const lines of readPieces(at, torn, extent)) yield pastLines(lines, at, header);
      continue;
    }
    for await (const lines of readAround(at, header, until, { extent })) yield upToCut(lines);
  }
}

/** A line of a run from which another was cut, and whether it stands behind the cut. */
export type AroundLine = readonly [line: PastLine, behind: boolean];

/** Options for reading around a cut. */
interface AroundReading {
  /** Is called where there is a fault behind the cut: what is there is not known. */
  readonly damaged?: () => void;
  readonly extent?: Extent | undefined;
}

/**
 * All lines of a run from which another was cut, behind the cut too, as far as they are sound.
 * @throws ReckonerError `journal.link` where it does not hold the event that it was cut behind
 */
export async function* readAround(
  port: JournalPort,
  header: HeaderLine,
  until: RunLink,
  { damaged, extent }: AroundReading = {},
): AsyncGenerator<Iterable<AroundLine>> {
  const cut = { until, found: false };
  const stream = new LineStream(port, undefined, { isEnough: () => cut.found });
  for await (const lines of piecesOf(stream, undefined, extent))
    yield linesAround(cut, lines, port, header);
  if (!cut.found) throw cutNotFound(port, until);
  if (stream.fault !== undefined) damaged?.();
}

function* upToCut(lines: Iterable<AroundLine>): Generator<PastLine> {
  for (const [line, behind] of lines) if (!behind) yield line;
}

function* pastLines(
  lines: Iterable<DecodedLine>,
  port: JournalPort,
  { runId }: HeaderLine,
): Generator<PastLine> {
  for (const line of lines) yield new PastLine(line, port, runId);
}

function* linesAround(
  cut: { readonly until: RunLink; found: boolean },
  lines: Iterable<DecodedLine>,
  port: JournalPort,
  { runId }: HeaderLine,
): Generator<AroundLine> {
  for (const decoded of lines) {
    // Lines after the cut are decoded as well: what they say is used.
    const { line, hash } = decoded;
    yield [new PastLine(decoded, port, runId), cut.found];
    if (cut.found) continue;
    const { seq } = cut.until;
    // A run may be cut behind an event, or behind an upgrade that comes next.
    const isCut = isUpgradeLine(line) || ("event" in line && line.seq === seq);
    cut.found = isCut && hash === cut.until.hash;
    if (!cut.found && "event" in line && line.seq > seq) throw cutNotFound(port, cut.until);
  }
}

/** @internal */
export function cutNotFound({ name }: JournalPort, { runId, seq }: RunLink): ReckonerError {
  return linkNotFound(name, `it does not hold event ${seq} of run ${runId}`);
}
