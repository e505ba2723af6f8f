/**
 * What a fork does about directives that are outstanding at its cut: the answer that it sets, the
 * answer that the world gave the original later, or an unknown outcome if it had begun there. What a
 * person decided is not taken along, and a model call that failed is asked again (J11).
 */
import {
  type HeaderLine,
  isEventLine,
  type Line,
  type OwedLine,
  OwedLines,
  type RunLink,
  startedIn,
} from "../../core/journal/index.js";
import {
  hasSettled,
  isSettlement,
  pairKey,
  type Settlement,
  tableValues,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { type HistorySegment, historySegments, type ReadHeader, readAround } from "./history.js";
import type { LoadedRun } from "./loaded-run.js";
import { findHeader } from "./read-journal.js";

/** Answers by the id of what they settle, in the order in which they are to be given. */
export type Inherited = ReadonlyMap<string, Pick<Known, "answer" | "of">>;

/** A child whose journal is open, and its own. */
interface OpenChild {
  readonly loaded: Pick<LoadedRun<unknown>, "header" | "state">;
  readonly children: ReadonlyMap<string, OpenChild>;
}

/** A run whose journal is open, with the children that it owes. */
interface Open extends OpenChild {
  readonly port: JournalPort;
  readonly loaded: Pick<LoadedRun<unknown>, "header" | "headerHash" | "state" | "attempts">;
}

/** An answer, and what it is an answer to. */
interface Known {
  readonly answer: Settlement;
  /** Where the run got it whose answer it is; absent where no run did. */
  readonly of: JournalPort | undefined;
  /** Whether what it answers had begun at the cut. */
  readonly begun: boolean;
}

/**
 * What is known of what a fork owes. What it has begun itself since, or its child has, comes to
 * something of its own.
 * @throws ReckonerError `journal.link`, and what reading the journals throws
 */
export async function inheritedAnswers({ port, loaded, children }: Open): Promise<Inherited> {
  const { header, headerHash, state, attempts } = loaded;
  const answers = new Map<string, Known>();
  if (header.fork === undefined || state === undefined) return answers;
  const owed = new Set(tableValues(state.outstanding).map(({ id }) => id));
  if (owed.size === 0) return answers;
  const known = await answersFor(port, { header, hash: headerHash });
  for (const [id, each] of known) {
    const child = children.get(id);
    const hasBegun = attempts.has(id) && !each.begun;
    if (!owed.has(id) || hasBegun || (child !== undefined && asksPerson(child))) continue;
    if (child === undefined || !(await hasParted(child, each.of?.child?.(id)))) {
      answers.set(id, each);
    }
  }
  return answers;
}

/**
 * Those of the answers that are given at a time, in their order. A timer that went off in another run
 * has not yet where the fork goes on at an earlier time, and gets nothing else of a later one.
 * @param now the clock's time, but not before the last event
 * @param decided what is decided anew
 */
export function givenAt(
  now: number,
  inherited: Inherited,
  decided: ReadonlySet<string>,
): ReadonlyMap<string, Settlement> {
  const given = new Map<string, Settlement>();
  let until = now;
  for (const [id, { answer }] of [...inherited].reverse()) {
    if (decided.has(id)) continue;
    if (answer.type !== "timer.fired") until = Math.max(until, answer.at);
    else if (answer.at > until) continue;
    given.set(id, answer);
  }
  return new Map([...given].reverse());
}

/** Returns true where a person is asked in a child or below: its outcome follows from what they say. */
function asksPerson({ loaded: { state }, children }: OpenChild): boolean {
  const owed = state === undefined ? [] : tableValues(state.outstanding);
  return owed.some(({ type }) => type === "approval") || [...children.values()].some(asksPerson);
}

/**
 * Whether a child has gone on in its own way, itself or one below it, or is of a fork that had: what
 * another run's child came to is not what this one comes to.
 * @param original the other's journal
 */
async function hasParted(
  { loaded: { header, state }, children }: OpenChild,
  original: JournalPort | undefined,
): Promise<boolean> {
  const { fork } = header;
  if ((state?.seq ?? -1) > (fork?.seq ?? -1)) return true;
  if (fork !== undefined && !(await runsOf(original)).has(fork.runId)) return true;
  for (const [id, child] of children) {
    if (await hasParted(child, original?.child?.(id))) return true;
  }
  return false;
}

/** The runs of a journal's history: its own, and those that it was forked from. */
async function runsOf(journal: JournalPort | undefined): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  for (let port = journal; port !== undefined; ) {
    const header = await findHeader(port);
    if (header === undefined || runs.has(header.runId)) break;
    runs.add(header.runId);
    port = header.fork === undefined ? undefined : port.follow?.(header.fork.journal);
  }
  return runs;
}

