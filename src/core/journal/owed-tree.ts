/**
 * Finds, from the lines alone, which directives are outstanding in all runs of a journal, and the usage of
 * all of them. It needs no code of a reasoner.
 */

import { hasSettled } from "../kernel/machine/index.js";
import { addUsage, isSettlement, type Usage } from "../kernel/vocabulary/index.js";
import type { DecodedLine } from "./decode-line.js";
import { type EventLine, isEventLine } from "./line.js";
import type { LineFold } from "./line-fold.js";
import { type OwedLine, OwedLines } from "./owed-lines.js";
import { type RecordedDirective, RecordedParts } from "./recorded-parts.js";
import { RecordedValues } from "./recorded-values.js";
import { childPath, idFromRoot, parentOf, ROOT_RUN, runOf } from "./run-lines.js";
import { TreeFold } from "./tree-fold.js";

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

/** The debts and the usage of a tree, line by line. */
export class OwedTree implements LineFold<DecodedLine> {
  readonly #tree: TreeFold<OwedLines>;
  #isVague = false;
  /** The usage of children that were cancelled. */
  #lost: Usage | undefined;

  /** @param skims true if its lines are skimmed: of long values the references alone are known */
  constructor(skims: boolean = false) {
    const values = RecordedValues.recent();
    const ofRun = () => (skims ? new RecordedParts() : values.ofOtherRun());
    this.#tree = new TreeFold(() => new OwedLines(ofRun()));
  }

  /** Takes a line in. */
  take(decoded: DecodedLine): IssuedIn {
    const run = runOf(decoded);
    const issued = this.#tree.take(decoded) ?? [];
    this.#isVague ||= this.of(run)?.isVague === true;
    const { line } = decoded;
    if (isEventLine(line)) this.#settle(run, line);
    return { run, issued };
  }

  /** A child is over when its parent has its outcome, or when it ends and nobody waits for it. */
  #settle(run: string, { event, ignored, end }: EventLine): void {
    const isRun = event.type === "run.succeeded" || event.type === "run.failed";
    if (isRun && isSettlement(event) && hasSettled(ignored)) {
      const child = childPath(run, event.id);
      // One that goes on was answered for, and is cancelled next.
      if (this.of(child)?.owed.size === 0) this.#tree.drop(child);
    }
    if (end === undefined || run === ROOT_RUN) return;
    const [parent, id] = parentOf(run);
    if (this.of(parent)?.owed.has(id) === true) return;
    const spent = this.of(run)?.spent;
    if (spent !== undefined)
      this.#lost = this.#lost === undefined ? spent : addUsage(this.#lost, spent);
    // The runs below it are cancelled in lines of their own, and what they spent is counted then.
    this.#tree.drop(run);
  }

  /** Returns true if lines that were skimmed did not tell a name, a call or a target. */
  get isVague(): boolean {
    return this.#isVague;
  }

  /** The paths of the runs that are not over, the root's first. */
  get runs(): Iterable<string> {
    return this.#tree.runs.keys();
  }

  /** The debts of a run. */
  of(run: string): OwedLines | undefined {
    return this.#tree.of(run);
  }

  /** The debts after the last line, by the ids by which the root knows them. */
  get owed(): ReadonlyMap<string, TreeOwed> {
    const all = new Map<string, TreeOwed>();
    for (const [run, { fold }] of this.#tree.runs) {
      for (const each of fold.owed.values()) all.set(idFromRoot(run, each.id), { ...each, run });
    }
    return all;
  }

  /** The usage up to the last line, without cost. */
  get spent(): Usage {
    let sum: Usage | undefined = this.#lost;
    for (const { fold } of this.#tree.runs.values()) {
      sum = sum === undefined ? fold.spent : addUsage(sum, fold.spent);
    }
    return sum as Usage;
  }
}
