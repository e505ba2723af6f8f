// A state under other code, by itself: what is carried over, and what is refused with what and why.
import { describe, expect, it, vi } from "vitest";
import {
  defineReasoner,
  type Migrations,
  owedBy,
  type RunState,
  setupReasoner,
} from "../../../../../src/core/kernel/machine/index.js";
import { upgradeRefused } from "../../../../../src/core/kernel/machine/migrate.js";
import { ReckonerError } from "../../../../../src/core/kernel/values/index.js";
import { tool } from "../../../../../src/core/kernel/vocabulary/index.js";
import { throughJson } from "../../../../support/by-hand.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

type Context = { readonly [key: string]: unknown };
const { createMachine } = setupReasoner<Context, null, { type: "go" }>();

const reasonerOf = (version: number, config: object = {}, more: object = {}) =>
  defineReasoner<null, unknown, Context>({
    id: "order",
    version,
    machine: createMachine({ context: {}, initial: "a", states: { a: {} }, ...config } as never),
    ...more,
  } as never);

const started = (of: ReturnType<typeof reasonerOf>) =>
  of.start(null, { at: 0, runId: "r" }).state as never;

/** @param changed the parts of the configuration that are others than they were */
const over = (at: number, ...changed: readonly string[]) => ({
  at,
  differs: (part: string) => changed.includes(part),
  input: null,
  budget: undefined,
});

describe("a state is of no use", () => {
  it("to another reasoner", () => {
    const { code, message } = refusal(() =>
      smallReasoner({}).migrate(started(reasonerOf(1)), over(1)),
    );
    expect(code).toBe("upgrade.refused");
    expect(message).toContain("the run is of order, and this is small");
  });

  it("to code of an earlier version", () => {
    const { code, message } = refusal(() => reasonerOf(2).migrate(started(reasonerOf(3)), over(1)));
    expect(code).toBe("upgrade.refused");
    expect(message).toContain("of version 3 and the present code of version 2");
  });
});

describe("a state from outside", () => {
  it("is not changed, neither by what is made of it nor by a migration that tries", () => {
    const state = throughJson(started(reasonerOf(1, { context: { n: { tries: 1 } } })));
    const before = JSON.stringify(state);
    const carried = reasonerOf(1).migrate(state, over(1));
    const migrations: Migrations = {
      2: ({ value, context }) => {
        Object.assign(context.n as object, { tries: 2 });
        return { value, context };
      },
    };
    const { code } = refusal(() => reasonerOf(2, {}, { migrations }).migrate(state, over(1)));
    expect([code, JSON.stringify(state)]).toEqual(["upgrade.refused", before]);
    Object.assign((state as { context: Context }).context.n as object, { tries: 3 });
    expect(carried.context).toEqual({ n: { tries: 1 } });
  });

  it("that is none is refused with what it lacks", () => {
    const { outstanding, ...less } = started(reasonerOf(1)) as RunState;
    const { code, message } = refusal(() => reasonerOf(1).migrate(less as never, over(1)));
    expect(code).toBe("upgrade.refused");
    expect(message).toContain(
      "its state cannot be read: outstanding is missing; it must be a Table. It was",
    );
  });
});

