/**
 * The laws of a run and its journal: live, replayed and resumed runs give the same result (P1, P2,
 * P6).
 */
import { isEventLine, type Line } from "../core/journal/index.js";
import { isSettlement } from "../core/kernel/index.js";
import { fold, type ReasonerVersions, replay } from "../runtime/index.js";
import { inOrder } from "./checking/choose.js";
import {
  hold,
  type LawOptions,
  liveLaw,
  type PropertyLaw,
  type Subject,
  same,
} from "./property-law.js";
import type { Script } from "./script.js";
import { innermost, type LiveRun, live } from "./scripted-host.js";
import { underAnotherName } from "./surviving.js";
import { splitJournal } from "./text-journal.js";

/** The number of prefixes of a journal that a run is resumed from, in one case. */
const PREFIXES = 4;

/** The laws that take live runs with a journal. */
export function journalRunLaws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): readonly PropertyLaw[] {
  return [
    liveLaw(
      "a live run is the fold of its journal, which replays identical",
      subject,
      options,
      async (reasoner, input, script) => {
        const lived = await live(reasoner, input, script, options);
        await isItsFold(reasoner, lived, "the live run");
        await observedIsRecorded(lived);
      },
    ),
    liveLaw(
      "a run resumed from any prefix of its journal goes on from there and repeats nothing",
      subject,
      options,
      async (reasoner, input, script) => {
        const lived = await live(reasoner, input, script, options);
        for (const prefix of prefixesOf(lived.journal.texts, script)) {
          const resumed = await live(reasoner, input, script, options, prefix);
          await isItsFold(reasoner, resumed, `the run resumed after ${where(prefix)}`);
          goesOn(resumed, prefix);
          const waits = options.rests === undefined && resumed.end?.status === "waiting";
          hold(!waits, () => `the run waits, resumed after ${where(prefix)}`);
          if (lived.end === undefined || resumed.end === undefined) continue;
          const whole = [...prefix].every(([path, text]) => lived.journal.texts.get(path) === text);
          if (whole) same(lived.end.state, resumed.end.state, "the end and the end once more");
          if (options.confluent === true) sameOutcome(lived, resumed, prefix);
        }
      },
    ),
    liveLaw(
      "a run upgraded to code that does the same, from any prefix of its journal, ends the same",
      subject,
      options,
      async (reasoner, input, script) => {
        const lived = await live(reasoner, input, script, options);
        const renamed = underAnotherName(reasoner);
        for (const prefix of prefixesOf(lived.journal.texts, script)) {
          const resumed = await live(reasoner, input, script, options, prefix);
          const upgraded = await live(renamed, input, script, options, prefix, undefined, reasoner);
          await isItsFold([renamed, reasoner], upgraded, `the run upgraded after ${where(prefix)}`);
          goesOn(upgraded, prefix);
          if (resumed.end === undefined || upgraded.end === undefined) continue;
          const [one, other] = [resumed.end.state, upgraded.end.state];
          same(one, other, `the run resumed and the run upgraded after ${where(prefix)}`);
        }
      },
    ),
  ];
}

/** The run is what its journal folds to, and the journal replays identical. */
export async function isItsFold<Input, Output, Context>(
  reasoner: ReasonerVersions<Input, Output, Context>,
  { end, journal }: LiveRun<Output, Context>,
  what: string,
): Promise<void> {
  const report = await replay(reasoner, journal);
  hold(report.status === "identical", () => `${what} replays ${JSON.stringify(report)}`);
  for (const [path, text] of journal.texts) {
    // A child of which a torn header is left has not begun.
    if (!text.includes("\n")) continue;
    const at = path.split(" ").reduce((each, id) => (id === "" ? each : each.child(id)), journal);
    const child = await replay(reasoner, at);
    hold(child.status === "identical", () => `${path} of ${what} replays ${JSON.stringify(child)}`);
  }
  if (end === undefined) return;
  const folded = await fold(reasoner, journal);
  same(end.state, folded.state, `${what} and the fold of its journal`);
  same(report.events, end.events, `the events replayed and the events of ${what}`);
}

/** Observers saw the lines of the journal, in its order. */
function observedIsRecorded<Output, Context>({ observations, journal }: LiveRun<Output, Context>) {
  const seen = observations.flatMap((each) => (each.type === "step" ? [each.event] : []));
  const recorded = linesOf(journal.text).flatMap((line) => (isEventLine(line) ? [line.event] : []));
  same(seen, recorded, "the events observed and the events recorded");
}

