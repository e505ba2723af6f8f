/**
 * `faultLaws`: the laws under injected faults: the promises hold, and the journal stays readable.
 */

import fc from "fast-check";
import { isEventLine, type Line } from "../core/journal/index.js";
import {
  isList,
  isReckonerError,
  type List,
  type LlmDirective,
  type Message,
  messageOf,
  owedBy,
  type Reasoner,
  toArray,
} from "../core/kernel/index.js";
import { resume } from "../runtime/index.js";
import { checkLawOptions } from "./check-plan.js";
import { type FaultPlan, faultPlan } from "./fault-plan.js";
import { goesOn, isItsFold, linesOf, outcomeOf } from "./journal-run-laws.js";
import {
  cases,
  hold,
  type LawCase,
  type LawOptions,
  type PropertyLaw,
  repeated,
  type Subject,
  same,
} from "./property-law.js";
import { type Script, worldScript } from "./script.js";
import { innermost, type LiveRun } from "./scripted-host.js";
import {
  type Process,
  printSurvived,
  type Survived,
  surviving,
  underAnotherName,
} from "./surviving.js";
import { textJournal } from "./text-journal.js";
import { transcriptFault } from "./transcript-fault.js";

type PlannedCase = LawCase & { readonly plan: FaultPlan };

/** One case of a law under faults. */
interface FaultCase<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly input: Input;
  readonly script: Script;
  readonly plan: FaultPlan;
  /** Runs it, with this plan or another. */
  go(plan?: FaultPlan): Promise<Survived<Output, Context>>;
}

/** Judges a run that survived a plan of faults by one law; it throws where the law does not hold. */
type Judge<Input, Output, Context> = (
  survived: Survived<Output, Context>,
  of: FaultCase<Input, Output, Context>,
) => void | Promise<void>;

/** The laws under faults (P1 to P7), and that faults are the same each time; each with its name. */
function faultJudges<Input, Output, Context>(
  options: LawOptions<Input>,
): readonly (readonly [name: string, judge: Judge<Input, Output, Context>])[] {
  const judged = (name: string, judge: Judge<Input, Output, Context>) => [name, judge] as const;
  return [
    judged(
      "under any faults the journal is whole after each process, and replays identical",
      async ({ processes }, { reasoner, plan }) => {
        const versions =
          plan.upgrade === undefined ? reasoner : [underAnotherName(reasoner), reasoner];
        for (const [i, process] of processes.entries()) {
          // Read anew: its own calls may be such as fail.
          const journal = textJournal(process.journal.texts);
          if (!journal.text.includes("\n")) continue;
          await isItsFold(versions, { ...process, journal }, `the run after process ${i}`);
        }
      },
    ),
    judged("under any faults nothing that is settled begins again", ({ processes }) => {
      for (const process of processes)
        if (process.from !== undefined) goesOn(process, process.from);
    }),
    judged("under any faults a tool that may not be repeated begins once", ({ processes }) => {
      const begun = processes.flatMap(({ begunOnce }) => begunOnce);
      const twice = begun.find((key, i) => begun.indexOf(key) !== i);
      hold(twice === undefined, () => `${twice} began twice`);
    }),
    judged("under any faults a write is repeated as it was, under its key", ({ processes }) => {
      const known = new Map<string, string>();
      for (const { key, operations } of processes.flatMap(({ written }) => written)) {
        const before = known.get(key) ?? operations;
        hold(before === operations, () => `${key} wrote ${before}, and then ${operations}`);
        known.set(key, operations);
      }
    }),
    judged("under any faults a model reads transcripts that are whole", ({ processes }) => {
      for (const { observations } of processes) {
        for (const [, seen] of observations.map((each) => innermost(each))) {
          if (seen.type !== "step") continue;
          for (const each of seen.directives) if (each.type === "llm") isWhole(each);
        }
      }
    }),
    judged(
      "answers that are late, come twice or in another order, and a clock that stands still, change nothing",
      async (_survived, { plan, go }) => {
        if (options.confluent !== true) return;
        const [plain, other] = [await go({}), await go(harmless(plan))];
        if (plain.last.disturbed || other.last.disturbed) return;
        same(anyOrder(plain.last), anyOrder(other.last), "the run, and the run with such faults");
      },
    ),
    judged("under any faults no value is written twice", ({ last }) => {
      for (const [path, text] of last.journal.texts) {
        const known = new Set<string>();
        for (const reference of linesOf(text).flatMap(valuesOf)) {
          hold(!known.has(reference), () => `${reference} stands twice in the journal ${path}`);
          known.add(reference);
        }
      }
    }),
    judged("under any faults what a run was told, and took, is not lost", ({ processes }) => {
      for (const process of processes) tookWhatItWasTold(process);
    }),
    judged(
      "a run that was upgraded is refused by its old code, and stays as it was",
      async ({ last }, { reasoner, plan, go }) => {
        // Without an upgrade in the plan there is one at the end.
        const upgraded =
          plan.upgrade === undefined ? (await go({ ...plan, upgrade: 0 })).last : last;
        if (!isUnderTheNewName(upgraded.journal.text)) return;
        const before = [...upgraded.journal.texts];
        const journal = textJournal(upgraded.journal.texts);
        const code = await Promise.resolve(resume(reasoner, journal)).then(
          () => "nothing",
          (thrown) => (isReckonerError(thrown) ? thrown.code : String(thrown)),
        );
        same("journal.configuration", code, "how the old code is refused, and how it was,");
        same(before, [...journal.texts], "the journal before and after");
      },
    ),
    judged("the same faults give the same bytes", async ({ last }, { go }) => {
      same([...last.journal.texts], [...(await go()).last.journal.texts], "two runs of one plan");
    }),
  ];
}