describe("migrations", () => {
  const noting =
    (word: string): Migrations[number] =>
    ({ value, context }) => ({
      value,
      context: { log: [...((context as { log?: string[] }).log ?? []), word] },
    });

  it("are those between the two versions: none of the state's own, or before", () => {
    const migrations = { 1: noting("1"), 2: noting("2"), 3: noting("3"), 4: noting("4") };
    const carried = reasonerOf(4, {}, { migrations }).migrate(started(reasonerOf(2)), over(1));
    expect([carried.version, carried.context]).toEqual([4, { log: ["3", "4"] }]);
  });

  it.each(["0", "-1", "1.5", "01", "1e0", "one", "9007199254740993"])(
    "%s is no version that one leads to",
    (key) => {
      const { details } = refusal(() => reasonerOf(2, {}, { migrations: { [key]: noting(key) } }));
      expect(details?.map(({ place, message }) => [place, message])).toEqual([
        [`order.migrations.${key}`, expect.stringContaining("named by no version")],
      ]);
    },
  );

  it("are not asked of a run that failed as it started, and has no context", () => {
    const failing = () => {
      throw new Error("no");
    };
    const state = started(reasonerOf(1, { context: failing }));
    const asked = vi.fn(noting("asked"));
    const carried = reasonerOf(2, {}, { migrations: { 2: asked } }).migrate(state, over(1));
    expect(carried).toEqual({ ...(state as RunState), version: 2 });
    expect(carried).toMatchObject({ status: "failed", fault: { code: "machine.threw" } });
    expect(asked).not.toHaveBeenCalled();
  });

  it("say what went wrong in their own words, with one full stop", () => {
    const migrations = {
      2: () => {
        throw new Error("a.b is gone. Sorry.");
      },
    };
    const { message } = refusal(() =>
      reasonerOf(2, {}, { migrations }).migrate(started(reasonerOf(1)), over(1)),
    );
    expect(message).toContain(": order.migrations.2: a.b is gone. Sorry. It was left as it is");
  });
});

it.each<[unknown, string]>([
  [undefined, "what it returns must be { value, context }; it is undefined"],
  [null, "what it returns must be { value, context }; it is null"],
  [["a", {}], "what it returns must be { value, context }; it is a list"],
  [{ value: "a", context: null }, "what it returns: context must be an object; it is "],
  [{ value: "a", context: [1] }, "what it returns: context must be an object; it is "],
  [{ value: "a", context: "text" }, "what it returns: context must be an object; it is "],
  [{ value: "a", contxt: {}, context: {} }, "what it returns: contxt is not a part of it"],
  [
    { value: "a", context: {}, history: ["a"] },
    "what it returns: history must be an object; it is a list",
  ],
  [
    { value: "a", context: {}, history: { h: "a" } },
    "what it returns: history.h must be a list of strings; it is ",
  ],
  [
    { value: "a", context: {}, history: { h: [1] } },
    "what it returns: history.h must be a list of strings; it is ",
  ],
])("a migration that returns %j is refused", (returned, why) => {
  const migrations = { 2: (() => returned) as never };
  const { code, message } = refusal(() =>
    reasonerOf(2, {}, { migrations }).migrate(started(reasonerOf(1)), over(1)),
  );
  expect(code).toBe("upgrade.refused");
  expect(message).toContain(`order.migrations.2: ${why}`);
});

