/**
 * `check`: checks laws on random runs, and reports what they reached. The same seed gives the same
 * report.
 */

import type { Reasoner, RunState } from "../../core/kernel/machine/index.js";
import { type Json, ReckonerError } from "../../core/kernel/values/index.js";
import { carriedOver, noFault, nothingLost } from "./built-in-laws.js";
import { checkSettings } from "./check-options.js";
import { type CheckReport, reportOf } from "./check-report.js";
import { type Choose, plainestOf, seeded, seedOfRun } from "./choose.js";
import { type Counterexample, counterexample } from "./counterexample.js";
import { firstNondeterminism } from "./determinism.js";
import type { Law, Seen } from "./law.js";
import { SAME_AGAIN } from "./law-names.js";
import { type Breach, Monitor } from "./monitor.js";
import { Reach, type Reached } from "./reach.js";
import { shrinkRun } from "./shrink.js";
import { isOver, standstill } from "./standstill.js";
import { treeOf } from "./tree.js";
import { type Upgrading, upgradable } from "./upgradable.js";
import { callUserFunction } from "./user-function.js";
import type { WorldOptions } from "./what-may-happen.js";
import { driveBy, type HistoryStep } from "./world.js";

/** The input of runs: a value, or a function of choices. */
export type InputOf<Input> = Input | ((choose: Choose) => Input);

/** Options of both `check` and `explore`. */
export interface Checking<Input, Context> extends WorldOptions<Context>, Upgrading {
  readonly input: InputOf<Input>;
  /** Your laws, beside the built-in ones. */
  readonly laws?: readonly Law<Context, never>[] | undefined;
  /** Built-in laws that are turned off, by their names. */
  readonly without?: readonly string[] | undefined;
  /**
   * True of a settlement that may be lost where it comes (`before`): the law "no answer is lost" is narrowed by it.
   */
  readonly mayLose?: ((seen: Seen<Context, never>) => boolean) | undefined;
  /** Values that tools and stores return; the first is the simplest. Default: `{}` only. */
  readonly values?: readonly Json[] | undefined;
  /** Where the reasoner is configured, for the command line to open counterexamples with. */
  readonly config?: string | undefined;
  /**
   * Child runs run: all events of a tree happen, in a driver. Ids in a child begin with its path. Without it a child
   * is answered as a tool is. Default false.
   */
  readonly tree?: boolean | undefined;
  /** Returns true for a state in which a run may wait with nothing outstanding: a conversation in `ready`. */
  readonly waits?: ((state: RunState<Context>) => boolean) | undefined;
}

/** Runs whose steps are taken again in the end. */
const AGAIN_LATER = 50;

/** Options of {@link check}. */
export interface CheckOptions<Input, Context> extends Checking<Input, Context> {
  /** Default 1 000. */
  readonly runs?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  /** Events in a run before it is driven to its end, at most. Default 40. */
  readonly events?: number | undefined;
  /** Counterexamples to find, at most one per law. Default 5. */
  readonly failures?: number | undefined;
  /** Told now and then how far it is. */
  readonly progress?:
    | ((done: { readonly runs: number; readonly of: number; readonly broken: number }) => void)
    | undefined;
}

/**
 * Random runs of a reasoner.
 * @example
 * mustHold(check(orders, { input: "book", laws: [law("…", ({ state }) => …)], runs: 1_000, seed: 1 }));
 */
export function check<Input, Output, Context>(
  checked: Reasoner<Input, Output, Context>,
  options: CheckOptions<NoInfer<Input>, NoInfer<Context>>,
): CheckReport<Context> {
  checkSettings(checked, options);
  const { runs = 1_000, seed = 1, events = 40, failures = 5, values = [{}] } = options;
  const reasoner = asChecked(checked, options);
  const laws = lawsOf(options);
  const monitor = new Monitor(laws);
  const reach = new Reach<Input, Context>(reasoner);
  const found = new Map<string, Counterexample<Context>>();
  const first: { input: Input; steps: readonly HistoryStep<Context>[]; from: string }[] = [];
  let total = 0;
  let done = 0;
  for (; done < runs && found.size < failures; done++) {
    if (done % 50 === 0) options.progress?.({ runs: done, of: runs, broken: found.size });
    const choose = seeded(seedOfRun(seed, done, 0x85ebca6b), values);
    const input = inputOf(options.input, choose);
    const chance = {
      moves: choose(events + 1),
      choose,
      answer: () => choose,
      untilEnd: true,
      end: plainestOf(values),
    };
    const { steps } = driveBy(reasoner, input, chance, options);
    total += steps.length - 1;
    for (const taken of steps) reach.take(taken, input);
    const from = `seed ${seed}, run ${done}`;
    if (first.length < AGAIN_LATER) first.push({ input, steps, from });
    const breaches = breachesOf(reasoner, monitor, steps, options);
    for (const breach of [...breaches, ...takenAgain(reasoner, options, input, steps)]) {
      if (found.has(breach.law)) continue;
      found.set(breach.law, shrunk(reasoner, laws, options, input, steps, breach, from));
    }
  }
  // Repeated after some time has passed: a step that reads the clock gives the same result at once.
  for (const { input, steps, from } of found.has(SAME_AGAIN) ? [] : first) {
    const [breach] = takenAgain(reasoner, options, input, steps);
    if (breach === undefined) continue;
    found.set(breach.law, shrunk(reasoner, laws, options, input, steps, breach, from));
    break;
  }
  options.progress?.({ runs: done, of: runs, broken: found.size });
  return reportOf({
    runs: done,
    events: total,
    seed,
    laws: monitor.counts,
    reached: reach.reached as Reached,
    counterexamples: [...found.values()],
  });
}

