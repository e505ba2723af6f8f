/**
 * What a fork owes from before its cut, and what is known of it: an answer that it sets, the answer
 * that the run it was cut from got later, or that it began there and nobody knows what came of it.
 */
import {
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type Line,
  type OwedLine,
  OwedLines,
  type RunLink,
  startedIn,
} from "../../core/journal/index.js";
import {
  isSettlement,
  pairKey,
  type RunState,
  type Settlement,
  tableValues,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import {
  cutNotFound,
  followLink,
  type ReadHeader,
  readHistory,
  readLinked,
  type Trail,
} from "./history.js";
import { readLines } from "./read-journal.js";

/** Answers by the id of what they settle, in the order in which they are to be given. */
export type Inherited = ReadonlyMap<string, Settlement>;

/**
 * @param state of the fork, as it is now
 * @throws ReckonerError `journal.link`, and what reading the journals throws
 */
export async function inheritedAnswers<Context>(
  port: JournalPort,
  header: HeaderLine,
  state: RunState<Context> | undefined,
): Promise<Inherited> {
  const owed = new Set(tableValues(state?.outstanding ?? ({} as never)).map(({ id }) => id));
  if (header.fork === undefined || owed.size === 0) return new Map();
  const own = { header, hash: await headerHash(port) };
  const known = await answersAt(port, own, new Set());
  return new Map([...known].filter(([id]) => owed.has(id)));
}

async function headerHash(port: JournalPort): Promise<string> {
  for await (const { hash } of readLines(port)) return hash;
  return "";
}

/**
 * The answers to all that was owed at a fork's cut. What that was is told from the lines: the code at
 * hand may be other than what wrote them, and may owe something else there.
 */
async function answersAt(
  port: JournalPort,
  { header, hash }: ReadHeader,
  trail: Trail,
): Promise<ReadonlyMap<string, Settlement>> {
  const { fork } = header;
  if (fork === undefined) return new Map();
  const other = followLink(port, fork, hash, trail);
  const { own, cut } = await readLinked(port, other.port, () => lookAround(other.port, fork));
  const before = await answersAt(other.port, own, other.trail);
  const answers = new Map<string, Settlement>();
  for (const each of header.set ?? []) if (cut.owed.has(each.id)) answers.set(each.id, each);
  for (const [id, event] of cut.settled) if (!answers.has(id)) answers.set(id, event);
  for (const effect of cut.owed.values()) {
    if (answers.has(effect.id)) continue;
    const answer = before.get(effect.id) ?? unknownOf(effect, cut, fork.runId);
    if (answer !== undefined) answers.set(effect.id, answer);
  }
  return answers;
}

/** What a run owed at a cut, and what became of it there afterwards. */
interface CutRun {
  readonly owed: ReadonlyMap<string, OwedLine>;
  /** Time of the last event before the cut. */
  readonly at: number;
  readonly settled: Map<string, Settlement>;
  readonly begun: Set<string>;
}

/** @throws ReckonerError `journal.link` where the event is not there as the link has it */
async function lookAround(
  port: JournalPort,
  fork: RunLink,
): Promise<{ readonly own: ReadHeader; readonly cut: CutRun }> {
  const lines = new OwedLines();
  let own: ReadHeader | undefined;
  let cut: CutRun | undefined;
  for await (const { line, hash, number } of readHistory(port)) {
    if (isHeaderLine(line)) own = { header: line, hash };
    if (cut !== undefined) {
      takeBehind(cut, line);
      continue;
    }
    lines.take(line, number);
    if (!isEventLine(line) || line.seq !== fork.seq) continue;
    if (hash !== fork.hash) break;
    const owed = new Map(lines.owed);
    cut = { owed, at: line.event.at, settled: new Map(), begun: new Set() };
  }
  if (own === undefined || cut === undefined) throw cutNotFound(port, fork);
  return { own, cut };
}

/** Takes in what a line behind a cut says of what was owed there. */
function takeBehind({ owed, settled, begun }: CutRun, line: Line): void {
  for (const id of begunIn(line)) if (owed.has(id)) begun.add(id);
  if (!isEventLine(line) || line.ignored === "stale") return;
  const { event } = line;
  if (isSettlement(event) && owed.has(event.id) && !settled.has(event.id)) {
    settled.set(event.id, event);
  }
}

function begunIn(line: Line): readonly string[] {
  if ("mark" in line) return "attempt" in line.mark ? [line.mark.id] : [];
  return isEventLine(line) ? startedIn(line) : [];
}

/** What is said of an effect that may have happened, and that a fork must not repeat. */
function unknownOf(
  { id, type, name = "", begun }: OwedLine,
  cut: CutRun,
  runId: string,
): Settlement | undefined {
  const { at } = cut;
  const where = `in run ${runId}, from which this one was forked (idempotency key ${pairKey(runId, id)})`;
  if (type === "tool" && (begun || cut.begun.has(id))) {
    const message = `Tool ${name} had started ${where}, and what came of it is not known.`;
    return {
      type: "tool.failed",
      id,
      at,
      reason: "unknown",
      error: { code: "tool.unknown", message },
    };
  }
  if (type === "write") {
    const message = `The write to ${name} was asked for ${where}, and whether it was done is not known.`;
    return { type: "write.failed", id, at, error: { code: "store.unknown", message } };
  }
  return undefined;
}
