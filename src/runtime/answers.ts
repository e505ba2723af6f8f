/** What the caller of `resume` says to the run: checked before anything runs. */
import { parseEvent, ReckonerError } from "../core/kernel/index.js";
import type { Incoming } from "./interpreter.js";
import { runEnded } from "./live-run.js";
import type { OpenRun } from "./open-run.js";
import type { ResumeOptions } from "./options.js";

/**
 * Decisions and messages as events, checked against what the run, and its children, wait for.
 * @throws ReckonerError `approval.stale`, `run.ended`, `json.refused`
 */
export function checkAnswers(
  opened: OpenRun,
  { decisions = {}, messages = [] }: ResumeOptions,
): readonly Incoming[] {
  const { state } = opened.loaded;
  const ended = state !== undefined && state.status !== "active";
  const decided = Object.entries(decisions).map(([id, decision]) => {
    const event = parseEvent({ ...decision, type: "approval.decided", id, at: 0 });
    if (waitsFor(opened, id)) return event as unknown as Incoming;
    const why = ended ? "the run has ended" : "it was decided before, or never asked for";
    throw new ReckonerError(
      "approval.stale",
      `No approval ${JSON.stringify(id)} is waiting: ${why}. Nothing was run.`,
      { place: id },
    );
  });
  if (ended && messages.length > 0) throw runEnded();
  return [...decided, ...messages.map((content) => ({ type: "message", content }) as Incoming)];
}

/** Whether an approval of the run waits, or one of a child: `<run directive>/<approval>`. */
function waitsFor({ loaded, children }: OpenRun, id: string): boolean {
  const owed = loaded.state?.outstanding ?? [];
  if (owed.some((each) => each.type === "approval" && each.id === id)) return true;
  return [...children].some(
    ([owner, child]) => id.startsWith(`${owner}/`) && waitsFor(child, id.slice(owner.length + 1)),
  );
}
