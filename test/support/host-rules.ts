// What hosts do over each store: they leave their runs to others, upgrade them forward, and only forward.
import { agent, type ModelPort, tool } from "reckoner";
import type { Host, HostRunsOptions } from "reckoner/serve";
import { expect } from "vitest";
import { desk } from "./serve.js";
import { smallReasoner } from "./small-machine.js";

/** Hosts on one store, and time that goes on. */
export interface HostWorld {
  /** A process's host. */
  host(options?: Partial<HostRunsOptions>): Host;
  /** Awaits something while time goes on. */
  at<T>(awaited: PromiseLike<T>): Promise<T>;
  /** Resolves when something holds. */
  until(holds: () => Promise<boolean>): Promise<void>;
}

const HELLO = { input: { prompt: "Hello." } };
const REFUND = { input: { prompt: "refund" } };

/** The desk of a later build: it can look as well, and says so. */
const laterDesk = agent({
  name: "desk",
  version: 2,
  conversation: true,
  system: "You are a desk.",
  tools: [
    tool({ name: "refund", needsApproval: true, execute: () => "refunded" }),
    tool({ name: "look", execute: () => "seen" }),
  ],
});

/** A model that never answers. */
const silent: ModelPort = {
  name: "silent",
  generate: (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    }),
};

const NAP_MS = 1_500;

/** Sleeps for a while, and is done. */
const sleeper = smallReasoner(
  {
    initial: "asleep",
    states: { asleep: { after: { [NAP_MS]: "awake" } }, awake: { type: "final" } },
  },
  { output: undefined },
);

/** The rules, each on a store of its own. */
export const hostRules: Readonly<Record<string, (world: HostWorld) => Promise<void>>> = {
  async "a drained host leaves its runs to another, in the middle of a turn"({ host, at, until }) {
    const first = host({ model: silent });
    for (const id of ["a", "b"]) {
      expect((await at(first.run(id).start(HELLO))).outcome).toBe("taken");
    }
    await at(first.drain());
    expect((await at(first.run("a").row())).status).toBe("open");
    const second = host();
    for (const id of ["a", "b"]) {
      await until(async () => (await second.run(id).row()).status === "ready");
    }
    const { lines } = await at(second.run("a").lines());
    expect(lines.filter((line) => line.includes('"type":"header"'))).toHaveLength(1);
    await at(second.drain());
  },

  async "a rolling deploy upgrades runs, and earlier code leaves them alone"({ host, at, until }) {
    const early = host();
    const run = early.run("r1");
    await at(run.start(REFUND));
    await until(async () => (await run.row()).approvals.length > 0);
    await at(early.drain());

    const late = host({ reasoners: [laterDesk, desk] });
    await at(late.run("r1").message("Hi.", { key: "m1" }));
    await at(late.drain());

    // A process with the earlier code is still there: it must not take the run back.
    const still = host({ answerMs: 100 });
    expect(await at(still.run("r1").message("Ho.", { key: "m2" }))).toMatchObject({
      outcome: "accepted",
    });
    const before = (await at(still.run("r1").lines())).lines;
    expect(before.filter((line) => line.startsWith('{"upgrade"'))).toHaveLength(1);
    // Its own runs it goes on with.
    expect((await at(still.run("r2").start(HELLO))).outcome).not.toBe("refused");
    await until(async () => (await still.run("r2").row()).status === "ready");
    expect((await at(still.run("r1").lines())).lines).toEqual(before);
    await at(still.drain());

    const after = host({ reasoners: [laterDesk, desk] });
    await until(async () => (await after.run("r1").answer("m2")).outcome === "taken");
    const id = (await at(after.run("r1").row())).approvals[0]?.id ?? "";
    expect((await at(after.run("r1").decide(id, { approve: true }))).outcome).toBe("taken");
    await until(async () => (await after.run("r1").row()).status === "ready");
    const { lines } = await at(after.run("r1").lines());
    expect(lines.filter((line) => line.startsWith('{"upgrade"'))).toHaveLength(1);
    expect((await at(after.run("r1").row())).parked).toBeUndefined();
    await at(after.drain());
  },

  async "what later code has begun, earlier code leaves alone"({ host, at, until }) {
    const late = host({ reasoners: [laterDesk, desk] });
    const run = late.run("r1");
    expect((await at(run.start(REFUND))).outcome).toBe("taken");
    await until(async () => (await run.row()).approvals.length > 0);
    await at(late.drain());
    const early = host({ answerMs: 100 });
    expect((await at(early.run("r1").message("Hi.", { key: "m" }))).outcome).toBe("accepted");
    // It looks at it more often than a run that fails is tried.
    for (let n = 0; n < 3; n++) {
      await at(early.run(`other${n}`).start(HELLO));
      await until(async () => (await early.run(`other${n}`).row()).status === "ready");
    }
    expect((await at(early.run("r1").row())).parked).toBeUndefined();
    await at(early.drain());
    const after = host({ reasoners: [laterDesk, desk] });
    await until(async () => (await after.run("r1").answer("m")).outcome === "taken");
    await at(after.drain());
  },

  async "a run that waits for its moment goes on at it, wherever it began"({ host, at, until }) {
    const first = host({ reasoners: [sleeper] });
    expect((await at(first.run("r1").start())).outcome).toBe("taken");
    await until(async () => (await first.run("r1").row()).status === "waiting");
    expect((await at(first.run("r1").row())).timers).toBe(1);
    await at(first.drain());
    const second = host({ reasoners: [sleeper] });
    await until(async () => (await second.run("r1").row()).status === "done");
    const { startedAt, lastAt } = await at(second.run("r1").row());
    expect(lastAt - startedAt).toBeGreaterThanOrEqual(NAP_MS);
    await at(second.drain());
  },

  async "a run has its queue in its row, and its messages keep their order"({ host, at, until }) {
    const first = host();
    const run = first.run("r1");
    await at(run.start(REFUND));
    await until(async () => (await run.row()).approvals.length > 0);
    for (const n of [1, 2, 3]) await at(run.message(`Message ${n}.`, { key: `m${n}` }));
    expect((await at(run.queued("m3", { type: "moved", to: 0 }))).outcome).toBe("taken");
    expect((await at(run.queued("m1", { type: "removed" }))).outcome).toBe("taken");
    const edited = { type: "edited", content: "Another." } as const;
    expect((await at(run.queued("m2", edited))).outcome).toBe("taken");
    expect((await at(run.row())).queue).toEqual([
      { id: "m3", text: "Message 3." },
      { id: "m2", text: "Another." },
    ]);
    await at(first.drain());
    // The queue is the run's own, in whichever process.
    const second = host();
    expect((await at(second.run("r1").row())).queue).toHaveLength(2);
    const id = (await at(second.run("r1").row())).approvals[0]?.id ?? "";
    await at(second.run("r1").decide(id, { approve: true }));
    await until(async () => (await second.run("r1").row()).status === "ready");
    const row = await at(second.run("r1").row());
    expect(row.queue).toBeUndefined();
    expect(await at(second.run("r1").queued("m3", { type: "removed" }))).toMatchObject({
      outcome: "refused",
      code: "message.taken",
    });
    await at(second.drain());
  },
};
