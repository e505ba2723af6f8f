/**
 * `faultLaws`: the laws of live runs under generated faults, such as crashes and late answers: the journal
 * stays readable, nothing settled begins again, and a tool that may not be repeated begins once.
 */

import fc from "fast-check";
import { isEventLine, type Line } from "../core/journal/index.js";
import { owedBy, type Reasoner } from "../core/kernel/machine/index.js";
import { isReckonerError, messageOf, toArray } from "../core/kernel/values/index.js";
import { type LlmDirective, messagesOf } from "../core/kernel/vocabulary/index.js";
import { checkLawOptions } from "./check-plan.js";
import { type FaultPlan, faultPlan } from "./fault-plan.js";
import { goesOn, isItsFold, outcomeOf, parsed } from "./journal-run-laws.js";
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
import { foldOf, type LiveRun } from "./scripted-host.js";
import {
  type Process,
  printSurvived,
  type Survived,
  surviving,
  underAnotherName,
} from "./surviving.js";
import { transcriptFault } from "./transcript-fault.js";

type PlannedCase = LawCase & { readonly plan: FaultPlan };

/** One case of a law under faults. */
interface FaultCase<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly input: Input;
  readonly script: Script;
  readonly plan: FaultPlan;
  /** Runs it, with this plan or another. */
  go(plan?: FaultPlan): Survived<Context>;
}

/** Judges a run that survived a plan of faults by one law; it throws where the law does not hold. */
type Judge<Input, Output, Context> = (
  survived: Survived<Context>,
  of: FaultCase<Input, Output, Context>,
) => void;