describe("what a history state remembers", () => {
  const states = (inner: string) => ({
    w: {
      initial: "a",
      states: { a: { on: { go: inner } }, [inner]: {}, h: { type: "history" } },
      on: { go: "o" },
    },
    o: { on: { go: "w.h" } },
  });
  const away = (() => {
    const before = reasonerOf(1, { initial: "w", states: states("b") });
    const inside = before.step(started(before), { type: "go", at: 1 }).state;
    return before.step(inside as never, { type: "go", at: 2 }).state as never;
  })();
  const now = (migrations: Migrations) =>
    reasonerOf(2, { initial: "w", states: states("bb") }, { migrations });

  it("and is gone refuses the upgrade by its name", () => {
    const { code, message } = refusal(() =>
      now({ 2: ({ value, context }) => ({ value, context }) }).migrate(away, over(3)),
    );
    expect(code).toBe("upgrade.refused");
    expect(message).toContain("the history names a state (machine).w.b, which is not there");
    expect(message).toContain("declare a migration that returns the history without it");
  });

  it.each<[Migrations[number], unknown]>([
    [
      ({ value, context, history = {} }) => {
        const names = JSON.stringify(history).replace(/\.b"/g, '.bb"');
        return { value, context, history: JSON.parse(names) };
      },
      { w: "bb" },
    ],
    [({ value, context }) => ({ value, context, history: {} }), { w: "a" }],
  ])("is a migration's to change", (migration, value) => {
    const reasoner = now({ 2: migration });
    const carried = reasoner.migrate(away, over(3));
    expect(reasoner.step(carried as never, { type: "go", at: 4 }).state.value).toEqual(value);
  });

  const past = { past: { type: "history", history: "deep", id: "past" } };
  const inner = (id: string) => ({ [id]: { id }, [`${id}2`]: { id: `${id}2` } });
  const two = {
    x: { initial: "b", states: inner("b") },
    y: { initial: "c", states: inner("c") },
  };
  const out = { o: { id: "o", on: { go: "#past" } } };
  const regions = { w: { type: "parallel", states: { ...two, ...past } }, ...out };

  it.each<[string, string[], object, string]>([
    ["lie in two states of a compound one", ["b", "c"], { w: { initial: "x" } }, "b, c"],
    ["lie elsewhere", ["o"], {}, "o"],
    ["are two of a region", ["b", "b2"], {}, "b, b2"],
    ["are none", [], {}, "no state"],
    ["are history states", ["past"], {}, "past"],
  ])("is refused where the states that it leads to %s", (_name, was, changed, names) => {
    const { w = {} } = changed as { w?: object };
    const type = "initial" in w ? {} : { type: "parallel" };
    const config = { ...w, ...type, states: { ...two, ...past } };
    const later = reasonerOf(2, { initial: "o", states: { w: config, ...out } });
    const before = started(reasonerOf(1, { initial: "o", states: regions }));
    const remembers = { ...(before as object), history: { past: was } } as never;
    const { code, message } = refusal(() => later.migrate(remembers, over(1)));
    expect(code).toBe("upgrade.refused");
    expect(message).toContain(`the history of past cannot lead to ${names}; declare a migration`);
  });

  it("is refused where what remembered is a history state no more", () => {
    const before = started(reasonerOf(1, { initial: "o", states: regions }));
    const remembers = { ...(before as object), history: { o: ["b"] } } as never;
    const { message } = refusal(() =>
      reasonerOf(2, { initial: "o", states: regions }).migrate(remembers, over(1)),
    );
    expect(message).toContain("the history of o cannot lead to b");
  });

  it.each([
    ["tables", {}],
    ["transition", { path: "transition" }],
  ])("is refused where there are no history states any more, by %s", (_path, more) => {
    const { w, ...rest } = states("b");
    const { h: _gone, ...left } = w.states;
    const plain = { w: { ...w, states: left }, o: { ...rest.o, on: { go: "w" } } };
    const over2 = (migrations?: Migrations) =>
      reasonerOf(
        2,
        { initial: "w", states: plain },
        { ...more, ...(migrations && { migrations }) },
      );
    const { message } = refusal(() => over2().migrate(away, over(3)));
    expect(message).toContain("the history names a state (machine).w.h, which is not there");
    const none: Migrations = { 2: ({ value, context }) => ({ value, context, history: {} }) };
    expect(over2(none).migrate(away, over(3)).value).toBe("o");
  });

  it("leads to what a region of its own began with, where that is new", () => {
    const later = reasonerOf(2, { initial: "o", states: regions });
    const before = started(reasonerOf(1, { initial: "o", states: regions }));
    const remembers = { ...(before as object), history: { past: ["b2"] } } as never;
    const carried = later.migrate(remembers, over(1));
    const { value } = later.step(carried as never, { type: "go", at: 2 }).state;
    expect(value).toEqual({ w: { x: "b2", y: "c" } });
  });

  it("stays as one migration left it where the next says nothing of it", () => {
    const migrations: Migrations = {
      1: ({ value, context }) => ({ value, context, history: {} }),
      2: ({ value, context, history }) => ({
        value,
        context: { ...(context as object), had: history ?? null },
      }),
    };
    const { history, context } = now(migrations).migrate(
      { ...(away as object), version: 0 } as never,
      over(3),
    );
    expect([history, context]).toEqual([{}, { had: {} }]);
  });
});

describe("what follows from the configuration", () => {
  it("is set anew where the run goes on, and not where it has ended", () => {
    const adopt = vi.fn((context: Context) => ({ ...context, prompt: "new" }));
    const states = { a: { on: { go: "b" }, after: { 5: "b" } }, b: { type: "final" } };
    const [before, now] = [reasonerOf(1, { states }), reasonerOf(2, { states }, { adopt })];
    const active = started(before);
    expect(now.migrate(active, over(1)).context).toEqual({ prompt: "new" });
    adopt.mockClear();
    const done = before.step(active, { type: "go", at: 1 }).state;
    expect(now.migrate(done as never, over(2))).toEqual({ ...done, version: 2 });
    expect(adopt).not.toHaveBeenCalled();
  });

  it("refuses the upgrade in its own words, or with what it threw as the cause", () => {
    const refusedBy = (thrown: Error) =>
      refusal(() =>
        reasonerOf(
          2,
          {},
          {
            adopt: () => {
              throw thrown;
            },
          },
        ).migrate(started(reasonerOf(1)), over(1)),
      );
    const own = upgradeRefused("its budget is spent");
    expect(refusedBy(own)).toBe(own);
    expect("cause" in own).toBe(false);
    for (const thrown of [new Error("no"), new ReckonerError("json.refused", "no")]) {
      const { code, message, cause } = refusedBy(thrown);
      expect([code, cause]).toEqual(["upgrade.refused", thrown]);
      expect(message).toContain("order does not take its context on: no");
    }
  });
});

it.each<[object, unknown]>([
  [{ states: { a: {}, end: { type: "final" } } }, "end"],
  [
    {
      type: "parallel",
      initial: undefined,
      states: {
        x: { initial: "end", states: { end: { type: "final" } } },
        y: { initial: "end", states: { end: { type: "final" } } },
      },
    },
    { x: "end", y: "end" },
  ],
])("a migration into an end is refused: nothing would end the run", (config, value) => {
  const migrations = { 2: ({ context }: { context: unknown }) => ({ value, context }) };
  const later = reasonerOf(2, config, { migrations });
  const { code, message } = refusal(() => later.migrate(started(reasonerOf(1)), over(1)));
  expect([code, message]).toEqual([
    "upgrade.refused",
    expect.stringContaining(`the state ${JSON.stringify(value)} is an end`),
  ]);
});

describe("what is outstanding", () => {
  const effects = {
    tool: { type: "tool", id: "t", name: "work", input: {} },
    run: { type: "run", id: "c", reasoner: "helper", input: null },
    llm: { type: "llm", id: "m", messages: [] },
    timer: timer("w"),
  } as const;
  const owing = (type: keyof typeof effects, version: number, more: object = {}) =>
    reasonerOf(version, { entry: issue(effects[type]) }, more);
  const work = tool({ name: "work", execute: () => 1 });
  const sum = tool({ name: "work", reduce: () => 1 });
  const helper = smallReasoner({});

  const goesOn: readonly (readonly [string, keyof typeof effects, object, readonly string[]])[] = [
    ["a tool that is there", "tool", { tools: { work } }, ["tools.work"]],
    ["a tool that never was, and settles as it would have", "tool", {}, []],
    ["a child that is there", "run", { children: { helper } }, ["children.helper"]],
    ["a child that never was", "run", {}, []],
    ["a model's answer", "llm", {}, ["tools.undefined", "children.undefined"]],
    ["a timer", "timer", {}, ["tools.undefined", "children.undefined"]],
  ];
  it.each(goesOn)("goes on: %s", (_name, type, more, changed) => {
    const state = started(owing(type, 1));
    const carried = owing(type, 2, more).migrate(state, over(1, ...changed));
    expect(owedBy(carried)).toEqual([effects[type]]);
  });

  const refused: readonly (readonly [string, keyof typeof effects, object, string, string])[] = [
    ["a tool that is gone", "tool", {}, "tools.work", "no tool work that executes"],
    [
      "a tool that is none of effect any more",
      "tool",
      { tools: { work: sum } },
      "",
      "no tool work",
    ],
    ["a child that is gone", "run", {}, "children.helper", "no reasoner helper"],
  ];
  it.each(refused)("is refused: %s", (_name, type, more, changed, why) => {
    const state = started(owing(type, 1));
    const { code, message } = refusal(() => owing(type, 2, more).migrate(state, over(1, changed)));
    expect(code).toBe("upgrade.refused");
    expect(message).toContain(`${effects[type].id} is outstanding, and order has ${why}`);
  });
});

/** A state of an odd name within another one. */
const deep = (inner: object) => ({
  states: { a: { initial: "c/%", states: { "c/%": inner, d: {} } } },
});

describe("timers", () => {
  const timed = (version: number, after: object, more: object = {}) =>
    reasonerOf(version, { states: { a: { after }, b: {} }, ...more });
  const idsOf = (state: Parameters<typeof owedBy>[0]) => owedBy(state).map(({ id }) => id);

  it("of a machine's own are left alone, and what is named like one of `after` and is none", () => {
    const entry = issue(timer("own"), { type: "tool", id: "after/a/5/0", name: "x", input: {} });
    const [before, now] = [1, 2].map((version) => reasonerOf(version, { entry }));
    const carried = now?.migrate(started(before as never), over(9));
    expect(carried && idsOf(carried)).toEqual(["own", "after/a/5/0"]);
  });

  it.each(["after/lunch", "after/c/5/0", "after/a/5/x", "later/a/5/0"])(
    "of a machine's own are left alone, though they are called %s",
    (id) => {
      const [before, now] = [1, 2].map((version) =>
        reasonerOf(version, { entry: issue(timer(id)), states: { a: {}, b: {} } }),
      ) as [ReturnType<typeof reasonerOf>, ReturnType<typeof reasonerOf>];
      expect(idsOf(now.migrate(started(before), over(9)))).toEqual([id]);
    },
  );

  it.each<[string, object, string]>([
    ["the machine", { after: { 5: ".b" } }, "after/5/0"],
    ["a state in a state", deep({ after: { 5: "d" } }), "after/a/c%2F%25/5/0"],
  ])("of %s that has none any more are gone", (_name, config, id) => {
    const before = started(reasonerOf(1, { states: { a: {}, b: {} }, ...config }));
    expect(idsOf(before)).toEqual([id]);
    const none = "after" in config ? { states: { a: {}, b: {} } } : deep({});
    expect(idsOf(reasonerOf(2, none).migrate(before, over(9)))).toEqual([]);
  });

  it("that would have to begin need a delay that is known", () => {
    const more = { delays: { soon: () => 5 } };
    const { createMachine } = setupReasoner<Context, null>(more as never);
    const config = { context: {}, initial: "a", states: { a: { after: { soon: "b" } }, b: {} } };
    const now = defineReasoner({
      id: "order",
      version: 2,
      machine: createMachine(config as never),
    });
    const { code, message } = refusal(() => now.migrate(started(reasonerOf(1)), over(9)));
    expect(code).toBe("upgrade.refused");
    expect(message).toContain("after/a/soon would have to begin, and its delay is only known");
  });

  it("that would have to begin may have a delay with a name, where that is a number", () => {
    const { createMachine } = setupReasoner<Context, null>({ delays: { soon: 5 } } as never);
    const config = { context: {}, initial: "a", states: { a: { after: { soon: "b" } }, b: {} } };
    const machine = createMachine(config as never);
    const carried = defineReasoner({ id: "order", version: 2, machine }).migrate(
      started(reasonerOf(1)),
      over(9),
    );
    expect(owedBy(carried)).toEqual([timer("after/a/soon/0", 14)]);
  });

  it("that have fired do not begin again in the state that they left as it is", () => {
    const held = { 5: { guard: () => false, target: "b" } };
    const before = timed(1, held);
    const fired = before.step(started(before), { type: "timer.fired", id: "after/a/5/0", at: 5 });
    expect(idsOf(timed(2, held).migrate(fired.state as never, over(9)))).toEqual([]);
    expect(idsOf(timed(2, { 7: "b" }).migrate(fired.state as never, over(9)))).toEqual([
      "after/a/7/0",
    ]);
  });
});
