// One scenario, every way: as it is, replayed, and killed after every line of its journal and
// resumed from there. All must come to the same end, with a transcript that is valid.
import { expect } from "vitest";
import {
  type AgentContext,
  type End,
  type HostOptions,
  type JournalPort,
  memoryJournal,
  type Observation,
  type Reasoner,
  type ResumeOptions,
  replay,
  resume,
  run,
  toArray,
  type VirtualClock,
  virtualClock,
} from "../../src/index.js";
import { past } from "../../src/runtime/index.js";
import { transcriptFault } from "./agent-events.js";
import { textIn } from "./journal-text.js";
import { killedAfter } from "./watched-journal.js";

/** What somebody outside says to a run that waits. */
export type Word = Pick<ResumeOptions, "approvals" | "messages">;

type Ending<Output, Deps> = End<Output, AgentContext<Deps>>;
type Resting<Output, Deps> = Extract<Ending<Output, Deps>, { readonly status: "waiting" }>;

/** A scenario. What it is made of must depend on what it is asked alone, never on how often. */
export interface Scenario<Input, Output, Deps> {
  readonly reasoner: Reasoner<Input, Output, AgentContext<Deps>>;
  readonly input: Input;
  /** The world of one process; its clock is virtual and jumps when nothing else happens. */
  readonly world: (clock: VirtualClock) => HostOptions;
  /** What is said where the run waits; nothing ends the scenario there. */
  readonly word?: (end: Resting<Output, Deps>) => Word | undefined;
  /** Set where a tool may not be repeated: then the ends may differ, and must all be valid. */
  readonly mayDiffer?: true;
}

/** Where a scenario came to, as it is. */
export interface ScenarioResult<Output, Deps> {
  readonly end: End<Output, AgentContext<Deps>>;
  readonly journal: JournalPort;
  /** Of all processes. */
  readonly observations: readonly Observation[];
  /** How many lines the journal has: from so many places it was resumed. */
  readonly lines: number;
}

/** Awaits a run, and moves the clock on whenever nothing else happens. */
export async function driven<T>(clock: VirtualClock, awaited: PromiseLike<T>): Promise<T> {
  let over = false;
  const outcome = Promise.resolve(awaited).finally(() => {
    over = true;
  });
  outcome.catch(() => {});
  // Loading takes real time, in which nothing moves: the turns below would count as idle ones.
  await past();
  for (let idle = 0; !over; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (over) break;
    idle = clock.sleepers > 0 && idle > 3 && clock.jump() ? 0 : idle + 1;
    if (idle > 2_000) throw new Error("The run neither goes on nor ends nor waits for a time.");
  }
  return outcome;
}

async function goOn<Input, Output, Deps>(
  scenario: Scenario<Input, Output, Deps>,
  journal: JournalPort,
  observations: Observation[],
  first: "run" | "resume",
): Promise<End<Output, AgentContext<Deps>>> {
  const { reasoner, input, world, word } = scenario;
  let said: Word | undefined = {};
  for (let process = 0; ; process++) {
    const clock = virtualClock(1_000);
    const observers = [(each: Observation) => void observations.push(each)];
    const host: HostOptions = { clock, observers, ...world(clock) };
    const live: PromiseLike<Ending<Output, Deps>> =
      process === 0 && first === "run"
        ? run(reasoner, input, { ...host, journal, runId: "run" })
        : resume(reasoner, journal, { ...host, ...said });
    const end: Ending<Output, Deps> = await driven(clock, live);
    if (end.status !== "waiting") return end;
    said = word?.(end);
    if (said === undefined) return end;
    if (process > 300) throw new Error("The scenario does not come to an end.");
  }
}

function comparable(end: End<unknown, AgentContext<never>>) {
  const output = end.status === "done" ? end.output : null;
  return { status: end.status, reason: end.reason, output, context: end.context };
}

/** Runs a scenario in every way. */
export async function everyWay<Input, Output, Deps>(
  scenario: Scenario<Input, Output, Deps>,
): Promise<ScenarioResult<Output, Deps>> {
  const { reasoner, mayDiffer } = scenario;
  const journal = memoryJournal();
  const observations: Observation[] = [];
  const end = await goOn(scenario, journal, observations, "run");
  const fault = (of: typeof end) => transcriptFault(toArray(of.context.messages));
  expect(fault(end)).toBeUndefined();
  expect((await replay(reasoner, journal)).status).toBe("identical");
  const lines = (await textIn(journal)).split("\n").length - 1;
  for (let kept = 1; kept <= lines; kept++) {
    const rest = await killedAfter(journal, kept);
    const again = await goOn(scenario, rest, [], "resume");
    const place = `killed after line ${kept} of ${lines}`;
    expect(fault(again), place).toBeUndefined();
    if (mayDiffer !== true) {
      expect(comparable(again as never), place).toEqual(comparable(end as never));
    }
    expect((await replay(reasoner, rest)).status, place).toBe("identical");
  }
  return { end, journal, observations, lines };
}
