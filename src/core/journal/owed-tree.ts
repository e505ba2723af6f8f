/**
 * The directives that are outstanding in the runs of a tree, and the usage of the tree, from the lines alone: no
 * code is needed.
 */
import { addUsage, hasSettled, isSettlement, type Usage } from "../kernel/index.js";
import type { DecodedLine } from "./decode-line.js";
import type { LineFold } from "./fold.js";
import { type EventLine, isEventLine } from "./line.js";
import { type OwedLine, OwedLines } from "./owed-lines.js";
import type { RecordedDirective } from "./recorded-values.js";
import { childPath, idFromRoot, parentOf, ROOT_RUN, RunLines, runOf } from "./run-lines.js";

/** A directive that is outstanding in a run of a tree. */
export interface TreeOwed extends OwedLine {
  /** The path of its run. */
  readonly run: string;
}

/** The directives that a line issued, and the run that issued them. */
export interface IssuedIn {
  readonly run: string;
  readonly issued: readonly RecordedDirective[];
}

/** A run that is not over. */
interface Open {
  readonly lines: RunLines;
  readonly owed: OwedLines;
}

/** The debts and the usage of a tree, line by line. */
export class OwedTree implements LineFold<DecodedLine> {
  readonly #runs = new Map<string, Open>([[ROOT_RUN, newRun(ROOT_RUN)]]);
  /** The usage of children that were cancelled. */
  #lost: Usage | undefined;

  /**
   * Takes a line in.
   * @throws ReckonerError `journal.format` where it is an upgrade whose state cannot be taken
   */
  take(decoded: DecodedLine): IssuedIn {
    const run = runOf(decoded);
    const { glance } = decoded;
    if (glance === undefined && run !== ROOT_RUN && !this.#runs.has(run)) this.#begin(run);
    let issued: readonly RecordedDirective[] = [];
    // An event's line that stores nothing is of its own run alone.
    const concerned = glance === undefined ? this.#runs.entries() : this.#own(run);
    for (const [path, { lines, owed }] of concerned) {
      for (const line of lines.take(decoded)) {
        const taken = owed.take(line);
        if (path === run) issued = taken;
      }
    }
    const { line } = decoded;
    if (isEventLine(line)) this.#settle(run, line);
    return { run, issued };
  }

  #own(run: string): Iterable<[string, Open]> {
    const own = this.#runs.get(run);
    return own === undefined ? [] : [[run, own]];
  }

  #begin(run: string): void {
    const begun = newRun(run);
    const root = this.#runs.get(ROOT_RUN)?.lines.root;
    if (root !== undefined) begun.lines.take(root);
    this.#runs.set(run, begun);
  }

  /** A child is over when its parent has its outcome, or when it ends and nobody waits for it. */
  #settle(run: string, { event, ignored, end }: EventLine): void {
    const isRun = event.type === "run.succeeded" || event.type === "run.failed";
    if (isRun && isSettlement(event) && hasSettled(ignored)) {
      const child = childPath(run, event.id);
      // One that goes on was answered for, and is cancelled next.
      if (this.#runs.get(child)?.owed.owed.size === 0) this.#runs.delete(child);
    }
    if (end === undefined || run === ROOT_RUN) return;
    const [parent, id] = parentOf(run);
    if (this.#runs.get(parent)?.owed.owed.has(id) === true) return;
    const spent = this.#runs.get(run)?.owed.spent;
    if (spent !== undefined)
      this.#lost = this.#lost === undefined ? spent : addUsage(this.#lost, spent);
    // The runs below it are cancelled in lines of their own, and what they spent is counted then.
    this.#runs.delete(run);
  }

  /** The paths of the runs that are not over, the root's first. */
  get runs(): Iterable<string> {
    return this.#runs.keys();
  }

  /** The debts of a run. */
  of(run: string): OwedLines | undefined {
    return this.#runs.get(run)?.owed;
  }

  /** The debts after the last line, by the ids by which the root knows them. */
  get owed(): ReadonlyMap<string, TreeOwed> {
    const all = new Map<string, TreeOwed>();
    for (const [run, { owed }] of this.#runs) {
      for (const each of owed.owed.values()) all.set(idFromRoot(run, each.id), { ...each, run });
    }
    return all;
  }

  /** The usage up to the last line, without cost. */
  get spent(): Usage {
    let sum: Usage | undefined = this.#lost;
    for (const { owed } of this.#runs.values()) {
      sum = sum === undefined ? owed.spent : addUsage(sum, owed.spent);
    }
    return sum as Usage;
  }
}

function newRun(run: string): Open {
  return { lines: new RunLines(run), owed: new OwedLines() };
}
