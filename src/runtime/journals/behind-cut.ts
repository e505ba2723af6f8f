/** Where a fork goes on by itself. */
import { type HeaderLine, type Replay, replayFrom } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/index.js";
import { forked } from "./linked-runs.js";

/**
 * The replay of a run behind a cut, by the header of the fork that begins there. Where nobody knows
 * the state there, it stays unknown: an upgrade says it.
 */
export function behindCut<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context> | undefined,
  before: Replay<Input, Output, Context>,
  { runId }: HeaderLine,
): Replay<Input, Output, Context> {
  if (before.state === undefined) return before;
  const { state, ledger } = before;
  return replayFrom(reasoner, forked({ state, memory: ledger.memory }, runId));
}
