// What a host does around its runs: it parks, drains, limits, lets the right people decide, and watches.
import { agent, type ModelPort, tool, virtualClock } from "reckoner";
import { memoryHostStore, type Seen } from "reckoner/serve";
import { describe, expect, it } from "vitest";
import { type desk, deskModel, memoryHost, seeded, storeWith } from "../../support/serve.js";
import { rejection } from "../../support/thrown.js";

const HELLO = { input: { prompt: "Hello." } };
const REFUND = { input: { prompt: "refund" } };

describe("a host", () => {
  it("parks a run that fails five times, with its reason, and tries again when it is told to", async () => {
    const clock = virtualClock(1_000_000);
    const store = memoryHostStore({ clock });
    const first = memoryHost({ store }, clock);
    await first.at(first.host.run("r1").start(REFUND));
    await first.until(async () => (await first.host.run("r1").row()).approvals.length > 0);
    await first.at(first.host.drain());

    // The code is gone: nobody can go on with the run, and the others go on.
    const other = agent({ name: "other" });
    const second = memoryHost({ store, random: seeded(2), reasoners: [other] }, clock);
    const run = second.host.run("r1");
    expect(await second.at(run.message("Hi.", { key: "m" }))).toMatchObject({
      outcome: "accepted",
    });
    expect((await second.at(second.host.run("r2").start(HELLO))).outcome).toBe("taken");
    await second.until(async () => (await run.row()).parked !== undefined);
    expect((await second.at(run.row())).parked).toMatchObject({ code: "run.reasoner" });
    expect(await second.at(run.answer("m"))).toMatchObject({ code: "run.parked" });
    await second.at(second.host.drain());

    const third = memoryHost({ store, random: seeded(3) }, clock);
    await third.at(third.host.unpark("r1"));
    expect(await third.at(third.host.run("r1").answer("m"))).toMatchObject({ outcome: "taken" });
    await third.at(third.host.drain());
  });

  it("takes a start that names its only reasoner for one that names none", async () => {
    const clock = virtualClock(1_000_000);
    const own = memoryHost({ reasoners: [agent({ name: "desk", conversation: true })] }, clock);
    const run = own.host.run("r1");
    const first = await own.at(run.start(HELLO, { key: "s" }));
    expect(first.outcome).toBe("taken");
    expect(await own.at(run.start({ ...HELLO, reasoner: "desk" }, { key: "s" }))).toEqual(first);
    expect(await own.at(run.start({ ...HELLO, reasoner: "other" }, { key: "s" }))).toMatchObject({
      code: "event.key",
    });
    await own.at(own.host.drain());
  });

  it("leaves its runs to another one when it is drained", async () => {
    const clock = virtualClock(1_000_000);
    const store = memoryHostStore({ clock });
    const slow: ModelPort = {
      name: "slow",
      async generate(request, call) {
        await clock.sleep(5_000, call.signal);
        return deskModel.generate(request, call);
      },
    };
    const first = memoryHost({ store, model: slow }, clock);
    expect((await first.at(first.host.run("r1").start(HELLO))).outcome).toBe("taken");
    await first.at(first.host.drain());
    expect((await first.at(first.host.run("r1").row())).status).toBe("open");
    expect(await rejection(first.at(first.host.run("r1").message("Hi.")))).toMatchObject({
      code: "host.closed",
    });
    const second = memoryHost({ store, random: seeded(2) }, clock);
    await second.until(async () => (await second.host.run("r1").row()).status === "ready");
    await second.at(second.host.drain());
  });

  it("asks a model no more often at once than it may, over all runs, the first first", async () => {
    const clock = virtualClock(1_000_000);
    let going = 0;
    let most = 0;
    const asked: string[] = [];
    const model: ModelPort = {
      name: "one",
      async generate(request, call) {
        asked.push(call.runId);
        going += 1;
        most = Math.max(most, going);
        // Longer than the limit of silence of those that wait.
        await clock.sleep(40_000, call.signal);
        going -= 1;
        return deskModel.generate(request, call);
      },
    };
    const limits = { models: { one: 1 } };
    const made = memoryHost({ model, limits, llmTimeoutMs: 60_000 }, clock);
    const ids = ["a", "b", "c", "d"];
    for (const id of ids) await made.at(made.host.run(id).start(HELLO));
    for (const id of ids) {
      await made.until(async () => (await made.host.run(id).row()).status === "ready");
      const { failure, words } = await made.at(made.host.run(id).row());
      expect([failure, words]).toEqual([undefined, "Hello."]);
    }
    expect([most, asked]).toEqual([1, ids]);
    await made.at(made.host.drain());
  });

  it("refuses a tenant's messages where a minute or a day has no room", async () => {
    const limits = { tenants: { acme: { messagesPerMinute: 2 }, rich: { moneyPerDay: 0 } } };
    const { host, at, clock } = memoryHost({ limits });
    const run = host.tenant("acme").run("r1");
    expect((await at(run.start(HELLO, { key: "s" }))).outcome).toBe("taken");
    expect((await at(run.message("Hi."))).outcome).toBe("taken");
    expect(await at(run.message("Hi."))).toMatchObject({ code: "host.limit" });
    // What was let in is answered as it was.
    expect((await at(run.start(HELLO, { key: "s" }))).outcome).toBe("taken");
    clock.advance(61_000);
    expect((await at(run.message("Hi."))).outcome).toBe("taken");
    expect(await at(host.tenant("rich").run("r1").start(HELLO))).toMatchObject({
      code: "host.limit",
    });
    await at(host.drain());
  });

  it("lets those decide who may, and says who did", async () => {
    const { host, at, until } = memoryHost({
      mayDecide: ({ approval, role }) => (role === "lead" ? true : `${approval.title} is a lead's`),
    });
    const run = host.run("r1");
    await at(run.start(REFUND));
    await until(async () => (await run.row()).approvals.length > 0);
    const id = (await at(run.row())).approvals[0]?.id ?? "";
    const no = await at(run.decide(id, { approve: true }, { by: "ann" }));
    expect(no).toMatchObject({ outcome: "refused", code: "run.forbidden" });
    const yes = await at(run.decide(id, { approve: true }, { by: "bob", role: "lead" }));
    expect(yes.outcome).toBe("taken");
    await until(async () => (await run.row()).status === "ready");
    const { lines } = await at(run.lines());
    expect(lines.some((line) => line.includes('"approve":true,"by":"bob"'))).toBe(true);
    await at(host.drain());
  });

  it("shows each line once, from any number on, and that the run was rewound", async () => {
    const { host, at, until } = memoryHost();
    const run = host.run("r1");
    await at(run.start(HELLO));
    await until(async () => (await run.row()).status === "ready");
    const seen: Seen[] = [];
    const watching = (async () => {
      for await (const each of host.watch("r1", { from: 1 })) seen.push(each);
    })();
    await at(run.message("refund"));
    await until(async () => (await run.row()).approvals.length > 0);
    await at(run.edit(2, "Hi."));
    await until(async () => (await run.row()).status === "ready");
    await at(run.cancel());
    await at(watching);
    const rewound = seen.findIndex(({ type }) => type === "rewound");
    const numbers = seen.map((each) => (each.type === "line" ? each.number : -1));
    expect(numbers.slice(0, rewound)).toEqual(numbers.slice(0, rewound).map((_, n) => n + 1));
    const behind = numbers.slice(rewound + 1);
    expect(behind).toEqual(behind.map((_, n) => n));
    expect(JSON.stringify(seen.slice(rewound))).toContain('\\"status\\":\\"cancelled\\"');
    await at(host.drain());
  });

  it("answers `accepted` where nobody takes what was said, and the same key later", async () => {
    const clock = virtualClock(1_000_000);
    const store = memoryHostStore({ clock });
    // Nobody owns runs here.
    const deaf = storeWith(store, { claim: async () => [] });
    const first = memoryHost({ store: deaf }, clock);
    const answer = await first.at(first.host.run("r1").start(HELLO, { key: "s" }));
    expect(answer).toEqual({ outcome: "accepted", key: "s" });
    const second = memoryHost({ store, random: seeded(2) }, clock);
    expect(await second.at(second.host.run("r1").answer("s"))).toMatchObject({ outcome: "taken" });
    await second.at(second.host.drain());
    await first.at(first.host.drain());
  });

  it("changes a message that waits, by its key", async () => {
    const clock = virtualClock(1_000_000);
    const waiting = agent({
      name: "desk",
      conversation: { queue: "each" },
      tools: [tool({ name: "refund", needsApproval: true, execute: () => "refunded" })],
    } as never);
    const { host, at, until } = memoryHost({ reasoners: [waiting as typeof desk] }, clock);
    const run = host.run("r1");
    await at(run.start(REFUND));
    await until(async () => (await run.row()).approvals.length > 0);
    await at(run.message("First.", { key: "m1" }));
    await at(run.message("Second.", { key: "m2" }));
    const change = { type: "edited", content: "Changed." } as const;
    expect((await at(run.queued("m1", change))).outcome).toBe("taken");
    expect((await at(run.queued("m2", { type: "removed" }))).outcome).toBe("taken");
    expect(await at(run.queued("m2", { type: "removed" }))).toMatchObject({
      outcome: "refused",
      code: "message.taken",
    });
    await at(host.drain());
  });

  it("is drained though its store does not answer any more", async () => {
    const clock = virtualClock(1_000_000);
    const store = memoryHostStore({ clock });
    let isAway = false;
    const away = storeWith(store, {
      commit: (...given) => (isAway ? new Promise(() => {}) : store.commit(...given)),
      renew: (...given) => (isAway ? new Promise(() => {}) : store.renew(...given)),
    });
    const silent: ModelPort = {
      name: "silent",
      generate: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    };
    const { host, at } = memoryHost({ store: away, model: silent }, clock);
    await at(host.run("r1").start(HELLO));
    isAway = true;
    await at(host.drain(500));
    // Its run is another's to go on with.
    isAway = false;
    const next = memoryHost({ store, random: seeded(2) }, clock);
    await next.until(async () => (await next.host.run("r1").row()).status === "ready");
    await next.at(next.host.drain());
  });

  it("takes a key anew once its answer is forgotten, in a run that was open all the time", async () => {
    const silent: ModelPort = {
      name: "silent",
      generate: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    };
    const forEver = {
      llmTimeoutMs: Number.POSITIVE_INFINITY,
      llmTotalMs: Number.POSITIVE_INFINITY,
    };
    const { host, at, clock } = memoryHost({ model: silent, ...forEver });
    const run = host.run("r1");
    await at(run.start(HELLO));
    const decided = () => run.decide("none", { approve: true }, { key: "k" });
    expect((await at(decided())).outcome).toBe("refused");
    for (let n = 0; n < 70; n++) {
      clock.advance(60_000);
      await at(clock.sleep(1_000));
    }
    expect((await at(run.row())).status).toBe("open");
    expect((await at(decided())).outcome).toBe("refused");
    await at(host.drain());
  });
});