/** The laws under faults (P1 to P7), and that faults are the same each time; each with its name. */
function faultJudges<Input, Output, Context>(
  options: LawOptions<Input>,
): readonly (readonly [name: string, judge: Judge<Input, Output, Context>])[] {
  const judged = (name: string, judge: Judge<Input, Output, Context>) => [name, judge] as const;
  return [
    judged(
      "under any faults the journal is whole after each process, and replays identical",
      ({ processes }, { reasoner, plan }) => {
        const versions =
          plan.upgrade === undefined ? [reasoner] : [underAnotherName(reasoner), reasoner];
        for (const [i, process] of processes.entries()) {
          isItsFold(versions, process, `the run after process ${i}`);
        }
      },
    ),
    judged("under any faults nothing that is settled begins again", ({ processes }) => {
      for (const process of processes) goesOn(process, process.from);
    }),
    judged("under any faults a tool that may not be repeated begins once", ({ processes }) => {
      const begun = processes.flatMap(({ begunOnce }) => begunOnce);
      const twice = begun.find((key, i) => begun.indexOf(key) !== i);
      hold(twice === undefined, () => `${twice} began twice`);
    }),
    judged("under any faults a write is repeated as it was, under its key", ({ processes }) => {
      const byKey = new Map<string, string>();
      for (const { key, operations } of processes.flatMap(({ written }) => written)) {
        const before = byKey.get(key) ?? operations;
        hold(before === operations, () => `${key} wrote ${before}, and then ${operations}`);
        byKey.set(key, operations);
      }
    }),
    judged("under any faults a model reads transcripts that are whole", ({ processes }) => {
      for (const { directive } of processes.flatMap(({ started }) => started)) {
        if (directive.type === "llm") isWhole(directive);
      }
    }),
    judged(
      "answers that are late, come twice or in another order, and a clock that stands still, change nothing",
      (_survived, { plan, go }) => {
        if (options.confluent !== true) return;
        const [plain, other] = [go({}), go(harmless(plan))];
        if (plain.last.disturbed || other.last.disturbed) return;
        // By a clock that stands no tool is too late.
        const isLate = (line: string) => /"reason":"(?:timeout|unknown)"/.test(line);
        if (plan.stands !== undefined && plain.last.lines.some(isLate)) return;
        same(anyOrder(plain.last), anyOrder(other.last), "the run, and the run with such faults");
      },
    ),
    judged("under any faults no value is written twice", ({ last }) => {
      const references = new Set<string>();
      for (const reference of parsed(last.lines).flatMap(valuesOf)) {
        hold(!references.has(reference), () => `${reference} stands twice in the journal`);
        references.add(reference);
      }
    }),
    judged("under any faults what a run was told, and took, is not lost", ({ processes }) => {
      for (const process of processes) tookItsInputs(process);
    }),
    judged(
      "a run that was upgraded is refused by its old code",
      ({ last }, { reasoner, plan, go }) => {
        // Without an upgrade in the plan there is one at the end.
        const { lines } = plan.upgrade === undefined ? go({ ...plan, upgrade: 0 }).last : last;
        if (!lines.some((line) => line.includes(" by another name"))) return;
        let code = "nothing";
        try {
          foldOf([reasoner], lines).driver();
        } catch (thrown) {
          code = isReckonerError(thrown) ? thrown.code : String(thrown);
        }
        same("journal.configuration", code, "how the old code is refused, and how it was,");
      },
    ),
    judged("a driver that is dropped between two takes is missed by nobody", ({ last }, of) => {
      const { plan, go } = of;
      if (plan.handovers === undefined) return;
      const { handovers: _handovers, ...others } = plan;
      // Without them there is one process less, unless others are troubled.
      const kept = go({ ...others, calls: others.calls ?? [] }).last;
      same(last.lines, kept.lines, "the lines with drivers that were dropped, and without,");
    }),
    judged("the same faults give the same bytes", ({ last }, { go }) => {
      same(last.text, go().last.text, "two runs of one plan");
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
    surviving(reasoner as Reasoner<Input, Output, Context>, input, script, other, options);
  const script = options.script ?? worldScript({ maxMoves: 12 });
  /** The events of cases that break a law: a counterexample is printed without being run again. */
  const printed = new WeakMap<PlannedCase, string>();
  const planned = fc.tuple(cases(subject, { ...options, script }), plans).map(([of, plan]) => {
    const case_: PlannedCase = { ...of, plan };
    const value = () => [repeated({ ...case_ }), printed.get(case_) ?? ""].join("\n");
    return Object.defineProperty(case_, fc.toStringMethod, { value });
  });
  return faultJudges<Input, Output, Context>(options).map(([name, judge]): PropertyLaw => {
    const property = fc.property(planned, (of) => {
      const go = (other?: FaultPlan) => surviveAs(of, other);
      const survived = go();
      try {
        judge(survived, { ...of, go } as unknown as FaultCase<Input, Output, Context>);
      } catch (thrown) {
        printed.set(of, printSurvived(survived));
        throw thrown;
      }
    });
    return { name, property: property as PropertyLaw["property"], isLive: true };
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
export function brokenUnderFaults<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  plan: FaultPlan,
  options: LawOptions<Input>,
): BrokenUnderFaults | undefined {
  const go = (other = plan) => surviving(reasoner, input, script, other, options);
  const survived = go();
  const of: FaultCase<Input, Output, Context> = { reasoner, input, script, plan, go };
  for (const [law, judge] of faultJudges<Input, Output, Context>(options)) {
    try {
      judge(survived, of);
    } catch (thrown) {
      return { law, message: messageOf(thrown), text: printSurvived(survived) };
    }
  }
  return undefined;
}

function isWhole(directive: LlmDirective): void {
  const fault = transcriptFault(messagesOf(directive));
  hold(fault === undefined, () => `the request ${directive.id}: ${fault}`);
}

/** Returns the outcome of a run; the order of ids is that of the answers. */
function anyOrder<Context>(lived: LiveRun<Context>): object {
  const { state } = lived;
  return {
    ...outcomeOf(lived),
    issued: state === undefined ? [] : toArray(state.issued).toSorted(),
  };
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

/** An accepted input stands in the journal, and no run waits over a decision. */
function tookItsInputs<Context>({ status, inputs, lines, state, owed }: Process<Context>): void {
  // An input that a process had taken and not written when it died is gone with it.
  if (status === undefined) return;
  const events = parsed(lines).flatMap((line) => (isEventLine(line) ? [line] : []));
  const lost = inputs.filter(({ type, run, what }) => {
    const isIt = ({ run: of = "", event }: (typeof events)[number]) =>
      event.type === type && of === run && what === ("id" in event ? event.id : event.content);
    return !events.some(isIt);
  });
  hold(lost.length === 0, () => `it took ${JSON.stringify(lost)} and forgot it`);
  if (status !== "waiting" || state === undefined) return;
  const waits = owed.some(({ effect: { type } }) => type === "approval" || type === "timer");
  hold(waits || owedBy(state).length === 0, () => "it waits, though for nothing outside");
}