/**
 * The answers to all that was owed at a fork's cut. What that was is told from the lines: the code at
 * hand may be other than what wrote them, and may owe something else there. Of a fork of a fork each
 * original is read once, the oldest first: what was owed at a cut is known from the lines before it.
 */
async function answersFor(port: JournalPort, own: ReadHeader): Promise<ReadonlyMap<string, Known>> {
  const lines = new OwedLines();
  let answers: ReadonlyMap<string, Known> = new Map();
  let cut: CutRun | undefined;
  for (const segment of await historySegments(port, own)) {
    if (cut !== undefined) answers = answersAt(cut, segment.header, answers);
    if (segment.until !== undefined) cut = await lookAround(segment, segment.until, lines);
  }
  return answers;
}

/** @param before what had been owed at the cut from which the run itself was forked */
function answersAt(
  cut: CutRun,
  { set = [] }: HeaderLine,
  before: ReadonlyMap<string, Known>,
): ReadonlyMap<string, Known> {
  const answers = new Map<string, Known>();
  const put = (answer: Settlement | undefined, of?: JournalPort) => {
    const owed = answer === undefined ? undefined : cut.owed.get(answer.id);
    if (answer === undefined || owed === undefined || answers.has(answer.id)) return;
    answers.set(answer.id, { answer, of, begun: owed.begun });
  };
  for (const each of set) put(each);
  for (const each of cut.settled.values()) if (isInherited(each)) put(each, cut.port);
  for (const effect of cut.owed.values()) {
    const known = before.get(effect.id);
    if (known === undefined) put(unknownOf(effect, cut));
    else if (!answers.has(effect.id) && isInherited(known.answer)) answers.set(effect.id, known);
  }
  return answers;
}

/** Returns true for what the world said; a person is asked again, and so is a model that failed. */
export function isInherited({ type }: Settlement): boolean {
  return type !== "approval.decided" && type !== "llm.failed";
}

/** What a run owed at a cut, and what became of it there afterwards. */
interface CutRun {
  readonly port: JournalPort;
  readonly runId: string;
  readonly owed: ReadonlyMap<string, OwedLine>;
  /** Time of the last event before the cut. */
  readonly at: number;
  readonly settled: Map<string, Settlement>;
  readonly begun: Set<string>;
}

/** @param lines of the run's own originals, which take in its lines up to the cut */
async function lookAround(
  { port, header }: HistorySegment,
  until: RunLink,
  lines: OwedLines,
): Promise<CutRun> {
  const settled = new Map<string, Settlement>();
  const begun = new Set<string>();
  let at = 0;
  for await (const piece of readAround(port, header, until)) {
    for (const [{ line, number }, behind] of piece) {
      if (behind) {
        takeBehind({ owed: lines.owed, settled, begun }, line);
        continue;
      }
      lines.take({ line, number });
      if (isEventLine(line)) at = line.event.at;
    }
  }
  return { port, runId: until.runId, at, owed: new Map(lines.owed), settled, begun };
}

/** Takes in what a line behind a cut says of what was owed there. */
function takeBehind(
  { owed, settled, begun }: Pick<CutRun, "owed" | "settled" | "begun">,
  line: Line,
): void {
  for (const id of begunIn(line)) if (owed.has(id)) begun.add(id);
  if (!isEventLine(line) || !hasSettled(line.ignored)) return;
  const { event } = line;
  if (isSettlement(event) && owed.has(event.id) && !settled.has(event.id)) {
    settled.set(event.id, event);
  }
}

/** The effects of which an attempt begins with a line. */
export function begunIn(line: Line): readonly string[] {
  if ("mark" in line) return "attempt" in line.mark ? [line.mark.id] : [];
  return isEventLine(line) ? startedIn(line) : [];
}

/** What is said of an effect that may have happened, and that a fork must not repeat. */
function unknownOf(
  { id, type, name = "", begun }: OwedLine,
  { runId, at, begun: begunBehind }: CutRun,
): Settlement | undefined {
  const where = `in run ${runId}, from which this one was forked (idempotency key ${pairKey(runId, id)})`;
  if (type === "tool" && (begun || begunBehind.has(id))) {
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
