/**
 * Random priority schedules beyond the bound of a search. Each outstanding directive has a
 * priority, and the highest is settled first; at a few random points the next one is moved behind
 * all others. (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs. ASPLOS 2010.)
 */
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { groupBy } from "../../core/kernel/values/index.js";
import type { Possibilities, Possible } from "./alphabet.js";
import { breachesOf, type Checking, inputOf, lawsOf, shrunk } from "./check.js";
import { type Choose, seeded, seedOfRun } from "./choose.js";
import type { Counterexample } from "./counterexample.js";
import type { Scheduled } from "./explore-report.js";
import type { Monitor } from "./monitor.js";
import type { Reach } from "./reach.js";
import { firstStep, type HistoryStep, nextStep } from "./world.js";

/** The making of runs beyond the bound. */
export interface Beyond {
  /** Default 1 000. */
  readonly runs?: number | undefined;
  /** The number of events that must stand in one order for a bug to show: its depth. Default 3. */
  readonly bugDepth?: number | undefined;
  /** Events of a run, at most. Default 60. */
  readonly events?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** The result of the search, to which the runs beyond its bound add. */
interface Search<Input, Context> {
  readonly monitor: Monitor<Context>;
  readonly reach: Reach<Input, Context>;
  readonly found: Map<string, Counterexample<Context>>;
}

const OUTSIDE = "outside";

/** Runs by priorities; what breaks a law is added to what was found. */
export function scheduleRuns<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  options: Checking<Input, Context>,
  possible: Possibilities<Context>,
  { runs = 1_000, bugDepth = 3, events = 60, seed = 1 }: Beyond,
  { monitor, reach, found }: Search<Input, Context>,
): Scheduled {
  const { values = [{}] } = options;
  const laws = lawsOf(options);
  let total = 0;
  let most = 1;
  let longest = 1;
  for (let run = 0; run < runs; run++) {
    const choose = seeded(seedOfRun(seed, run, 0xc2b2ae35), values);
    const input = inputOf(options.input, choose);
    const { steps, threads } = oneRun(reasoner, input, possible, choose, bugDepth, events);
    total += steps.length - 1;
    most = Math.max(most, threads);
    longest = Math.max(longest, steps.length - 1);
    for (const taken of steps) reach.take(taken, input);
    for (const breach of breachesOf(reasoner, monitor, steps, options)) {
      if (found.has(breach.law)) continue;
      const where = `beyond the bound: seed ${seed}, run ${run}`;
      found.set(breach.law, shrunk(reasoner, laws, options, input, steps, breach, where));
    }
  }
  const each = 1 / (most * longest ** (bugDepth - 1));
  const all = 1 - (1 - each) ** runs;
  const guarantee =
    `a bug that takes ${bugDepth} events in one order, of the answers drawn, is found by one run with a ` +
    `probability of 1/(${most}·${longest}^${bugDepth - 1}) = ${each.toExponential(1)} or more, by all with ${all.toPrecision(2)} or more`;
  return { runs, events: total, guarantee };
}

function oneRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  possible: Possibilities<Context>,
  choose: Choose,
  bugDepth: number,
  events: number,
): { readonly steps: readonly HistoryStep<Context>[]; readonly threads: number } {
  const steps = [firstStep(reasoner, input)];
  const priorities = new Map<string, number>();
  const changes = new Map<number, number>();
  for (let i = 1; i < bugDepth; i++) changes.set(choose(events), bugDepth - i);
  for (let i = 0; i < events; i++) {
    const { state } = (steps[steps.length - 1] as HistoryStep<Context>).step;
    if (state.status !== "active") break;
    const choosable = possible.in(state).possible.filter(({ event }) => event.type !== "cancel");
    const threads = groupBy(choosable, ({ effect }) => effect?.id ?? OUTSIDE);
    for (const thread of threads.keys()) {
      if (!priorities.has(thread)) priorities.set(thread, bugDepth + choose(1 << 20));
    }
    const first = () =>
      [...threads.keys()].reduce((best, each) =>
        (priorities.get(each) ?? 0) > (priorities.get(best) ?? 0) ? each : best,
      );
    if (threads.size === 0) break;
    const lowered = changes.get(i);
    if (lowered !== undefined) priorities.set(first(), lowered);
    const thread = first();
    // Events from outside are many threads in one: each time it is another.
    if (thread === OUTSIDE) priorities.delete(OUTSIDE);
    const choices = threads.get(thread) as Possible[];
    const { event } = choices[choose(choices.length)] as Possible;
    steps.push(nextStep(reasoner, state, event));
  }
  return { steps, threads: priorities.size };
}
