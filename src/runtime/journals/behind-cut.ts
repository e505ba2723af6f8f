/** Where a fork goes on by itself. */
import { type HeaderLine, type Replay, replayFrom } from "../../core/journal/index.js";
import type { Reasoner, RunState } from "../../core/kernel/index.js";
import { forkedState } from "./linked-runs.js";

/** The replay of a run behind a cut, by the header of the fork that begins there. */
export function behindCut<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context> | undefined,
  before: Replay<Input, Output, Context>,
  { runId }: HeaderLine,
): Replay<Input, Output, Context> {
  const state = forkedState(before.state as RunState<Context>, runId);
  return replayFrom(reasoner, { state, memory: before.ledger.memory });
}
