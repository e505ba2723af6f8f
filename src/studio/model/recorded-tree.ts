/**
 * Collects all runs of a journal from its lines, with the trace of their events: all that the studio knows of
 * them. Lines are taken in one by one, so that it can grow with its journal. No code of the runs is needed.
 */
import {
  type DecodedLine,
  type LineFold,
  RecordedValues,
  ROOT_RUN,
  TreeFold,
} from "../../core/journal/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import {
  assemble,
  directiveOf,
  type SourceLines,
  type Trace,
  TreeTrace,
} from "../../trace/pure/index.js";
import { type IssuedEffect, type RecordedMoment, RecordedRun } from "./recorded-run.js";

/** The runs of one journal. */
export class RecordedTree implements LineFold {
  /** For people: the journal's name. */
  readonly name: string;
  /** The events of all runs, in the order in which they were taken. */
  readonly moments: RecordedMoment[] = [];
  readonly #values = new RecordedValues();
  readonly #tree: TreeFold<RecordedRun>;
  readonly #traced = new TreeTrace();
  #trace: Trace | undefined;
  #lines = 0;
  #length = 0;

  constructor(name: string) {
    this.name = name;
    this.#tree = new TreeFold((path) => new RecordedRun(path, this.#values.ofOtherRun()));
  }

  /** Takes the next line in. Of a fork the lines that it shares come first. */
  take(decoded: DecodedLine): void {
    this.#lines += 1;
    this.#length += decoded.text.length;
    this.#trace = undefined;
    this.#traced.take(decoded);
    const moment = this.#tree.take(decoded);
    if (moment !== undefined) this.moments.push(moment);
  }

  /** The number of lines that were taken in: what was derived of fewer is out of date. */
  get lines(): number {
    return this.#lines;
  }

  /** The characters of these lines. */
  get length(): number {
    return this.#length;
  }

  /** The runs that have begun, the root first. */
  get runs(): readonly RecordedRun[] {
    return [...this.#tree.runs.values()].flatMap(({ fold }) =>
      fold.header === undefined ? [] : [fold],
    );
  }

  get root(): RecordedRun {
    return this.#tree.root;
  }

  /** A run by its path; `undefined` where it has not begun. */
  of(path: string): RecordedRun | undefined {
    return this.#tree.of(path);
  }

  /** A run by its id. */
  byId(runId: string): RecordedRun | undefined {
    return this.runs.find(({ header }) => header?.runId === runId);
  }

  /** The events of all runs with their causes. */
  get trace(): Trace {
    this.#trace ??= assemble(this.#traced.runs);
    return this.#trace;
  }

  /** The event with a number; `undefined` where there is none. */
  at(seq: number): RecordedMoment | undefined {
    const direct = this.moments[seq];
    return direct?.seq === seq ? direct : this.moments.find((each) => each.seq === seq);
  }

  /** The effect of an event of the trace, where it has a directive. */
  effectOf(
    eventId: string,
  ): { readonly run: RecordedRun; readonly effect: IssuedEffect } | undefined {
    const event = this.trace.get(eventId);
    const run = event === undefined ? undefined : this.byId(event.runId);
    const effect = run?.effects.get(directiveOf(eventId) ?? "");
    return run === undefined || effect === undefined ? undefined : { run, effect };
  }

  /** The lines of a run, as the sources of blocks and arguments are looked for in them. */
  linesOf(path: string = ROOT_RUN): SourceLines {
    return { lines: this.of(path)?.lines ?? [] };
  }

  /** @throws ReckonerError `trace.missing` where there is no such run */
  run(path: string): RecordedRun {
    const found = this.of(path);
    if (found?.header !== undefined) return found;
    const message = `The journal ${this.name} has no run ${path === ROOT_RUN ? "yet" : path}.`;
    throw new ReckonerError("trace.missing", message, { place: path });
  }
}
