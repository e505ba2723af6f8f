/**
 * What a fork owes from before its cut, and what is known of it: an answer that it sets, the answer
 * that the run it was cut from got later, or that it began there and nobody knows what came of it.
 */
import { type HeaderLine, isEventLine, type Line, startedIn } from "../../core/journal/index.js";
import {
  type Effect,
  isSettlement,
  pairKey,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Settlement,
  tableGet,
  tableValues,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import type { ReadHeader, Trail } from "./history.js";
import { linkedRuns } from "./load.js";
import { readLines } from "./read-journal.js";

/** Answers by the id of what they settle, in the order in which they are to be given. */
export type Inherited = ReadonlyMap<string, Settlement>;

/**
 * @param state of the fork, as it is now
 * @throws ReckonerError `journal.link`, and what reading the journals throws
 */
export async function inheritedAnswers<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  header: HeaderLine,
  state: RunState<Context> | undefined,
): Promise<Inherited> {
  const owed = new Set(tableValues(state?.outstanding ?? ({} as never)).map(({ id }) => id));
  if (header.fork === undefined || owed.size === 0) return new Map();
  const known = await answersAt(
    reasoner,
    port,
    { header, hash: await headerHash(port) },
    new Set(),
  );
  return new Map([...known].filter(([id]) => owed.has(id)));
}

async function headerHash(port: JournalPort): Promise<string> {
  for await (const { hash } of readLines(port)) return hash;
  return "";
}

/** The answers to all that was owed at a fork's cut. */
async function answersAt<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { header, hash }: ReadHeader,
  trail: Trail,
): Promise<Map<string, Settlement>> {
  const { fork } = header;
  if (fork === undefined) return new Map();
  const options = { lenient: true, trail };
  const cut = await linkedRuns.cutOf(reasoner, port, { header, hash }, options);
  const { outstanding } = cut.state;
  const before = await answersAt(
    reasoner,
    cut.parent,
    { header: cut.loaded.header, hash: await headerHash(cut.parent) },
    cut.trail,
  );
  const later = await afterCut(cut.parent, fork.seq);
  const set = header.set ?? [];
  const answers = new Map<string, Settlement>();
  const give = (event: RunEvent) => {
    if (!isSettlement(event) || answers.has(event.id)) return;
    if (tableGet(outstanding, event.id) !== undefined) answers.set(event.id, event);
  };
  for (const each of set) give(each);
  for (const each of later.events) give(each);
  for (const effect of tableValues(outstanding)) {
    const attempts = cut.loaded.attempts.get(effect.id) ?? 0;
    if (answers.has(effect.id)) continue;
    const known = before.get(effect.id);
    const unknown = unknownOf(
      effect,
      attempts > 0 || later.begun.has(effect.id),
      fork.runId,
      cut.state.at,
    );
    if (known !== undefined) answers.set(effect.id, known);
    else if (unknown !== undefined) answers.set(effect.id, unknown);
  }
  return answers;
}

/** What happened in a run after a cut: events, and which effects began. */
async function afterCut(
  port: JournalPort,
  seq: number,
): Promise<{ readonly events: readonly RunEvent[]; readonly begun: ReadonlySet<string> }> {
  const events: RunEvent[] = [];
  const begun = new Set<string>();
  let after = false;
  for await (const { line } of readLines(port)) {
    // A run that is itself a fork and was cut where it begins has all its events behind the cut.
    if ("type" in line) after = (line.fork?.seq ?? -1) >= seq;
    else if (!after) after = isEventLine(line) && line.seq === seq;
    else {
      if (isEventLine(line) && line.ignored !== "stale") events.push(line.event);
      for (const id of begunIn(line)) begun.add(id);
    }
  }
  return { events, begun };
}

function begunIn(line: Line): readonly string[] {
  if ("mark" in line) return "attempt" in line.mark ? [line.mark.id] : [];
  return isEventLine(line) ? startedIn(line) : [];
}

/** What is said of an effect that may have happened, and that a fork must not repeat. */
function unknownOf(
  effect: Effect,
  begun: boolean,
  runId: string,
  at: number,
): Settlement | undefined {
  const { id } = effect;
  const where = `in run ${runId}, from which this one was forked (idempotency key ${pairKey(runId, id)})`;
  if (effect.type === "tool" && begun) {
    const message = `Tool ${effect.name} had started ${where}, and what came of it is not known.`;
    return {
      type: "tool.failed",
      id,
      at,
      reason: "unknown",
      error: { code: "tool.unknown", message },
    };
  }
  if (effect.type === "write") {
    const message = `The write to ${effect.store} was asked for ${where}, and whether it was done is not known.`;
    return { type: "write.failed", id, at, error: { code: "store.unknown", message } };
  }
  return undefined;
}
