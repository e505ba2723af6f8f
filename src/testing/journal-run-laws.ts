/**
 * The laws of a run and its journal: live, replayed and resumed runs give the same result (P1, P2,
 * P6).
 */
import { isEventLine, type Line } from "../core/journal/index.js";
import type { Reasoner } from "../core/kernel/machine/index.js";
import { messageOf } from "../core/kernel/values/index.js";
import { isSettlement } from "../core/kernel/vocabulary/index.js";
import { inOrder } from "./checking/choose.js";
import {
  hold,
  type LawOptions,
  type PropertyLaw,
  propertyLaw,
  type Subject,
  same,
} from "./property-law.js";
import type { Script } from "./script.js";
import { foldOf, type LiveRun, live } from "./scripted-host.js";
import { SimulatedDisk } from "./simulated-disk.js";
import { underAnotherName } from "./surviving.js";

/** The number of prefixes of a journal that a run is resumed from, in one case. */
const PREFIXES = 4;

/** The laws that take live runs with a journal. */
export function journalRunLaws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): readonly PropertyLaw[] {
  return [
    propertyLaw(
      "a live run is the fold of its journal, which replays identical",
      subject,
      options,
      (reasoner, input, script) => {
        const lived = live(reasoner, input, script, options);
        isItsFold([reasoner], lived, "the live run");
        shownIsRecorded(lived);
      },
      true,
    ),
    propertyLaw(
      "a run resumed from any prefix of its journal goes on from there and repeats nothing",
      subject,
      options,
      (reasoner, input, script) => {
        const lived = live(reasoner, input, script, options);
        for (const prefix of prefixesOf(lived.lines, script)) {
          const disk = new SimulatedDisk(prefix);
          const resumed = live(reasoner, input, script, options, { disk });
          isItsFold([reasoner], resumed, `the run resumed after ${where(prefix)}`);
          goesOn(resumed, prefix.lines);
          const waits = options.waits === undefined && resumed.status === "waiting";
          hold(!waits, () => `the run waits, resumed after ${where(prefix)}`);
          if (lived.status === undefined || resumed.status === undefined) continue;
          const whole = prefix.lines.length === lived.lines.length;
          if (whole) same(lived.state, resumed.state, "the end and the end once more");
          if (options.confluent === true) sameOutcome(lived, resumed, prefix);
        }
      },
      true,
    ),
    propertyLaw(
      "a run upgraded to code that does the same, from any prefix of its journal, ends the same",
      subject,
      options,
      (reasoner, input, script) => {
        const lived = live(reasoner, input, script, options);
        const renamed = underAnotherName(reasoner);
        for (const prefix of prefixesOf(lived.lines, script)) {
          const on = () => new SimulatedDisk(prefix);
          const resumed = live(reasoner, input, script, options, { disk: on() });
          const around = { disk: on(), before: reasoner };
          const upgraded = live(renamed, input, script, options, around);
          isItsFold([renamed, reasoner], upgraded, `the run upgraded after ${where(prefix)}`);
          goesOn(upgraded, prefix.lines);
          if (resumed.status === undefined || upgraded.status === undefined) continue;
          const what = `the run resumed and the run upgraded after ${where(prefix)}`;
          same(resumed.state, upgraded.state, what);
        }
      },
      true,
    ),
  ];
}

/** The journal of a run, in which each step is what it says, folds to the run. */
export function isItsFold<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  { status, state, lines }: Pick<LiveRun<Context>, "status" | "state" | "lines">,
  what: string,
): void {
  let folded: ReturnType<typeof foldOf<Input, Output, Context>>["state"];
  try {
    folded = foldOf(reasoners, lines).state;
  } catch (thrown) {
    throw new Error(`The journal of ${what} does not fold: ${messageOf(thrown)}`);
  }
  if (status !== undefined) same(state, folded, `${what} and the fold of its journal`);
}

/** Observers saw the lines of the journal, in its order. */
function shownIsRecorded<Context>({ status, shown, lines }: LiveRun<Context>): void {
  // A run that was stopped at its bound is not seen to its end.
  if (status === undefined) return;
  const seen = shown.flatMap((each) => (each.type === "step" ? [[each.run, each.event]] : []));
  const recorded = parsed(lines).flatMap((line) =>
    isEventLine(line) ? [[line.run ?? "", line.event]] : [],
  );
  same(seen, recorded, "the events observed and the events recorded");
}

/** Lines of a journal as data. */
export function parsed(lines: readonly string[]): readonly Line[] {
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The part of a journal that a process has left. */
type Prefix = Pick<SimulatedDisk, "lines" | "torn">;

const where = ({ lines }: Prefix) => `${lines.length} lines`;

/** The whole journal, its header, and some prefixes in between, of which some end in a torn line. */
function prefixesOf(lines: readonly string[], { moves, values }: Script): readonly Prefix[] {
  const choose = inOrder([...moves].reverse(), values);
  const some = Array.from({ length: PREFIXES - 2 }, () => {
    const count = 1 + choose(lines.length);
    const next = lines[count] ?? "";
    return {
      lines: lines.slice(0, count),
      torn: next.slice(0, choose(2) * choose(next.length)),
    };
  });
  return [{ lines: [...lines], torn: "" }, { lines: lines.slice(0, 1), torn: "" }, ...some];
}

/** The resumed journal begins with the prefix, and nothing that is settled there begins again. */
export function goesOn<Context>(resumed: LiveRun<Context>, prefix: readonly string[]): void {
  const changed = prefix.findIndex((line, i) => resumed.lines[i] !== line);
  hold(changed < 0, () => `line ${changed + 1} of ${prefix.length} was changed by a resume`);
  const settled = new Set<string>();
  for (const line of parsed(prefix)) {
    if (isEventLine(line) && isSettlement(line.event)) {
      settled.add(`${line.run ?? ""} ${line.event.id}`);
    }
  }
  for (const { run, id, attempt } of resumed.started) {
    const again = settled.has(`${run} ${id}`);
    const of = run === "" ? id : `${id} of ${run}`;
    hold(!again, () => `attempt ${attempt} of ${of} begins although it is settled before`);
  }
}

/** Where order does not matter, what came after the prefix is what came in the live run. */
function sameOutcome<Context>(
  lived: LiveRun<Context>,
  resumed: LiveRun<Context>,
  prefix: Prefix,
): void {
  if (lived.disturbed || resumed.disturbed) return;
  // A tool that had used up its attempts when the process ended stays unknown: legitimately so.
  if (resumed.lines.some((line) => line.includes('"reason":"unknown"'))) return;
  const what = `the live run and the run resumed after ${where(prefix)}`;
  same(outcomeOf(lived), outcomeOf(resumed), what);
}

/** Returns the outcome of a run, and its questions to models on the way. */
export function outcomeOf<Context>({ status, state, lines }: LiveRun<Context>): object {
  return {
    status,
    value: state?.value,
    context: state?.context,
    issued: state?.issued,
    requests: parsed(lines)
      .flatMap((line) => (isEventLine(line) && line.run === undefined ? (line.do ?? []) : []))
      .filter(({ type }) => type === "llm"),
  };
}
