/**
 * Decides how a fork settles the directives that are outstanding at its cut, in any run of its tree: by the
 * answer that it sets, by the one that the original got later, or as unknown if an attempt had begun there. A
 * person's decision is not taken along, a model call that failed is asked again, and what only follows from the
 * lines is derived (J11).
 */
import { type Inherited, ROOT } from "../../core/driver/index.js";
import {
  type DecodedLine,
  type EventLine,
  idFromRoot,
  isEventLine,
  type Line,
  OwedTree,
  ofChild,
  type RunLink,
  runOf,
  type SetAnswer,
  startedIn,
  type TreeOwed,
} from "../../core/journal/index.js";
import { hasSettled } from "../../core/kernel/machine/index.js";
import { tableHas } from "../../core/kernel/values/index.js";
import { isSettlement, pairKey, type Settlement } from "../../core/kernel/vocabulary/index.js";
import type { JournalPort } from "../ports/ports.js";
import { type HistorySegment, historySegments, type ReadHeader, readAround } from "./history.js";
import type { LoadedRun } from "./loaded-run.js";

/** An answer, and the run of what it settles. */
interface Answer extends Inherited {
  /** True if what it answers had begun at the cut. */
  readonly begun: boolean;
}

/** Answers by the ids by which the root knows what they settle, in the order in which they are to be given. */
type Answers = ReadonlyMap<string, Answer>;

/**
 * Returns what is known of what a fork owes. What it has begun itself since comes to something of its own.
 * @throws ReckonerError `journal.link`, and what reading the journals throws
 */
export async function inheritedAnswers(
  port: JournalPort,
  { header, headerHash, state, tree, upgrades }: LoadedRun<unknown>,
): Promise<readonly Inherited[]> {
  if (header.fork === undefined || state === undefined) return [];
  const answers = await answersFor(port, { header, hash: headerHash });
  const runs = new Map([...tree.children].map((each) => [each.path, each.replay]));
  if (tree.root !== undefined) runs.set(ROOT, tree.root);
  return [...answers.values()].filter(({ run, event, begun }) => {
    const replay = runs.get(run);
    // A child that begins under other code asks anew.
    if (replay === undefined) return upgrades.length === 0;
    return begun || !tableHas(replay.ledger.memory.begun, event.id);
  });
}

/**
 * Returns those of the answers that are given at a time, in their order. A timer that went off in another run
 * has not yet where the fork goes on at an earlier time, and gets nothing else of a later one.
 * @param now the clock's time, but not before the last event
 * @param decided what is decided anew
 */
export function dueAt(
  now: number,
  inherited: readonly Inherited[],
  decided: readonly { readonly run?: string | undefined; readonly id: string }[],
): readonly Inherited[] {
  const due: Inherited[] = [];
  let until = now;
  for (const each of [...inherited].reverse()) {
    const { run, event } = each;
    if (decided.some((one) => (one.run ?? ROOT) === run && one.id === event.id)) continue;
    if (event.type !== "timer.fired") until = Math.max(until, event.at);
    else if (event.at > until) continue;
    due.push(each);
  }
  return due.reverse();
}

/**
 * The answers to all that was owed at a fork's cut. What that was is told from the lines: the code at
 * hand may be other than what wrote them, and may owe something else there. Of a fork of a fork each
 * original is read once, the oldest first: what was owed at a cut is known from the lines before it.
 */
async function answersFor(port: JournalPort, own: ReadHeader): Promise<Answers> {
  const lines = new OwedTree();
  let answers: Answers = new Map();
  let cut: CutRun | undefined;
  const segments = await historySegments(port, own);
  for (const [i, segment] of segments.entries()) {
    if (cut !== undefined) answers = answersAt(cut, segment.header.set ?? [], answers);
    const set = segments[i + 1]?.header.set ?? [];
    if (segment.until !== undefined) cut = await lookAround(segment, segment.until, lines, set);
  }
  return answers;
}

/** @param before what had been owed at the cut from which the run itself was forked */
function answersAt(cut: CutRun, set: readonly SetAnswer[], before: Answers): Answers {
  const answers = new Map<string, Answer>();
  const put = ({ run = ROOT, event }: SetAnswer) => {
    const key = idFromRoot(run, event.id);
    const owed = cut.owed.get(key);
    if (owed !== undefined && !answers.has(key))
      answers.set(key, { run, event, begun: owed.begun });
  };
  for (const each of set) put(each);
  for (const each of cut.settled.values()) if (isInherited(each.event)) put(each);
  for (const [key, effect] of cut.owed) {
    const found = before.get(key);
    const unknown = found === undefined ? unknownOf(effect, cut, key) : undefined;
    if (unknown !== undefined) put({ run: effect.run, event: unknown });
    if (found === undefined || answers.has(key)) continue;
    if (isInherited(found.event)) answers.set(key, found);
  }
  return answers;
}

