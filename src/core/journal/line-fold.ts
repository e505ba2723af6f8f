/**
 * `LineFold`, the interface of all that reads a run's lines one by one (a replay, a row, a trace, a diff),
 * so that one reading of a journal can serve several.
 */
import type { DecodedLine } from "./decode-line.js";

/** A fold over the lines of one run; a reader feeds any number of them at once. */
export interface LineFold<Taken = DecodedLine> {
  /** Takes the next line in, in order. A promise is awaited before the next line. */
  take(line: Taken): unknown;
  /** True when nothing more is to be found out; absent for a fold that goes along with others. */
  readonly over?: boolean;
}
