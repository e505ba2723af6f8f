/** `ask`: runs a reasoner and returns its output alone, or throws where the run ends without one. */
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { RunOptions } from "../ports/options.js";
import type { Serviced, WithServices } from "../ports/services.js";
import type { End } from "./end.js";
import { run } from "./run.js";

/**
 * Runs a reasoner and returns its output. A run that may wait for someone is for {@link run}.
 * @throws ReckonerError (the promise rejects) `run.notDone` where the run ends without an output: it failed (its
 * error is the `cause`), was cancelled, or waits; and as `run` does
 */
export async function ask<Input, Output, Context, Services = never>(
  reasoner: Reasoner<Input, Output, Context> & Serviced<Services>,
  input: Input,
  ...options: WithServices<RunOptions, Services>
): Promise<Output> {
  const end = await run(reasoner, input, ...options);
  if (end.status === "done") return end.output;
  const cause = end.status === "failed" ? end.error : undefined;
  throw new ReckonerError("run.notDone", `ask: the run ${end.runId} ${wordsOf(end)}`, {
    place: end.runId,
    cause,
  });
}

function wordsOf(end: End): string {
  switch (end.status) {
    case "failed":
      return `failed (${end.reason}): ${end.error.message}`;
    case "waiting":
      return `waits (${end.reason}). Start what may wait with run, and go on with resume.`;
    default:
      return `ended as ${end.status} (${end.reason}).`;
  }
}
