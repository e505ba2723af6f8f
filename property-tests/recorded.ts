// The journal of a driven run, as a live one would have written it.
import { Recorder } from "../src/core/journal/index.js";
import type { Reasoner, Step } from "../src/core/kernel/machine/index.js";
import type { Json, JsonObject } from "../src/core/kernel/values/index.js";
import { textJournal } from "../src/testing/index.js";

/** What happened in a driven run. */
export interface Happened {
  readonly event: unknown;
  readonly step: Step<unknown>;
}

/** A reasoner of whatever types. */
export type AnyReasoner = Reasoner<unknown, unknown, JsonObject>;

/** What was driven, as lines. @param input as it was driven with */
export function recorded(
  reasoner: AnyReasoner,
  input: unknown,
  steps: readonly Happened[],
): ReturnType<typeof textJournal> | undefined {
  const [first] = steps;
  if (first === undefined) return undefined;
  const recorder = new Recorder();
  const { runId, at } = first.step.state;
  const { id, version, fingerprint } = reasoner;
  const lines = [
    recorder.header({
      reasoner: { id, version },
      fingerprint,
      runId,
      at,
      // Prepared, as whoever runs it does.
      input: reasoner.prepare(input, false) as Json,
    }),
    ...steps.flatMap(({ event, step }) =>
      recorder.event(reasoner, event as never, step as never, []),
    ),
  ];
  return textJournal(lines.map(({ text }) => `${text}\n`).join(""));
}
