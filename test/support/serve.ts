// Hosts in virtual time: a desk whose model is scripted, and a way to wait that moves the clock on.
import { type VirtualClock, virtualClock } from "reckoner";
import {
  type Host,
  type HostRunsOptions,
  type HostStore,
  host,
  memoryHostStore,
  type RunHost,
} from "reckoner/serve";

import { desk, deskModel } from "./desk.js";

export { desk, deskModel };

// What reads journals is loaded late, in real time, in which virtual time would move on.
await Promise.all([
  import("../../src/runtime/journals/head.js"),
  import("../../src/runtime/journals/row-from-journal.js"),
  import("../../src/runtime/journals/view.js"),
]);

/** Randomness from a number. */
export function seeded(seed: number): NonNullable<HostRunsOptions["random"]> {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return {
    id: () => `${next().toString(16)}${next().toString(16)}`,
    fraction: () => next() / 2 ** 32,
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Whether it is a port's turn: what a port resolved goes on, and nothing else does. */
export interface Turns {
  isPorts: boolean;
}

/**
 * Awaits something while time moves on whenever nothing else happens.
 * @param turns told when a timer's turn begins, and when all that follows from it by promises alone is done
 */
export async function inTime<T>(
  clock: VirtualClock,
  awaited: PromiseLike<T>,
  turns: Turns = { isPorts: true },
): Promise<T> {
  let over = false;
  const outcome = Promise.resolve(awaited).finally(() => {
    over = true;
  });
  outcome.catch(() => {});
  for (let idle = 0; !over && idle < 100_000; idle++) {
    for (let n = 0; n < 3 && !over; n++) await turn();
    if (over) break;
    turns.isPorts = true;
    // It is the first of the next turn, whatever else waits for one.
    setImmediate(() => {
      turns.isPorts = false;
    });
    clock.jump();
  }
  if (!over) throw new Error("It does not end.");
  return outcome;
}

/** A store of which some of it is done otherwise. */
export function storeWith(store: HostStore, own: Partial<HostStore>): HostStore {
  return new Proxy(store, {
    get(target, name: keyof HostStore) {
      const part = own[name] ?? target[name];
      return typeof part === "function" && own[name] === undefined ? part.bind(target) : part;
    },
  });
}

/** A host in memory, in virtual time. */
export function memoryHost(
  options: Partial<HostRunsOptions> = {},
  clock: VirtualClock = virtualClock(Date.UTC(2026, 0, 31)),
) {
  const store = options.store ?? memoryHostStore({ clock });
  const random = seeded(1);
  const made: Host = host({
    reasoners: [desk],
    model: deskModel,
    store,
    clock,
    random,
    ...options,
  });
  const at = <T>(awaited: PromiseLike<T>) => inTime(clock, awaited);
  /** Resolves when something holds. */
  const until = async (holds: () => Promise<boolean>) => {
    for (let n = 0; n < 1_000; n++) {
      if (await at(holds().catch(() => false))) return;
      clock.advance(100);
    }
    throw new Error("It never holds.");
  };
  return { host: made, store, clock, at, until };
}

/** Hosts on one store in virtual time, for the rules of hosts. */
export function virtualWorld(makeStore: (clock: VirtualClock) => HostStore) {
  const clock = virtualClock(Date.UTC(2026, 0, 31));
  const store = makeStore(clock);
  let hosts = 0;
  const at = <T>(awaited: PromiseLike<T>) => inTime(clock, awaited);
  return {
    host(options: Partial<HostRunsOptions> = {}): Host {
      hosts += 1;
      const random = seeded(hosts);
      return host({ reasoners: [desk], model: deskModel, store, clock, random, ...options });
    },
    at,
    async until(holds: () => Promise<boolean>) {
      for (let n = 0; n < 1_000; n++) {
        if (await at(holds().catch(() => false))) return;
        clock.advance(100);
      }
      throw new Error("It never holds.");
    },
  };
}

/** Verbs of a run, each in virtual time. */
export function runInTime(run: RunHost, at: <T>(awaited: PromiseLike<T>) => Promise<T>): RunHost {
  return Object.fromEntries(
    Object.entries(run).map(([name, verb]) => [
      name,
      (...given: never[]) => at((verb as (...all: never[]) => Promise<unknown>)(...given)),
    ]),
  ) as never;
}
