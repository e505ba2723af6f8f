// Plays a scenario by `run` and `resume`, one process after the other, on a virtual clock that moves only
// when nothing else happens.
import {
  type ApprovalDecision,
  type End,
  type HostOptions,
  isReckonerError,
  type ResumeOptions,
  type Run,
  resume,
  run,
  type VirtualClock,
  virtualClock,
} from "reckoner";
import { past } from "../../src/runtime/index.js";
import { chanceOf } from "./chance.js";
import { Disk, type Life } from "./disk.js";
import { type Act, type Scenario, START } from "./scenario.js";
import { type Called, decisionOf, World } from "./world.js";

/** What became of one process. */
export interface Process {
  readonly began: number;
  readonly ended: number;
  readonly died: boolean;
  /** Absent where it died, and where it was refused. */
  readonly end?: End;
  readonly calls: readonly Called[];
  /** What people did that was refused, each with the code. */
  readonly refused: readonly { readonly at: number; readonly act: string; readonly code: string }[];
}

/** A scenario that was played to its end. */
export interface Played {
  readonly disk: Disk;
  readonly processes: readonly Process[];
}

/** Milliseconds from the end of a process to the next one, and from a wait to what somebody decides. */
const PAUSE = 5_000;
const MOST_PROCESSES = 60;
/** Turns of the event loop in which nothing happens, before a run that does not end counts as stuck. */
const MOST_IDLE = 200;

/** Plays it. */
export async function play(scenario: Scenario): Promise<Played> {
  // Loading takes real time, in which the clock must not move.
  await past();
  const disk = new Disk(scenario.appends);
  const processes: Process[] = [];
  let acts = scenario.acts;
  let approvals: ResumeOptions["approvals"];
  let now = START;
  for (;;) {
    const stage = { scenario, disk, number: processes.length, now, acts, approvals };
    const { process, left } = await playProcess(stage);
    processes.push(process);
    acts = left;
    approvals = undefined;
    const { end, ended } = process;
    // One that was refused, since what was decided is stale by now, goes on without decisions.
    if (end === undefined) now = ended + (process.died ? PAUSE : 0);
    else {
      const next = end.status === "waiting" ? goesOn(scenario, end, ended, acts) : undefined;
      if (next === undefined) return { disk, processes };
      now = next.at;
      approvals = next.approvals;
    }
    if (processes.length > MOST_PROCESSES) throw new Error(`${scenario.name} does not end.`);
  }
}

/** When a run that waits goes on, and with which decisions; `undefined` where nobody comes. */
function goesOn(
  { name, reviews = false }: Scenario,
  end: Extract<End, { readonly status: "waiting" }>,
  now: number,
  acts: readonly Act[],
): { readonly at: number; readonly approvals?: ResumeOptions["approvals"] } | undefined {
  if (reviews && end.approvals.length > 0) {
    const chance = chanceOf(name, "review", now);
    // All of them, or the first.
    const decided = chance() < 0.5 ? end.approvals : end.approvals.slice(0, 1);
    const entries = decided.map(({ id }): [string, ApprovalDecision] => [
      id,
      decisionOf(chance, "a reviewer"),
    ]);
    return { at: now + PAUSE, approvals: Object.fromEntries(entries) };
  }
  const times = acts.slice(0, 1).map(({ at }) => START + at);
  if (end.wakeAt !== undefined) times.push(end.wakeAt);
  if (end.drained === true) times.push(now + PAUSE);
  return times.length === 0 ? undefined : { at: Math.max(now, Math.min(...times)) };
}

/** What a process begins with. */
interface Stage {
  readonly scenario: Scenario;
  readonly disk: Disk;
  readonly number: number;
  readonly now: number;
  readonly acts: readonly Act[];
  readonly approvals: ResumeOptions["approvals"];
}

/** @returns what became of it, and what nobody had done by then */
async function playProcess(
  stage: Stage,
): Promise<{ readonly process: Process; readonly left: readonly Act[] }> {
  const { scenario, number, now } = stage;
  const clock = virtualClock(now);
  const life: Life = { dead: false };
  const world = new World(scenario.name, clock, life, scenario.lives?.[number]);
  const refused: { at: number; act: string; code: string }[] = [];
  const live = begin(stage, clock, life, world);
  let left = stage.acts;
  const perform = (act: Act, early = false) => {
    if (life.dead || over) return;
    left = left.filter((each) => each !== act);
    if (act.do === "kill") life.dead = true;
    else {
      const at = clock.now() - START;
      APPLY[act.do](live, act as never).catch((thrown) => {
        if (!isReckonerError(thrown)) throw thrown;
        // The recorded runs told nobody of what was refused before they had begun.
        if (!life.dead && !early) refused.push({ at, act: act.do, code: thrown.code });
      });
    }
  };
  let over = false;
  for (const act of stage.acts) {
    const wait = START + act.at - now;
    if (wait <= 0) perform(act, true);
    else clock.setTimer(wait, () => perform(act));
  }
  const ending = Promise.resolve(live).finally(() => {
    over = true;
  });
  ending.catch(() => {});
  for (let idle = 0; ; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (over || life.dead) break;
    idle = clock.jump() ? 0 : idle + 1;
    if (idle > MOST_IDLE) throw new Error(`${scenario.name} is stuck in process ${number}.`);
  }
  let end: End | undefined;
  try {
    if (!life.dead) end = await ending;
  } catch (thrown) {
    if (stage.approvals === undefined || !isReckonerError(thrown)) throw thrown;
    refused.push({ at: clock.now() - START, act: "resume", code: thrown.code });
  }
  const ended = {
    began: now,
    ended: clock.now(),
    died: life.dead,
    ...(end === undefined ? {} : { end }),
  };
  return { process: { ...ended, calls: world.calls, refused }, left };
}

function begin(
  { scenario, disk, approvals }: Stage,
  clock: VirtualClock,
  life: Life,
  world: World,
): Run {
  const { reasoner, input, options, approverMs } = scenario;
  const host: HostOptions = {
    clock,
    services: world,
    model: world.model(scenario.model),
    stores: {
      notes: world.store("notes", { retries: 1, timeoutMs: 3_000 }),
      ledger: world.store("ledger", { retries: 1, timeoutMs: 3_000, idempotent: false }),
    },
    ...(approverMs === undefined ? {} : { approve: world.approver(approverMs) }),
    // Most scenarios are about what is decided when a model fails.
    modelDown: "fail",
    ...options,
  };
  const journal = disk.port(life);
  // One that died before its start was written has not begun.
  return disk.lines.length > 0
    ? resume(reasoner, journal, { ...host, ...(approvals === undefined ? {} : { approvals }) })
    : run(reasoner, input as never, { ...host, journal, runId: "r1", seed: scenario.name });
}

const APPLY: {
  readonly [Kind in Exclude<Act["do"], "kill">]: (
    live: Run,
    act: Extract<Act, { readonly do: Kind }>,
  ) => Promise<unknown>;
} = {
  message: (live, { text }) => live.message(text),
  send: (live, { event }) => live.send(event),
  interrupt: (live, { reason, graceMs }) => live.interrupt(reason, { graceMs }),
  drain: (live, { ms }) => live.drain(ms),
  cancel: (live, { reason }) => live.cancel(reason),
  decide: (live, { id, decision }) => live.decide(id, decision),
};
