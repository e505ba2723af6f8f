/**
 * `TreeFold` reads a journal with child runs once, and gives each line to the reader of the run that it
 * belongs to.
 */
import type { DecodedLine } from "./decode-line.js";
import { isHeaderLine, isUpgradeLine, type Line } from "./line.js";
import type { LineFold } from "./line-fold.js";
import { ROOT_RUN, RunLines, runOf } from "./run-lines.js";

/** A fold over the lines of one run, each with its number in the journal. */
interface RunFold {
  take(line: Line, number: number): unknown;
}

/** A run, and the fold over its lines. */
interface FoldedRun<Fold> {
  readonly lines: RunLines;
  readonly fold: Fold;
}

/**
 * The folds over the runs of a tree. A fold is given the lines of its run alone: the values that another
 * run's line stores have to be shared.
 */
export class TreeFold<Fold extends RunFold> implements LineFold {
  readonly #newFold: (run: string) => Fold;
  readonly #runs = new Map<string, FoldedRun<Fold>>();
  readonly #root: RunLines;
  /** Lines that hold what would have made the next event's too long. */
  #spilled: DecodedLine[] = [];

  /** @param newFold the fold over a run, by its path */
  constructor(newFold: (run: string) => Fold) {
    this.#newFold = newFold;
    this.#root = this.#add(ROOT_RUN).lines;
  }

  /** The runs that have begun, by their paths, the root's first. */
  get runs(): ReadonlyMap<string, { readonly fold: Fold }> {
    return this.#runs;
  }

  /** The fold over the root's lines. */
  get root(): Fold {
    return (this.#runs.get(ROOT_RUN) as FoldedRun<Fold>).fold;
  }

  /** The fold over a run's lines; `undefined` where it has not begun. */
  of(run: string): Fold | undefined {
    return this.#runs.get(run)?.fold;
  }

  /** Lets go of a run that has no further line. */
  drop(run: string): void {
    this.#runs.delete(run);
  }

  /**
   * Takes the next line of the tree in.
   * @returns what the fold over its run returns of it; `undefined` where that run has not begun
   */
  take(decoded: DecodedLine): ReturnType<Fold["take"]> | undefined {
    const line = decoded.glance === undefined ? decoded.line : undefined;
    if (line !== undefined && isSpilled(line)) {
      this.#spilled.push(decoded);
      return undefined;
    }
    let taken: unknown;
    const concerned =
      line !== undefined && isOfAll(line) ? this.#runs.values() : this.#own(decoded);
    for (const { lines, fold } of concerned) {
      for (const each of [...this.#spilled, decoded]) {
        for (const own of lines.take(each)) {
          const result = fold.take(own.line, own.number);
          if (each === decoded && lines.run === runOf(decoded)) taken = result;
        }
      }
    }
    this.#spilled = [];
    return taken as ReturnType<Fold["take"]> | undefined;
  }

  /** The run of a line; none where it has not begun. */
  #own(decoded: DecodedLine): readonly FoldedRun<Fold>[] {
    const run = runOf(decoded);
    const found = this.#runs.get(run);
    if (found !== undefined) return [found];
    if (decoded.glance !== undefined || !("begin" in decoded.line)) return [];
    const added = this.#add(run);
    const { root } = this.#root;
    if (root !== undefined) added.lines.take(root);
    return [added];
  }

  #add(run: string): FoldedRun<Fold> {
    const added = { lines: new RunLines(run), fold: this.#newFold(run) };
    this.#runs.set(run, added);
    return added;
  }
}

/** Returns true for a line of values or items alone. */
function isSpilled(line: Line): boolean {
  return "more" in line && line.parts === undefined && line.upgrade === undefined;
}

/** Returns true for a line that says something of all runs. */
function isOfAll(line: Line): boolean {
  return isHeaderLine(line) || isUpgradeLine(line);
}
