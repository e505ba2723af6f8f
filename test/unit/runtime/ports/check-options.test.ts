// What callers give is checked at the door of each entry: one line, a code, and which option it is.
import { describe, expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import {
  fold,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import {
  checkpoint,
  fixture,
  fork,
  redrive,
  rewind,
  Timeline,
  testRun,
} from "../../../../src/time-travel/live/index.js";
import { rejection } from "../../../support/thrown.js";

const WRONG: { readonly [name: string]: readonly unknown[] } = {
  model: [5, null, "gpt", {}.toString, [], { a: 5 }, { generate: 5 }],
  stores: [5, [], { s: 5 }, { s: { read: () => null } }],
  clock: [5, null, {}, { now: () => 0 }],
  signal: [5, null, true, {}],
  concurrency: [0, -1, 1.5, Number.NaN, "4"],
  llmTimeoutMs: [0, -1, Number.NaN, "5s", null],
  retry: [5, [], { attempts: 0 }, { attempts: Number.NaN }, { delayMs: "1" }, { maxDelayMs: -1 }],
  approve: [5, true, "yes"],
  unattended: ["ask", true],
  timers: ["wake", 5],
  redact: [5, {}, "secret"],
  maskCredentials: ["no", 0],
  observers: [5, [5], {}, [null], () => {}],
  maxDepth: [-1, Number.NaN, "8"],
};
const NEW = {
  journal: [5, null, "", {}, [], { read: () => null }, { open: () => 0, read: () => 0 }],
  runId: [5, {}],
  seed: [5, null],
  config: [5],
  budget: [5, { tokens: "many" }, { tokens: -1 }],
  from: [5, null, ""],
};
const AGAIN = {
  upgrade: ["yes", 1],
  approvals: [5, [], "a"],
  messages: [5, "hello", {}],
  events: [5, {}],
};

const rows = (options: { readonly [name: string]: readonly unknown[] }) =>
  Object.entries(options).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );

const one = agent({ name: "a" });
const model = scriptedModel(["Done."]);

async function recorded() {
  const journal = memoryJournal();
  await run(one, "go", { model, journal, runId: "r" });
  return journal;
}

describe("an option that is none is refused with its name, before anything begins", () => {
  it("a promise says that it is one, and fails unheard", async () => {
    const model = Promise.reject(new Error("no key"));
    const refused = await rejection(run(one, "go", { model: model as never }));
    expect(refused.message).toBe(
      "model of run must be a model port, with generate(), models([…]), or several of these by name; it is a promise, which is to be awaited first.",
    );
    const approve = function* () {};
    expect((await rejection(run(one, "go", { approve: approve as never }))).message).toBe(
      "approve of run must be a function; it is a generator function.",
    );
  });

  it.each(rows({ ...WRONG, ...NEW }))("run: %s: %o", async (name, value) => {
    const journal = memoryJournal();
    const refused = await rejection(run(one, "go", { journal, [name]: value } as never));
    expect(refused).toMatchObject({ code: "option.invalid" });
    expect(refused.message).toMatch(/^\w+(\[0\])? of (retry of |budget of )?run must be .*\.$/);
    expect(refused.message).toMatch(new RegExp(`${name}(\\[0\\])? of run`));
    expect(refused.message).not.toContain("\n");
    expect(await rejection(replay(one, journal))).toMatchObject({ code: "journal.missing" });
  });

  it.each(rows({ ...WRONG, ...AGAIN }))("resume: %s: %o", async (name, value) => {
    const refused = await rejection(resume(one, await recorded(), { [name]: value } as never));
    expect(refused).toMatchObject({ code: "option.invalid" });
    expect(refused.message).toMatch(new RegExp(`${name}(\\[0\\])? of resume`));
  });

  const others: readonly (readonly [string, (wrong: never) => unknown])[] = [
    ["replay", async (wrong) => replay(one, await recorded(), { onStep: wrong })],
    ["fold", async (wrong) => fold(one, await recorded(), wrong)],
    ["fork", async (wrong) => fork(await recorded(), { at: wrong })],
    ["fork", async (wrong) => fork(await recorded(), { to: wrong })],
    ["fork", async (wrong) => fork(await recorded(), { set: wrong })],
    ["rewind", async (wrong) => rewind(await recorded(), { at: 0 }, { clock: wrong })],
    ["rewind", async (wrong) => rewind(await recorded(), wrong)],
    ["checkpoint", async (wrong) => checkpoint(await recorded(), { name: wrong })],
    [
      "fixture",
      async (wrong) => fixture(one, await recorded(), memoryJournal(), { redact: wrong }),
    ],
    ["redrive", async (wrong) => redrive(one, await recorded(), { score: wrong })],
    ["redrive", async (wrong) => redrive(one, await recorded(), { live: wrong })],
    [
      "redrive",
      async (wrong) => redrive(one, await recorded(), { live: { model: wrong } } as never),
    ],
    ["replay", async (wrong) => replay(one, await recorded(), { ignore: wrong })],
    ["replay", async (wrong) => replay(one, await recorded(), { ignore: ["a", wrong] })],
  ];
  it.each(others)("%s: %o", async (_name, call) => {
    for (const wrong of [[5], null, true]) {
      if (wrong === null && _name === "fold") continue;
      const refused = await rejection(call(wrong as never));
      expect(refused).toMatchObject({ code: "option.invalid" });
    }
  });

  it("whatever it is, in words that show nothing of it", async () => {
    const words = [
      ["", "an empty string"],
      ["secret", "a string"],
      [["secret"], "a list"],
      [{ secret: 1 }, "another object"],
      [() => "secret", "a function"],
      [null, "null"],
      [5, "5"],
    ] as const;
    for (const [value, said] of words) {
      const refused = await rejection(run(one, "go", { signal: value } as never));
      expect(refused.message).toBe(`signal of run must be an AbortSignal; it is ${said}.`);
    }
  });

  it("all that is left undefined is not there", async () => {
    const names = Object.keys({ ...WRONG, ...NEW }).filter((name) => name !== "model");
    const none = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(await run(one, "go", { ...none, model })).toMatchObject({ status: "done" });
  });

  const misspelt: readonly (readonly [string, string, (options: never) => unknown])[] = [
    ["run", "jurnal", (options) => run(one, "go", options)],
    ["retry of run", "attempt", (retry) => run(one, "go", { model, retry })],
    ["resume", "redcat", async (options) => resume(one, await recorded(), options)],
    ["replay", "onstep", async (options) => replay(one, await recorded(), options)],
    ["fork", "att", async (options) => fork(await recorded(), options)],
    ["rewind", "out", async (options) => rewind(await recorded(), { at: 0 }, options)],
    ["checkpoint", "label", async (options) => checkpoint(await recorded(), options)],
    [
      "fixture",
      "redcat",
      async (options) => fixture(one, await recorded(), memoryJournal(), options),
    ],
    ["redrive", "ignored", async (options) => redrive(one, await recorded(), options)],
    ["replay", "accept", async (options) => replay(one, await recorded(), options)],
  ];
  it.each(misspelt)("that is misspelt: %s, %s", async (of, name, call) => {
    const refused = await rejection(call({ [name]: 1 } as never));
    expect([refused.code, refused.message]).toEqual([
      "option.invalid",
      expect.stringMatching(
        new RegExp(
          `^${name} (is not an option of ${of}|of ${of} is not a part of it); (\\w+, )*\\w+ are\\.$`,
        ),
      ),
    ]);
    const absent = await Promise.resolve(call({ [name]: undefined } as never)).catch(
      (error) => error,
    );
    expect(absent).not.toMatchObject({ code: "option.invalid" });
  });

  it("but run and resume may be given one world", async () => {
    const world = { model, seed: "s", services: {}, upgrade: true };
    expect(await run(one, "go", world as never)).toMatchObject({ status: "done" });
    expect(await resume(one, await recorded(), world as never)).toMatchObject({ status: "done" });
  });

  it.each(["approvals", "messages", "events"])(
    "what is said to a run that goes on is not an option of a new one: %s",
    async (name) => {
      const given = { model, [name]: name === "approvals" ? {} : [] };
      const { code, message } = await rejection(run(one, "go", given as never));
      expect([code, message]).toEqual([
        "option.invalid",
        expect.stringMatching(
          `^${name} is not an option of run; model, .*, from, services are\\.$`,
        ),
      ]);
      const unknown = await rejection(resume(one, await recorded(), { modell: 1 } as never));
      expect(unknown.message).toMatch(/; model, .*, upgrade, .*, events, services are\.$/);
      expect(unknown.message).not.toMatch(/runId|from/);
    },
  );

  it("a model that is still awaited is none", async () => {
    const { code, message } = await rejection(
      run(one, "go", { model: Promise.resolve(model) as never }),
    );
    expect([code, message]).toEqual([
      "option.invalid",
      expect.stringContaining("model of run must be a model port"),
    ]);
  });

  it.each(["model", "clock", "journal"])(
    "one that throws when it is looked at: %s",
    async (name) => {
      const hostile = new Proxy(
        {},
        {
          get() {
            throw new Error("no");
          },
        },
      );
      const refused = rejection(run(one, "go", { model, [name]: hostile } as never));
      expect(await refused).toMatchObject({ code: "option.invalid" });
    },
  );

  it("options that are none, or that cannot be read", async () => {
    const unreadable = {
      get signal(): never {
        throw new Error("no");
      },
    };
    for (const wrong of [5, null, "x", [], unreadable]) {
      expect(await rejection(run(one, "go", wrong as never))).toMatchObject({
        code: "option.invalid",
      });
      const resumed = resume(one, await recorded(), wrong as never);
      expect(await rejection(resumed)).toMatchObject({ code: "option.invalid" });
    }
  });
});

describe("a journal or a reasoner that is none is refused", () => {
  const calls: readonly (readonly [string, (reasoner: never, journal: never) => unknown])[] = [
    ["resume", (reasoner, journal) => resume(reasoner, journal)],
    ["replay", (reasoner, journal) => replay(reasoner, journal)],
    ["fold", (reasoner, journal) => fold(reasoner, journal)],
    ["fixture", (reasoner, journal) => fixture(reasoner, journal, memoryJournal())],
    ["redrive", (reasoner, journal) => redrive(reasoner, journal)],
    ["testRun", (reasoner, journal) => testRun(reasoner, journal)],
    ["Timeline.open", (reasoner, journal) => Timeline.open(reasoner, journal)],
  ];
  it.each(calls)("%s", async (_name, call) => {
    const journal = await recorded();
    for (const wrong of [5, null, undefined, {}, "", [5]]) {
      expect(await rejection(call(one as never, wrong as never))).toMatchObject({
        code: "option.invalid",
      });
      if (wrong === "") continue;
      const refused = await rejection(call(wrong as never, journal as never));
      expect(refused).toMatchObject({ code: "option.invalid" });
      expect(refused.message).toMatch(/^The reasoner must be /);
    }
  });

  it("run", async () => {
    for (const wrong of [5, null, undefined, {}, { start() {} }]) {
      expect(await rejection(run(wrong as never, "go"))).toMatchObject({ code: "option.invalid" });
    }
  });
});
