/** Derives the traces of a run and of all its children from the lines of their journal, in one pass. */
import {
  type DecodedLine,
  headerIn,
  type LineFold,
  RecordedValues,
  TreeFold,
} from "../../../core/journal/index.js";
import type { TracedRun } from "../queries/assemble.js";
import { RunTrace, type RunTraceOptions } from "./run-trace.js";

/** The traces of a tree, line by line. */
export class TreeTrace implements LineFold {
  readonly #tree: TreeFold<RunTrace>;

  constructor(options: RunTraceOptions = {}) {
    const values = new RecordedValues();
    this.#tree = new TreeFold(
      (path) => new RunTrace(options, { path, values: values.ofOtherRun() }),
    );
  }

  /** Takes the next line in. Of a fork, the lines that it shares come first. */
  take(decoded: DecodedLine): void {
    if (headerIn(decoded)?.fork !== undefined) this.#part();
    this.#tree.take(decoded);
  }

  /** Lets go of the children that are over where a fork begins: they are no part of it. */
  #part(): void {
    const { runs, root } = this.#tree;
    for (const [path, { fold }] of runs) {
      if (fold !== root && !fold.isUnderWay) this.#tree.drop(path);
    }
  }

  /** The runs that have begun, the root first. */
  get runs(): readonly TracedRun[] {
    return [...this.#tree.runs.values()].flatMap(({ fold }) => {
      const { header, parent, ended } = fold;
      if (header === undefined) return [];
      return [
        { header, ...(parent === undefined ? {} : { parent }), events: fold.events(), ended },
      ];
    });
  }
}
