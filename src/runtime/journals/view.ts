/**
 * Reads one run of a tree (a root run and its child runs) as a stream of lines; all readers of journals build on
 * it. A run is named by its path in the tree; whoever reads one sees no line of another.
 */
import {
  childPath,
  type DecodedLine,
  type Extent,
  type HeaderLine,
  type LineFold,
  ROOT_RUN,
  RunLines,
} from "../../core/journal/index.js";
import type { JournalPort } from "../ports/ports.js";
import { type HeadedJournal, PastLine, readHistoryPieces, readOrigin } from "./history.js";
import { type FaultyReading, LineStream, type ReadPosition } from "./line-stream.js";
import { findHeader, readHeader, readPieces } from "./read-journal.js";

/** A child run that is there, with its header. */
export interface FoundChild {
  readonly view: RunView;
  readonly header: HeaderLine;
}

/** A run of a tree. */
export class RunView {
  /** The ids of the `run` directives that lead to the run from the root, escaped and joined by `:`. */
  readonly path: string;
  /** The journal in which the lines of the tree stand. */
  readonly port: JournalPort;

  constructor(port: JournalPort, path: string = ROOT_RUN) {
    this.port = port;
    this.path = path;
  }

  /**
   * The header of the root, verified, and no other line.
   * @throws ReckonerError `journal.empty`, `journal.missing` and what decoding a line throws
   */
  header(): Promise<HeaderLine> {
    return readHeader(this.port);
  }

  /** The header of the root, or `undefined` where the run never began. */
  findHeader(): Promise<HeaderLine | undefined> {
    return findHeader(this.port);
  }

  /** The header that the root began with: of a fork that of the run that it shares its beginning with. */
  origin(): Promise<HeadedJournal> {
    return readOrigin(this.port);
  }

  /**
   * The lines of the run from its beginning, in order: of a fork those that it shares first.
   * @param torn is told of bytes behind the last newline
   * @throws ReckonerError `journal.link`, and what reading a journal throws
   */
  async *lines(torn?: (bytes: number) => void): AsyncGenerator<PastLine> {
    const own = new RunLines(this.path);
    for await (const lines of readHistoryPieces(this.port, torn)) {
      for (const line of lines) yield* pastLines(own, line);
    }
  }

  /** The same of all runs of the tree. */
  async *treeLines(torn?: (bytes: number) => void): AsyncGenerator<PastLine> {
    for await (const lines of readHistoryPieces(this.port, torn)) yield* lines;
  }

  /** The same in the pieces in which they are read. Of a line that is not whole `decodeLine` gives the whole. */
  treePieces(extent: Extent): AsyncGenerator<Iterable<PastLine>> {
    return readHistoryPieces(this.port, undefined, extent);
  }

  /** The lines of the run in this journal alone, without those that a fork shares. */
  async *ownLines(torn?: (bytes: number) => void): AsyncGenerator<DecodedLine> {
    const own = new RunLines(this.path);
    for await (const line of this.ownTreeLines(torn)) yield* own.take(line);
  }

  /** The same of all runs of the tree. */
  async *ownTreeLines(torn?: (bytes: number) => void): AsyncGenerator<DecodedLine> {
    for await (const lines of readPieces(this.port, torn)) yield* lines;
  }

  /** All lines of this journal as they stand there, each one's place in the chain verified and none decoded. */
  rawLines(behind?: ReadPosition, how?: FaultyReading): LineStream {
    return new LineStream(this.port, behind, how);
  }

  /**
   * Reads the lines of the run once, for any number of folds, until all that say so are over.
   * @returns the bytes behind the last newline
   * @throws ReckonerError as `lines` does
   */
  read(...folds: LineFold<PastLine>[]): Promise<number> {
    const own = new RunLines(this.path);
    return this.#read(folds, (line) => pastLines(own, line));
  }

  /** The same of the lines of all runs of the tree. */
  readTree(...folds: LineFold<PastLine>[]): Promise<number> {
    return this.#read(folds, (line) => [line]);
  }

  async #read(
    folds: readonly LineFold<PastLine>[],
    seen: (line: PastLine) => Iterable<PastLine>,
  ): Promise<number> {
    let torn = 0;
    const leading = folds.filter(({ over }) => over !== undefined);
    for await (const lines of readHistoryPieces(this.port, (bytes) => {
      torn = bytes;
    })) {
      for (const pastLine of lines) {
        for (const line of seen(pastLine)) {
          for (const fold of folds) {
            const wait = fold.over === true ? undefined : fold.take(line);
            if (wait instanceof Promise) await wait;
          }
        }
        if (leading.length > 0 && leading.every(({ over }) => over)) return torn;
      }
    }
    return torn;
  }

  /** The child run of a `run` directive; `undefined` where it never began. @throws ReckonerError as `lines` does */
  async child(directive: string): Promise<FoundChild | undefined> {
    const path = childPath(this.path, directive);
    const own = new RunLines(path);
    for await (const lines of readHistoryPieces(this.port))
      for (const line of lines) own.take(line);
    const { header } = own;
    return header && { view: new RunView(this.port, path), header };
  }
}

function pastLines(own: RunLines, past: PastLine): readonly PastLine[] {
  const taken = own.take(past);
  const runId = own.header?.runId ?? past.runId;
  if (taken.length === 1 && taken[0] === past && runId === past.runId) return [past];
  return taken.map((each) => new PastLine(each, past.port, runId));
}

/** The root of the tree in a journal. */
export function viewOf(port: JournalPort): RunView {
  return new RunView(port);
}