/**
 * The laws under faults (P1 to P7), and that faults are the same each time.
 * @param plans Default: {@link faultPlan}
 */
export function faultLaws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
  plans: fc.Arbitrary<FaultPlan> = faultPlan(),
): readonly PropertyLaw[] {
  checkLawOptions("faultLaws", subject, options);
  const surviveAs = ({ reasoner, input, script, plan }: PlannedCase, other = plan) =>
    surviving(reasoner as Reasoner<Input, Output, Context>, input as Input, script, other, options);
  const script = options.script ?? worldScript({ maxMoves: 12 });
  /** The events of cases that break a law: a counterexample is printed without being run again. */
  const printed = new WeakMap<PlannedCase, string>();
  const planned = fc.tuple(cases(subject, { ...options, script }), plans).map(([of, plan]) => {
    const case_: PlannedCase = { ...of, plan };
    const value = () => [repeated({ ...case_ }), printed.get(case_) ?? ""].join("\n");
    return Object.defineProperty(case_, fc.toStringMethod, { value });
  });
  return faultJudges<Input, Output, Context>(options).map(([name, judge]): PropertyLaw => {
    const property = fc.asyncProperty(planned, async (of) => {
      const go = (other?: FaultPlan) => surviveAs(of, other);
      const survived = await go();
      try {
        await judge(survived, { ...of, go } as unknown as FaultCase<Input, Output, Context>);
      } catch (thrown) {
        printed.set(of, printSurvived(survived));
        throw thrown;
      }
    });
    return { name, property: property as unknown as PropertyLaw["property"] };
  });
}

/** A law that a plan of faults breaks. */
export interface BrokenUnderFaults {
  readonly law: string;
  /** The breach, in words. */
  readonly message: string;
  /** All that happened, as events and directives. */
  readonly text: string;
}

/**
 * Leads a run through one plan of faults and judges it by all laws under faults; a search through
 * every plan there is costs a tenth of what {@link faultLaws} would.
 * @returns the first law that it breaks
 */
export async function brokenUnderFaults<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  plan: FaultPlan,
  options: LawOptions<Input>,
): Promise<BrokenUnderFaults | undefined> {
  const go = (other = plan) => surviving(reasoner, input, script, other, options);
  const survived = await go();
  const of: FaultCase<Input, Output, Context> = { reasoner, input, script, plan, go };
  for (const [law, judge] of faultJudges<Input, Output, Context>(options)) {
    try {
      await judge(survived, of);
    } catch (thrown) {
      return { law, message: messageOf(thrown), text: printSurvived(survived) };
    }
  }
  return undefined;
}

function isWhole({ id, messages }: LlmDirective): void {
  const fault = transcriptFault(isList(messages) ? toArray(messages as List<Message>) : messages);
  hold(fault === undefined, () => `the request ${id}: ${fault}`);
}

/** Returns the outcome of a run; the order of ids is that of the answers. */
function anyOrder<Output, Context>(lived: LiveRun<Output, Context>): object {
  const issued = lived.end?.state.issued;
  return { ...outcomeOf(lived), issued: issued === undefined ? [] : toArray(issued).toSorted() };
}

/** Returns the part of a plan that must change nothing where order does not matter. */
function harmless({ calls = [], stands }: FaultPlan): FaultPlan {
  return {
    calls: calls.flatMap(({ at, how, ms = 0 }) =>
      how === "late" || how === "twice" ? [{ at, how, ms: Math.min(ms, 60) }] : [],
    ),
    ...(stands === undefined ? {} : { stands }),
  };
}

/** The references under which a line holds values. */
function valuesOf(line: Line): readonly string[] {
  return Object.keys((line as { readonly values?: object }).values ?? {});
}

/** An accepted input stands in the journal, or somebody was told; and no run rests over a decision. */
function tookWhatItWasTold<Output, Context>({
  end,
  told,
  journal,
  observations,
}: Process<Output, Context>): void {
  // An input that a process had taken and not written when it died is gone with it.
  if (end === undefined) return;
  const seen = observations.map((each) => innermost(each)[1]);
  const dropped = seen.filter(
    (each) => each.type === "notice" && (each.code === "late" || each.code === "approval.stale"),
  );
  const lost = told.filter(({ type, path, what }) => {
    const events = linesOf(journal.texts.get(path) ?? "").flatMap((line) =>
      isEventLine(line) && line.event.type === type ? [line.event] : [],
    );
    return !events.some((event) =>
      event.type === "message" ? event.content === what : (event as { id?: string }).id === what,
    );
  });
  // Of what is decided in a child it may show later that it came too late; then somebody is told.
  const own = lost.filter(({ path }) => path === "");
  const forgotten = own.length > 0 || lost.length > dropped.length;
  hold(!forgotten, () => `it took ${JSON.stringify(lost)} and forgot it`);
  if (end.status !== "waiting") return;
  const { approvals, wakeAt, drained, state } = end;
  const waits = approvals.length > 0 || wakeAt !== undefined || drained === true;
  hold(waits || owedBy(state).length === 0, () => "it rests, though nothing is waited for outside");
}

function isUnderTheNewName(text: string): boolean {
  return text.includes(" by another name");
}
