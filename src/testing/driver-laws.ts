/**
 * `driverLaws`: laws for a host of your own, which keeps runs in rows of a database or an engine's objects.
 * Given the same options, and the same things at the same times, it must write the bytes that `run` writes.
 */
import type { Arrived, DriverOptions, NewRun } from "../core/driver/index.js";
import type { Reasoner } from "../core/kernel/machine/index.js";
import { isReckonerError } from "../core/kernel/values/index.js";
import {
  type JournalPort,
  memoryJournal,
  type PerformPorts,
  past,
  run,
  type VirtualClock,
  virtualClock,
} from "../runtime/index.js";
import { spread } from "./checking/choose.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import { hold, type LawOptions, liveLaw, type PropertyLaw, type Subject } from "./property-law.js";
import type { Script } from "./script.js";
import { inScript, type Scripted, scriptedModel, scriptedStores } from "./scripted-ports.js";
import { type TextJournal, textJournal } from "./text-journal.js";

/** A run for a host to drive to its end. */
export interface HostedRun {
  readonly reasoner: Reasoner<unknown, unknown, unknown>;
  readonly run: NewRun<unknown>;
  readonly options: DriverOptions;
  /** The ports for `perform`. */
  readonly ports: PerformPorts;
  /** The time, and timers. Virtual: it moves on when nothing else does. */
  readonly clock: Pick<VirtualClock, "now" | "setTimer">;
  /**
   * Holds the clock while something is under way that it does not see, such as a socket or a file, and gives it
   * back: `await hosted.busy(pool.query(…))`.
   */
  busy<Work extends PromiseLike<unknown>>(work: Work): Work;
  /** Calls back with what arrives from outside, at its time. */
  listen(arrive: (arrived: Arrived) => void): void;
}

/** Drives a run until it stands anywhere but `running`, and resolves to the lines of its journal. */
export type DriverHost = (hosted: HostedRun) => Promise<readonly string[]>;

/** Something that people say, at a time. */
interface Intervention {
  readonly at: number;
  readonly what: "message" | "interrupt" | "cancel";
}

const START = 1_000;
const SLOTS = 3;

/**
 * Laws of a host; its reasoners may start child runs.
 * @param host drives a run
 * @param subject reasoners to drive
 */
export function driverLaws<Input, Output, Context>(
  host: DriverHost,
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): readonly PropertyLaw[] {
  return [
    liveLaw(
      "the host writes the bytes that run() writes",
      subject,
      options,
      async (reasoner, input, script) => {
        const own = reasoner as Reasoner<unknown, unknown, unknown>;
        const { text } = await journalOfRun(own, input, script, options);
        const theirs = text.split("\n").slice(0, -1);
        const written = await linesOfHost(host, own, input, script, options);
        const at = theirs.findIndex((line, i) => line !== written[i]);
        hold(at < 0 && written.length === theirs.length, () => {
          const line = at < 0 ? theirs.length : at;
          return `line ${line + 1} is ${written[line] ?? "missing"} where run() writes ${theirs[line] ?? "nothing"}`;
        });
      },
    ),
  ];
}

/** Milliseconds of grace; with a fraction of its own, as what is said has. */
const GRACE = 3 + 5 / 16;

/**
 * The things that people say in a script, by its moves. Each of these has a fraction of a millisecond of its own, as
 * each call of the world has: nothing falls at one moment, where the order would be that of a host's promises.
 */
function interventionsOf({ moves }: Script): readonly Intervention[] {
  return moves.slice(0, 4).flatMap((move, i): Intervention[] => {
    const at = START + (move % 60) + 20 * i + (i + 1) / 16;
    if (move >= 250) return [{ at, what: "cancel" }];
    if (move >= 220) return [{ at, what: "interrupt" }];
    return move % 3 === 0 ? [{ at, what: "message" }] : [];
  });
}

function worldOf(
  script: Script,
  options: WorldOptions,
): Scripted & { readonly clock: VirtualClock } {
  const clock = virtualClock(START);
  const noted = { begun: [], begunOnce: [], written: [] };
  return {
    ...{ script, options, clock, streams: true, asTheyAre: true, ...noted },
    call: ({ key, ms, signal, ask }) => clock.sleep(ms + fractionOf(key), signal()).then(ask),
  };
}

/** Below the fractions of what is said. No two calls of a tree end at one moment. */
function fractionOf(key: string): number {
  return (1 + (spread(key) % 65_521)) / 2 ** 20;
}

/**
 * The time that a model call may take in a script, where it has a limit: many attempts are given up then, and made
 * again under the same id. Its fraction is none of a call's.
 */
function limitOf({ answers: [first = 1] }: Script): Pick<DriverOptions, "llmTotalMs"> {
  return first % 3 === 0 ? { llmTotalMs: 1 + (first % 8) + 3 / 64 } : {};
}