export function linesOf(text: string): Line[] {
  return splitJournal(text).lines.map((line) => JSON.parse(line) as Line);
}

/** A tree of journals, by the ids that lead to each. */
type Texts = ReadonlyMap<string, string>;

const where = (prefix: Texts) =>
  [...prefix].map(([path, text]) => `${splitJournal(text).lines.length} lines ${path}`).join(", ");

/**
 * The whole journals, the header of the first, and some in between, of which some end in a torn line.
 * Each journal of a tree is cut for itself.
 */
function prefixesOf(texts: Texts, { moves, values }: Script): Texts[] {
  const choose = inOrder([...moves].reverse(), values);
  const upTo = (lines: readonly string[], count: number) =>
    lines
      .slice(0, count)
      .map((line) => `${line}\n`)
      .join("");
  /** @param least of its lines, as far as its parent's journal says that they were durable */
  const cut = (text: string, least: number) => {
    const { lines } = splitJournal(text);
    const count = least + choose(lines.length + 1 - least);
    const next = lines[count] ?? "";
    return upTo(lines, count) + next.slice(0, choose(2) * choose(next.length));
  };
  const some = Array.from({ length: PREFIXES - 2 }, () => {
    const kept = new Map<string, string>();
    for (const [path, text] of [...texts].sort(([a], [b]) => a.length - b.length)) {
      kept.set(path, cut(text, leastOf(path, text, kept)));
    }
    return kept;
  });
  const header = upTo(splitJournal(texts.get("") ?? "").lines, 1);
  return [texts, new Map([["", header]]), ...some];
}

/**
 * Counts the durable lines of a child's journal, by the rest of its parent's: its header where it is
 * marked as begun, all of them where it is marked as ended. Without its header the first run never began.
 */
function leastOf(path: string, text: string, kept: Texts): number {
  if (path === "") return 1;
  const ids = path.split(" ");
  const above = kept.get(ids.slice(0, -1).join(" ")) ?? "";
  const marked = (child: string) =>
    above.includes(`{"mark":{"id":${JSON.stringify(ids.at(-1))},"child":"${child}"`);
  if (marked("ended")) return splitJournal(text).lines.length;
  return marked("begun") ? 1 : 0;
}

/** The resumed journals begin with the prefix, and nothing that is settled there begins again. */
export function goesOn<Output, Context>(resumed: LiveRun<Output, Context>, prefix: Texts): void {
  const settled = new Set<string>();
  for (const [path, text] of prefix) {
    const kept = text.slice(0, text.lastIndexOf("\n") + 1);
    const now = resumed.journal.texts.get(path) ?? "";
    hold(now.startsWith(kept), () => `${where(prefix)} were changed by a resume at ${path}`);
    for (const line of linesOf(kept)) {
      if (isEventLine(line) && isSettlement(line.event)) settled.add(`${path}:${line.event.id}`);
    }
  }
  for (const [path, each] of resumed.observations.map((seen) => innermost(seen))) {
    const again = each.type === "started" && settled.has(`${path}:${each.id}`);
    hold(!again, () => `${JSON.stringify(each)} although it is settled within ${where(prefix)}`);
  }
}

/** Where order does not matter, what came after the prefix is what came in the live run. */
function sameOutcome<Output, Context>(
  lived: LiveRun<Output, Context>,
  resumed: LiveRun<Output, Context>,
  prefix: Texts,
): void {
  if (lived.disturbed || resumed.disturbed) return;
  if (lived.end === undefined || resumed.end === undefined) return;
  // A tool that had used up its attempts when the process ended stays unknown: legitimately so.
  const texts = [...resumed.journal.texts.values()];
  if (texts.some((text) => text.includes('"reason":"unknown"'))) return;
  same(
    outcomeOf(lived),
    outcomeOf(resumed),
    `the live run and the run resumed after ${where(prefix)}`,
  );
}

/** Returns the outcome of a run, and its questions to models on the way. */
export function outcomeOf<Output, Context>({ end, journal }: LiveRun<Output, Context>): object {
  return {
    status: end?.status,
    value: end?.state.value,
    context: end?.context,
    issued: end?.state.issued,
    requests: linesOf(journal.text)
      .flatMap((line) => (isEventLine(line) ? (line.do ?? []) : []))
      .filter(({ type }) => type === "llm"),
  };
}
