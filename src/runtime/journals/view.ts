/**
 * One run of a tree, as a stream of lines: the door to what journals hold, for all that reads them. A run
 * is named by its path in the tree. Today a child's lines stand in a journal of their own; a reader
 * of the view does not see where.
 */
import type { HeaderLine, LineFold } from "../../core/journal/index.js";
import type { JournalPort } from "../ports.js";
import { alienChild, type RunName } from "./child-journal.js";
import {
  type Origin,
  type PastLine,
  readHistory,
  readHistoryPieces,
  readOrigin,
} from "./history.js";
import { LineStream, type ReadPosition } from "./line-stream.js";
import { childPort } from "./port-calls.js";
import { findHeader, readHeader, readLines } from "./read-journal.js";

/** The ids of the `run` directives that lead to a run from the root of its tree. */
export type RunPath = readonly string[];

/** A child run that is there, with its header. */
export interface FoundChild {
  readonly view: RunView;
  readonly header: HeaderLine;
}

/** A run of a tree. */
export class RunView {
  readonly path: RunPath;
  /** The journal in which its lines stand. */
  readonly port: JournalPort;

  constructor(port: JournalPort, path: RunPath = []) {
    this.port = port;
    this.path = path;
  }

  /**
   * Its header, verified, and no other line.
   * @throws ReckonerError `journal.empty`, `journal.missing` and what decoding a line throws
   */
  header(): Promise<HeaderLine> {
    return readHeader(this.port);
  }

  /** Its header, or `undefined` where the run never began. */
  findHeader(): Promise<HeaderLine | undefined> {
    return findHeader(this.port);
  }

  /** The header that it began with: of a fork that of the run that it shares its beginning with. */
  origin(): Promise<Origin> {
    return readOrigin(this.port);
  }

  /**
   * Its lines from its beginning, in order: of a fork those that it shares first.
   * @param torn is told of bytes behind the last newline
   * @throws ReckonerError `journal.link`, and what reading a journal throws
   */
  lines(torn?: (bytes: number) => void): AsyncGenerator<PastLine> {
    return readHistory(this.port, torn);
  }

  /** Its own lines alone, without those that a fork shares. */
  ownLines(torn?: (bytes: number) => void): ReturnType<typeof readLines> {
    return readLines(this.port, torn);
  }

  /** Its own lines as they stand there, each one's place in the chain verified and none decoded. */
  rawLines(behind?: ReadPosition): LineStream {
    return new LineStream(this.port, behind);
  }

  /**
   * Reads its lines once, for any number of folds, until all that say so are over.
   * @returns the bytes behind the last newline
   * @throws ReckonerError as `lines` does
   */
  async read(...folds: LineFold<PastLine>[]): Promise<number> {
    let torn = 0;
    const leading = folds.filter(({ over }) => over !== undefined);
    for await (const lines of readHistoryPieces(this.port, (bytes) => {
      torn = bytes;
    })) {
      for (const line of lines) {
        for (const fold of folds) {
          const wait = fold.over === true ? undefined : fold.take(line);
          if (wait instanceof Promise) await wait;
        }
        if (leading.length > 0 && leading.every(({ over }) => over)) return torn;
      }
    }
    return torn;
  }

  /** The place of a child run; `undefined` where the journal has none for children. */
  place(directive: string): RunView | undefined {
    const port = childPort(this.port, directive);
    return port === undefined ? undefined : new RunView(port, [...this.path, directive]);
  }

  /**
   * The child run of a `run` directive; `undefined` where it never began.
   * @param parent the run as its header's line in this journal names it
   * @throws ReckonerError `journal.child` where another run's journal stands there, and what reading a
   * header throws
   */
  async child(directive: string, parent: RunName): Promise<FoundChild | undefined> {
    const view = this.place(directive);
    const header = await view?.findHeader();
    if (view === undefined || header === undefined) return undefined;
    const alien = alienChild(view.port, header, parent, directive);
    if (alien !== undefined) throw alien;
    return { view, header };
  }
}

/** The run of a journal: the root of its tree. */
export function viewOf(port: JournalPort): RunView {
  return new RunView(port);
}