/** The journal that `run` writes in the world of a script; a run stops at its bound, where one is given. */
export async function journalOfRun(
  reasoner: Reasoner<unknown, unknown, unknown>,
  input: unknown,
  script: Script,
  options: WorldOptions,
): Promise<TextJournal> {
  const world = worldOf(script, options);
  const { clock } = world;
  const journal = textJournal("");
  // A port that keeps snapshots: their marks are among the lines that are compared.
  const { snapshots } = memoryJournal() as Required<JournalPort>;
  let isStopped = false;
  const going = run(inScript(reasoner, world), input, {
    model: scriptedModel(world),
    stores: scriptedStores(world),
    concurrency: SLOTS,
    ...limitOf(script),
    modelDown: "fail",
    runId: "run",
    seed: "seed",
    journal: { ...journal, snapshots },
    clock,
    observers: [
      (seen) => {
        if (seen.type === "step" && seen.seq === options.bound) isStopped = true;
      },
    ],
  });
  for (const { at, what } of interventionsOf(script)) {
    clock.setTimer(at - START, () => {
      try {
        if (what === "message") going.message(`at ${at}`);
        else if (what === "interrupt") going.interrupt("Stop.", { graceMs: GRACE });
        else going.cancel();
      } catch (thrown) {
        // A run that is over, or knows no turns, refuses it; the host's driver does as well.
        if (!isReckonerError(thrown)) throw thrown;
      }
    });
  }
  await drivenBy(clock, going, { isStopped: () => isStopped });
  return journal;
}

/** The lines that a host writes in the world of a script. */
export async function linesOfHost(
  host: DriverHost,
  reasoner: Reasoner<unknown, unknown, unknown>,
  input: unknown,
  script: Script,
  options: WorldOptions,
): Promise<readonly string[]> {
  const world = worldOf(script, options);
  const { clock } = world;
  const scripted = inScript(reasoner, world);
  const stores = scriptedStores(world);
  const listeners: ((arrived: Arrived) => void)[] = [];
  let busy = 0;
  const over = () => {
    busy -= 1;
  };
  for (const { at, what } of interventionsOf(script)) {
    clock.setTimer(at - START, () => {
      for (const each of listeners) each(arrivedOf(what, at));
    });
  }
  const hosted: HostedRun = {
    reasoner: scripted,
    run: { input, runId: "run", seed: "seed", at: START },
    options: { approvals: "outside", slots: SLOTS, stores, ...limitOf(script) },
    ports: { reasoner: scripted, model: scriptedModel(world), stores },
    clock,
    busy(work) {
      busy += 1;
      work.then(over, over);
      return work;
    },
    listen: (arrive) => void listeners.push(arrive),
  };
  const lines = await drivenBy(clock, host(hosted), { isBusy: () => busy > 0 });
  return lines ?? [];
}

function arrivedOf(what: Intervention["what"], at: number): Arrived {
  if (what === "interrupt") return { type: "interrupt", reason: "Stop.", graceMs: GRACE };
  if (what === "cancel") return { type: "event", event: { type: "cancel" } };
  return { type: "event", event: { type: "message", content: `at ${at}` } as never };
}

const IDLE =
  "The run neither goes on nor ends nor waits for a time. Work that the clock does not see, such as a socket or a file, is held by hosted.busy(promise).";

/** Awaits a run, moving the clock on whenever nothing happens any more. @returns nothing where it is stopped */
async function drivenBy<T>(
  clock: VirtualClock,
  awaited: PromiseLike<T>,
  {
    isStopped = () => false,
    isBusy = () => false,
  }: { readonly isStopped?: () => boolean; readonly isBusy?: () => boolean },
): Promise<T | undefined> {
  // Loading takes real time, in which nothing moves: the turns below would count as idle ones.
  await past();
  const channel = new MessageChannel();
  // Typings of platforms differ in how a port is listened to; platforms do not.
  const port = channel.port1 as unknown as { onmessage: (() => void) | null; close(): void };
  /** A turn of the event loop: all that was to happen at this time has happened. */
  const turn = () =>
    new Promise<void>((resolve) => {
      port.onmessage = () => resolve();
      channel.port2.postMessage(0);
    });
  let over = false;
  const outcome = Promise.resolve(awaited).finally(() => {
    over = true;
  });
  outcome.catch(() => {});
  try {
    for (let idle = 0; !over; ) {
      await turn();
      if (over) break;
      if (isStopped()) return undefined;
      if (isBusy()) continue;
      idle = clock.jump() ? 0 : idle + 1;
      if (idle > 1_000) throw new Error(IDLE);
    }
    return await outcome;
  } finally {
    port.close();
  }
}
