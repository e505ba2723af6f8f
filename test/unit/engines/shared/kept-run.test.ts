// The loop that engines share keeps the byte law: with a driver that stays open, and with one that is opened anew at
// each event, whatever is said to a run while it goes on.
import fc from "fast-check";
import { agent, tool } from "reckoner";
import { perform } from "reckoner/driver";
import { type DriverHost, driverLaws } from "reckoner/testing";
import { describe, it } from "vitest";
import {
  type Arrivals,
  type Kept,
  KeptRun,
  RunReader,
  type Turned,
} from "../../../../src/engines/shared/index.js";
import { startWord } from "../../../../src/serve/for-adapters.js";

const desk = agent({
  name: "desk",
  conversation: true,
  tools: [
    tool({ name: "refund", execute: () => "refunded" }),
    tool({ name: "look", idempotent: true, retries: 1, timeoutMs: 50, execute: () => "seen" }),
  ],
});

/** Texts in memory. @param io something real that each access waits for */
function memoryKept(io: () => unknown): Kept {
  const texts = new Map<string, string>();
  return {
    get: async (keys) => {
      await io();
      return keys.map((key) => texts.get(key));
    },
    keys: async (prefix) => [...texts.keys()].filter((key) => key.startsWith(prefix)).sort(),
    write: async (changes) => {
      await io();
      for (const [key, text] of changes) {
        if (text === undefined) texts.delete(key);
        else texts.set(key, text);
      }
    },
  };
}

/** Something that ends in some later turn of the event loop, as what a disk or a socket brings does. */
async function elsewhere(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A host over the loop, one turn at a time. @param isReal it waits for what the clock does not see */
function hostOf(stays: boolean, isReal: boolean): DriverHost {
  return ({ reasoner, run, options, ports, clock, listen, busy }) =>
    new Promise((resolve, reject) => {
      const kept = memoryKept(() => isReal && busy(elsewhere()));
      const id = run.runId;
      const opening = { reasoners: [reasoner] as never, options };
      const random = { id: () => "random" };
      const own = new KeptRun({ id, kept, opening, hidden: {}, random, stays });
      const stops = new Map<string, AbortController>();
      let said = 0;
      let turning: Promise<unknown> = Promise.resolve();
      const tell = (told: Arrivals, now: number) => {
        turning = turning.then(async () => act(await own.turn(told, now))).catch(reject);
      };
      const act = async (turned: Turned) => {
        for (const each of turned.stop)
          stops.get(`${each.run} ${each.id} ${each.attempt}`)?.abort();
        for (const attempt of turned.begin) {
          const stop = new AbortController();
          stops.set(`${attempt.run} ${attempt.id} ${attempt.attempt}`, stop);
          void perform(attempt, ports, stop.signal).then((arrived) =>
            tell({ reports: [{ fork: turned.fork, arrived }] }, clock.now()),
          );
        }
        if (turned.wakeAt !== undefined) {
          clock.setTimer(Math.max(0, turned.wakeAt - clock.now()), () => tell({}, clock.now()));
        }
        const reader = new RunReader(kept, id);
        const { status } = await reader.row();
        if (status !== "open") resolve((await reader.lines(0)).lines);
      };
      listen((arrived) => {
        said += 1;
        const word = { type: "arrived", arrived } as never;
        tell({ mail: [{ key: `k${said}`, word, mark: "" }] }, clock.now());
      });
      const { input, seed } = run;
      const word = startWord({ input, ...(seed === undefined ? {} : { seed }) }) as never;
      tell({ mail: [{ key: "start", word, mark: "" }] }, run.at);
    });
}

describe.each([
  [true, false],
  [false, false],
  [false, true],
])("the loop of engines, with a driver that stays: %s, that waits for I/O: %s", (stays, isReal) => {
  for (const { name, property } of driverLaws(hostOf(stays, isReal), desk, {
    input: fc.string(),
  })) {
    it(name, () => fc.assert(property, { numRuns: isReal ? 3 : 10 }));
  }
});