/** Returns true for what the world said; a person is asked again, a model that failed too, and a child's outcome follows. */
export function isInherited({ type }: Settlement): boolean {
  return !/^(?:approval\.decided|llm\.failed|run\.succeeded|run\.failed)$/.test(type);
}

/** The debts of a tree at a cut, and what became of them there afterwards. */
interface CutRun {
  readonly runId: string;
  readonly owed: ReadonlyMap<string, TreeOwed>;
  /** Time of the last event before the cut. */
  readonly at: number;
  readonly settled: Map<string, SetAnswer>;
  readonly begun: Set<string>;
  /** There is a fault behind the cut: whatever is owed may have begun behind that. */
  readonly isDamaged: boolean;
}

/**
 * @param lines of the run's own originals, which take in its lines up to the cut
 * @param set answers of the fork: what is set does not follow
 */
async function lookAround(
  { port, header }: HistorySegment,
  until: RunLink,
  lines: OwedTree,
  set: readonly SetAnswer[],
): Promise<CutRun> {
  const setAnswers = [...(header.set ?? []), ...set];
  const settled = new Map<string, SetAnswer>();
  const begun = new Set<string>();
  let at = 0;
  let owed: ReadonlyMap<string, TreeOwed> | undefined;
  let isDamaged = false;
  const damaged = () => {
    isDamaged = true;
  };
  for await (const piece of readAround(port, header, until, { damaged })) {
    for (const [past, behind] of piece) {
      // The fork derives what only follows from the cut, and owes what comes of that.
      if (!behind || (owed === undefined && isDerived(past, setAnswers))) lines.take(past);
      else {
        owed ??= lines.owed;
        takeBehind({ owed, settled, begun }, past);
      }
      if (!behind && isEventLine(past.line)) at = past.line.event.at;
    }
  }
  return { runId: until.runId, at, owed: owed ?? lines.owed, settled, begun, isDamaged };
}

/** Returns true if a line only follows from lines before it: a child's beginning or cancel, its parent's settlement. */
export function isDerived(decoded: DecodedLine, set: readonly SetAnswer[]): boolean {
  const { line } = decoded;
  if ("more" in line) return true;
  if (!isEventLine(line)) return false;
  const { run = ROOT, begin, event } = line;
  if (begin !== undefined) return true;
  if (run !== ROOT && event.type === "cancel") return true;
  if (event.type !== "run.succeeded" && event.type !== "run.failed") return false;
  return !set.some((each) => (each.run ?? ROOT) === run && each.event.id === settledId(line));
}

function settledId({ event }: EventLine): string | undefined {
  return isSettlement(event) ? event.id : undefined;
}

/** Takes in what a line behind a cut says of what was owed there. */
function takeBehind(
  { owed, settled, begun }: Pick<CutRun, "owed" | "settled" | "begun">,
  decoded: DecodedLine,
): void {
  const { line } = decoded;
  const run = runOf(decoded);
  for (const id of begunIn(line)) {
    const key = idFromRoot(run, id);
    if (owed.has(key)) begun.add(key);
  }
  if (!isEventLine(line) || !hasSettled(line.ignored)) return;
  const { event } = line;
  if (!isSettlement(event)) return;
  const key = idFromRoot(run, event.id);
  if (owed.has(key) && !settled.has(key)) settled.set(key, { run, event });
}

/** The effects of which an attempt begins with a line. */
export function begunIn(line: Line): readonly string[] {
  if ("mark" in line) return "attempt" in line.mark ? [line.mark.id] : [];
  return isEventLine(line) ? startedIn(line) : [];
}

/** What is said of an effect that may have happened, and that a fork must not repeat. */
function unknownOf(
  { run, id, type, name = "", begun }: TreeOwed,
  { runId: root, at, begun: begunBehind, isDamaged }: CutRun,
  key: string,
): Settlement | undefined {
  const runId = run === ROOT ? root : ofChild(root, run);
  const where = `in run ${runId}, from which this one was forked (idempotency key ${pairKey(runId, id)})`;
  const hasBegun = begun || begunBehind.has(key);
  if (type === "tool" && (hasBegun || isDamaged)) {
    const had = hasBegun ? "had started" : "may have started";
    const message = `Tool ${name} ${had} ${where}, and what came of it is not known.`;
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
