/**
 * The types of a difference between a journal and a reasoner that replays it, and of its cause; and the
 * description of a difference in one line.
 */

import * as shapes from "../kernel/shapes.js";
import type { Json } from "../kernel/values/index.js";
import { checkArguments } from "../kernel/vocabulary/index.js";

/** A difference between a journal and a reasoner. */
export interface Difference {
  /** The place of the event at which it shows, among those of the run and its children. */
  readonly seq: number;
  /** The path of the child run in which it shows; absent for the root. */
  readonly run?: string;
  /** Type of that event; `upgrade` for an upgrade behind it. */
  readonly event: string;
  /** JSON path within the step: `directives[0].system`, `context.deps.limit`, `end.status`. */
  readonly path: string;
  /**
   * The recorded value; absent if there is none, `{"@ref": …}` if the journal holds only a digest.
   */
  readonly recorded?: Json;
  /** The value that the reasoner computed; absent if there is none. */
  readonly computed?: Json;
  /** The tool calls of the step that are carried out otherwise; of the first difference of a step. */
  readonly calls?: readonly CallChange[];
  /** The part of the code that it comes from, as far as the difference tells. */
  readonly cause: Cause;
}

/** A tool call that is carried out otherwise. */
export interface CallChange {
  readonly name: string;
  readonly input: Json;
  /** As recorded: it was `run`, a person was `asked`, it was `answered` at once, or there was `none`. */
  readonly was: "run" | "asked" | "answered" | "none";
  /** As computed: likewise, or the status of its record (`denied`, `rejected`, `succeeded`, …). */
  readonly is: string;
  /** The text that the model reads of it now. */
  readonly said?: string;
  /** Of a call that is answered at once otherwise: the results, from where they differ. */
  readonly result?: { readonly recorded?: Json; readonly computed?: Json };
}

/** A difference, and the events of its journal at which its cause shows, this one's first. */
export interface CausedDifference extends Difference {
  readonly seqs: readonly number[];
}

/** The cause by which differences are grouped: one change of the code is one cause. */
export interface Cause {
  /** The same for differences of one content, wherever they occur. */
  readonly key: string;
  /** The part that differs, in words: `the system prompt`. */
  readonly what: string;
}

const DIFFERENCE: shapes.Shape = [
  shapes.hasParts("event", "path"),
  "a difference, as replay() tells it",
];

/** Describes a difference in one line, with both values. */
export function describeDifference(difference: Difference, width = 2_000): string {
  checkArguments("describeDifference", { difference }, { difference: DIFFERENCE });
  const show = (value: Json | undefined) =>
    value === undefined ? "nothing" : JSON.stringify(value).slice(0, width);
  const { seq, run, event, path, recorded, computed } = difference;
  const of = run === undefined ? event : `${event} of the child run ${run}`;
  return `At event ${seq} (${of}), ${path}: recorded ${show(recorded)}, computed ${show(computed)}.`;
}