/**
 * The reasoner as a check or a search steps it: with an upgrade, or as a tree.
 * @throws ReckonerError `option.invalid`
 */
export function asChecked<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  options: Checking<Input, Context>,
): Reasoner<Input, Output, Context> {
  const { tree = false, upgrade, stores } = options;
  if (!tree) return upgradable(reasoner, options);
  if (upgrade === undefined) return treeOf(reasoner, stores);
  const message = "The check: tree and upgrade do not go together; leave one of them out.";
  throw new ReckonerError("option.invalid", message);
}

/** The laws that a check or a search judges by. */
export function lawsOf<Input, Context>({
  laws = [],
  without = [],
  mayLose,
  upgrade,
}: Checking<Input, Context>): readonly Law<Context, never>[] {
  const own = [noFault, nothingLost(mayLose), ...(upgrade === undefined ? [] : [carriedOver])];
  return [...own.filter(({ name }) => !without.includes(name)), ...laws];
}

/** An input: itself, or by choices. */
export function inputOf<Input>(input: InputOf<Input>, choose: Choose): Input {
  if (typeof input !== "function") return input;
  return callUserFunction("input", () => (input as (choose: Choose) => Input)(choose));
}

/** Returns the breaches of a whole run, in order. */
export function breachesOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  monitor: Monitor<Context>,
  steps: readonly HistoryStep<Context>[],
  options: Checking<Input, Context>,
): readonly (Breach & { readonly steps: number })[] {
  const breaches: (Breach & { steps: number })[] = [];
  let memories = monitor.begin;
  let number = 0;
  for (const taken of steps) {
    number += 1;
    if (taken.step.ignored?.reason === "ended") break;
    const looked = monitor.next(memories, taken);
    memories = looked.memories;
    for (const breach of looked.breaches) breaches.push({ ...breach, steps: number });
  }
  const { state } = (steps[number - 1] as HistoryStep<Context>).step;
  if (!isOver(state)) return breaches;
  for (const breach of monitor.end(memories, state)) breaches.push({ ...breach, steps: number });
  const still = standstill(reasoner, state, options);
  if (still !== undefined) breaches.push({ ...still, steps: number });
  return breaches;
}

/** The first step of a run that comes to something else when it is taken again. */
function takenAgain<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  options: Checking<Input, Context>,
  input: Input,
  steps: readonly HistoryStep<Context>[],
): readonly (Breach & { readonly steps: number })[] {
  if (options.without?.includes(SAME_AGAIN) === true) return [];
  const breach = firstNondeterminism(reasoner, input, steps);
  return breach === undefined ? [] : [breach];
}

/** The shortest run that breaks the law, as a counterexample. */
export function shrunk<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  laws: readonly Law<Context, never>[],
  options: Checking<Input, Context>,
  input: Input,
  steps: readonly HistoryStep<Context>[],
  { law, what, steps: enough = steps.length }: Breach & { readonly steps?: number },
  found: string,
): Counterexample<Context> {
  const { values = [{}] } = options;
  const monitor = new Monitor(laws.filter(({ name }) => name === law));
  let text = what;
  const breaks = (tried: readonly HistoryStep<Context>[]): number | undefined => {
    const breach =
      law === SAME_AGAIN
        ? firstNondeterminism(reasoner, input, tried)
        : breachesOf(reasoner, monitor, tried, options).find((each) => each.law === law);
    if (breach !== undefined) text = breach.what;
    return breach?.steps;
  };
  // A step that comes to something else each time is one of this input.
  const inputs = law === SAME_AGAIN ? [input] : [input, inputOf(options.input, plainestOf(values))];
  const run = steps.slice(0, enough);
  const best = shrinkRun(reasoner, inputs, run, breaks, options, plainestOf(values));
  breaks(best.steps);
  const before = steps.length - 1;
  const from =
    best.steps.length - 1 < before ? `${found}, ${before} events before it was shrunk` : found;
  return counterexample(reasoner, best.input, best.steps, { law, what: text }, from, options);
}
