// Machines of one's own under another version: states, contexts and timers are carried over, or the
// upgrade is refused with what and why.
import { describe, expect, it } from "vitest";
import { tool } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  assign,
  defineReasoner,
  type Migrations,
  type Reasoner,
  setupReasoner,
} from "../../../../src/kernel.js";
import {
  memoryJournal,
  replay,
  resume,
  run,
  summaryOf,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { refusal, rejection } from "../../../support/thrown.js";

type Order = { readonly [key: string]: unknown };

function order(
  config: object,
  more: {
    version?: number;
    migrations?: Migrations;
    adopt?: (context: Order) => Order;
    tools?: object;
    children?: object;
  } = {},
): Reasoner<null, unknown, Order> {
  const { createMachine } = setupReasoner<Order, null, { type: "pay" } | { type: "look" }>();
  const machine = createMachine({ context: {}, ...config } as never);
  return defineReasoner<null, unknown, Order>({ id: "order", machine, ...more } as never);
}

const first = () =>
  order({
    context: { paid: false },
    initial: "unpaid",
    states: {
      unpaid: { on: { pay: { target: "paid", actions: assign({ paid: true }) } } },
      paid: { type: "final" },
    },
  });

const renamed = (migrations?: Migrations, more: object = {}) =>
  order(
    {
      context: { cents: 0 },
      initial: "open",
      states: {
        open: { on: { pay: { target: "closed", actions: assign({ cents: 100 }) } } },
        closed: { type: "final" },
      },
    },
    { version: 2, ...(migrations === undefined ? {} : { migrations }), ...more },
  );

async function waitingOrder(of = first(), options: object = {}) {
  const journal = memoryJournal();
  await run(of, null, { journal, runId: "r", ...options });
  return journal;
}

describe("a state by another name", () => {
  it("is refused without a migration, and the run stays", async () => {
    const journal = await waitingOrder();
    const before = await textIn(journal);
    const error = await rejection(resume(renamed(), journal, { upgrade: true }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain(
      'there is no state "unpaid"; declare a migration that leads to one that is there',
    );
    expect(await textIn(journal)).toBe(before);
    const end = await resume(first(), journal, { events: [{ type: "pay" }] });
    expect(end.status).toBe("done");
  });

  it("is carried over by one, and replays with both", async () => {
    const journal = await waitingOrder();
    const now = () => renamed({ 2: () => ({ value: "open", context: { cents: 7 } }) });
    const waiting = await resume(now(), journal, { upgrade: true });
    expect(waiting).toMatchObject({ status: "waiting", reason: "open", context: { cents: 7 } });
    const end = await resume(now(), journal, { events: [{ type: "pay" }] });
    expect(end).toMatchObject({ status: "done", context: { cents: 100 } });
    expect(await replay([first(), now()], journal)).toMatchObject({
      status: "identical",
      segments: [{ version: 1 }, { version: 2 }],
    });
  });

  it("is carried over version by version, also where versions are dates", async () => {
    const cents =
      (to: number): Migrations[number] =>
      ({ context }) => ({
        value: "open",
        context: { cents: 10 * ((context as { cents?: number }).cents ?? 0) + to },
      });
    // Numbers of more than 32 bits are names in the order in which they were given.
    const migrations = { 20261122120000: cents(2), 20261121120000: cents(1), 3: cents(0) };
    const journal = await waitingOrder();
    const now = renamed(migrations, { version: 20261122120000 });
    const waiting = await resume(now, journal, { upgrade: true });
    expect(waiting).toMatchObject({ status: "waiting", context: { cents: 12 } });
  });

  it("is refused where states have come into it, and nobody says which of them it is", async () => {
    const states = { unpaid: { initial: "fresh", states: { fresh: {} } } };
    const parts = order({ context: {}, initial: "unpaid", states }, { version: 2 });
    const journal = await waitingOrder();
    expect(await rejection(resume(parts, journal, { upgrade: true }))).toMatchObject({
      code: "upgrade.refused",
      message: expect.stringContaining('the state "unpaid" is not whole; declare a migration'),
    });
  });

  const refusals: readonly (readonly [string, Migrations[number], string])[] = [
    [
      "that throws",
      () => {
        throw new Error("no way");
      },
      "order.migrations.2: no way",
    ],
    [
      "that changes what it is given",
      (state) => {
        (state.context as { paid: unknown }).paid = 1;
        return state;
      },
      "order.migrations.2:",
    ],
    [
      "that returns what is not JSON",
      () => ({ value: "open", context: { when: new Date(0) } }),
      "is a Date",
    ],
    ["that returns nothing", () => undefined as never, "order.migrations.2:"],
    ["that leads to no state", () => ({ value: "nowhere", context: {} }), 'no state "nowhere"'],
  ];
  for (const [name, migration, why] of refusals) {
    it(`is refused with a migration ${name}`, async () => {
      const journal = await waitingOrder();
      const before = await textIn(journal);
      const error = await rejection(resume(renamed({ 2: migration }), journal, { upgrade: true }));
      expect(error.code).toBe("upgrade.refused");
      expect(error.message).toContain(why);
      expect(await textIn(journal)).toBe(before);
    });
  }

  it("is refused with a migration that says something else each time", async () => {
    let count = 0;
    const counting = () => {
      count += 1;
      return { value: "open", context: { count } };
    };
    const journal = await waitingOrder();
    const error = await rejection(resume(renamed({ 2: counting }), journal, { upgrade: true }));
    expect(error.message).toContain("it is not pure");
  });
});

describe("what of a context follows from the configuration", () => {
  const migrations = { 2: () => ({ value: "open", context: { cents: 7 } }) };
  it("is set anew after the migrations", async () => {
    const adopt = (context: Order) => ({ ...context, more: Number(context.cents) + 1 });
    const now = renamed(migrations, { adopt });
    const waiting = await resume(now, await waitingOrder(), { upgrade: true });
    expect(waiting).toMatchObject({ status: "waiting", context: { cents: 7, more: 8 } });
  });

  it("refuses the upgrade where it cannot be set", async () => {
    const adopt = () => {
      throw new Error("no way");
    };
    const now = renamed(migrations, { adopt });
    const error = await rejection(resume(now, await waitingOrder(), { upgrade: true }));
    expect(error).toMatchObject({
      code: "upgrade.refused",
      message: expect.stringContaining("order does not take its context on: no way"),
    });
  });
});

describe("migrations are checked at definition, all at once", () => {
  it("by their versions and their kind", () => {
    const thrown = refusal(() =>
      renamed({
        0: () => ({}),
        3: () => ({ value: "open", context: {} }),
        x: 5,
        2: async () => ({}),
      } as never),
    );
    expect(thrown.code).toBe("machine.invalid");
    expect(thrown.message).toContain("order.migrations.0: is named by no version");
    expect(thrown.message).toContain("order.migrations.3: leads beyond version 2");
    expect(thrown.message).toContain("order.migrations.x: is named by no version");
    expect(thrown.message).toContain("order.migrations.x: must be a function");
    expect(thrown.message).toContain("order.migrations.2: must be a plain function");
  });

  it.each([[null], [[() => ({})]], ["text"], [5], [() => ({})]])("%s is none", (migrations) => {
    const thrown = refusal(() => renamed(migrations as never));
    expect([thrown.code, thrown.place]).toEqual(["machine.invalid", "order.migrations"]);
    expect(thrown.message).toContain("must be an object of functions");
  });
});

describe("what a run owes", () => {
  const slow = (name: string) => tool({ name, execute: () => new Promise(() => {}) });
  const working = (name: string, version: number) =>
    order(
      {
        initial: "working",
        states: {
          working: {
            entry: {
              type: "issue",
              params: [{ type: "tool", id: "t/0", name: "work", input: {} }],
            },
            on: { "tool.*": "done" },
          },
          done: { type: "final" },
        },
      },
      { version, tools: { [name]: slow(name) } },
    );

  it("is refused where its tool is gone", async () => {
    const journal = memoryJournal();
    const live = run(working("work", 1), null, { journal, runId: "r" });
    for await (const { type } of live) if (type === "step") break;
    const copy = memoryJournal();
    const writer = await copy.open("create");
    const lines = (await textIn(journal)).trimEnd().split("\n");
    await writer.append(lines, { lines: 0, bytes: 0 });
    await writer.close();
    const both = [working("other", 2), working("work", 1)];
    const error = await rejection(resume(both, copy, { upgrade: true }));
    expect(error.message).toContain("t/0 is outstanding, and order has no tool work");
    live.cancel();
    await live;
  });
});

describe("the timers of after", () => {
  const timed = (version: number, after: object, more: object = {}) =>
    order(
      { initial: "a", states: { a: { after, on: { look: {} }, ...more }, b: { type: "final" } } },
      { version },
    );

  async function upgradedTo(next: Reasoner<null, unknown, Order>, from = timed(1, { 1000: "b" })) {
    const clock = virtualClock(0);
    const journal = memoryJournal();
    const options = { clock, timers: "return" as const };
    await run(from, null, { journal, runId: "r", ...options });
    const end = await resume(next, journal, { ...options, upgrade: true });
    return { end, journal };
  }

  it("stay where they are the same", async () => {
    const { end } = await upgradedTo(timed(2, { 1000: "b" }));
    expect(end).toMatchObject({ status: "waiting", wakeAt: 1000 });
  });

  it("begin with the upgrade where there is another delay, and the old one is gone", async () => {
    const { end } = await upgradedTo(timed(2, { 5000: "b" }));
    expect(end).toMatchObject({ status: "waiting", wakeAt: 5000 });
    expect(Object.keys(end.state.outstanding).length).toBeGreaterThan(0);
  });

  it("are gone where the state has none any more", async () => {
    const { end } = await upgradedTo(timed(2, {}));
    expect(end.status === "waiting" && end.wakeAt).toBeUndefined();
  });

  it("begin where the state had none before", async () => {
    const { end, journal } = await upgradedTo(timed(2, { 70: "b" }), timed(1, {}));
    expect(end).toMatchObject({ wakeAt: 70 });
    const clock = virtualClock(100);
    const last = await resume(timed(2, { 70: "b" }), journal, { clock });
    expect(last.status).toBe("done");
  });

  it("are told of by the lines alone", async () => {
    const gone = await upgradedTo(timed(2, {}));
    expect(await summaryOf(gone.journal)).toMatchObject({ status: "ready", timers: 0 });
    const come = await upgradedTo(timed(2, { 70: "b" }), timed(1, {}));
    expect(await summaryOf(come.journal)).toMatchObject({ status: "waiting", timers: 1 });
  });
});

it("an upgrade to equal code carries a state over as it is", () => {
  const reasoner = first();
  const { state } = reasoner.start(null, { at: 0, runId: "r" });
  const over = { at: 9, differs: () => false, input: null, budget: undefined };
  expect(reasoner.migrate(state as never, over)).toEqual(state);
});
