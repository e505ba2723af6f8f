// Functions of the caller's that have to answer at once and are async all the same: what they make of
// a run has a code, and no promise of theirs fails unheard, which would end the whole process.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Agent,
  agent,
  agentCallbacks,
  basicBehaviour,
} from "../../../../src/core/agent/index.js";
import { change, defineReasoner } from "../../../../src/core/kernel/machine/index.js";
import { contextUpdate, tool } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type Clock,
  memoryJournal,
  type Observation,
  type Redactable,
  type RunOptions,
  replay,
  run,
  scriptedModel,
  systemClock,
} from "../../../../src/runtime/index.js";
import { fixture, redrive } from "../../../../src/time-travel/live/index.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { refusal, rejection } from "../../../support/thrown.js";

const unheard: unknown[] = [];
const note = (thrown: unknown) => unheard.push(thrown);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** A function that every hook could be: it fails later. */
const later = async (): Promise<never> => {
  throw new Error("later");
};
/** The same of another realm: no instance of the platform's own. */
const foreign = (): unknown => ({
  // biome-ignore lint/suspicious/noThenProperty: a promise of anybody's
  then: (_: unknown, reject: (thrown: unknown) => void) => void later().catch(reject),
});

async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
  expect(unheard.splice(0)).toEqual([]);
}

/** What a run came to: its end's status and code, and its notices. */
async function lived(one: unknown, options: RunOptions, input: unknown = "go") {
  const seen: Observation[] = [];
  const observers = [...(options.observers ?? []), (each: Observation) => void seen.push(each)];
  const live = run(one as Agent, input as never, { ...options, observers });
  const end = await Promise.resolve(live).catch((thrown: unknown) => thrown);
  await settled();
  type Ended = { status?: string; code?: string; message?: string; error?: { code: string } };
  return { end: end as never as Ended, seen };
}

const calling = () => scriptedModel([{ calls: [{ name: "t", input: {} }] }, "Done."]);
const t = (more: object) => {
  const does = "reduce" in more || "issue" in more ? {} : { execute: () => 1 };
  return tool({ name: "t", jsonSchema: {}, ...does, ...more } as never);
};

describe("functions that look on", () => {
  it.each([
    ["an observer", later],
    ["one of another realm", foreign],
    [
      "callbacks",
      agentCallbacks({ onAgentStart: later as never, onLlmNewMessage: later as never }),
    ],
  ])("%s", async (_name, observer) => {
    const { end, seen } = await lived(agent({ name: "a" }), {
      model: scriptedModel(["Done."]),
      observers: [observer as never],
    });
    expect(end.status).toBe("done");
    expect(seen.some((each) => each.type === "step")).toBe(true);
  });

  it("replay's onStep, and redrive's score and before, have a code", async () => {
    const journal = memoryJournal();
    const one = agent({ name: "a" });
    await run(one, "go", { model: scriptedModel(["Done."]), journal });
    const threw = () => {
      throw new Error("now");
    };
    const other = agent({ name: "a", system: "Other." });
    for (const hook of [later, foreign, threw]) {
      const live = { model: scriptedModel(["Done."]), budget: 9, before: hook as never };
      for (const call of [
        () => replay(one, journal, { onStep: hook as never }),
        () => redrive(one, journal, { score: hook as never }),
        () => redrive(other, journal, { live }),
      ]) {
        expect(await rejection(call())).toMatchObject({ code: "hook.failed" });
      }
    }
    expect(await rejection(redrive(one, journal, { score: () => "good" as never }))).toMatchObject({
      code: "option.invalid",
    });
    await settled();
  });
});

describe("a redaction hook", () => {
  const hooks: readonly (readonly [string, (value: Redactable) => unknown])[] = [
    ["that is async", later],
    ["of another realm", foreign],
    [
      "that throws",
      () => {
        throw new Error("no");
      },
    ],
    [
      "that throws nothing",
      () => {
        throw undefined;
      },
    ],
    ["that makes no JSON", (value) => ({ ...value, f: () => 1 })],
    [
      "that makes a cycle",
      (value) => {
        const made: Record<string, unknown> = { ...value };
        made.self = made;
        return made;
      },
    ],
    ["that makes nothing", () => undefined],
    ["that makes a text", () => "***"],
    ["that makes a list", () => []],
    ["that drops the input", (value) => ({ ...value, input: undefined })],
  ];
  it.each(hooks)("%s is refused with a code", async (_name, redact) => {
    const { end } = await lived(agent({ name: "a" }), { model: scriptedModel(["."]), redact });
    expect(end.code).toBe("redaction.refused");
    expect(end.message).not.toContain("\n");
    const journal = memoryJournal();
    await run(agent({ name: "a" }), "go", { model: scriptedModel(["."]), journal });
    const made = fixture(agent({ name: "a" }), journal, memoryJournal(), { redact });
    expect(await rejection(made)).toMatchObject({ code: "redaction.refused" });
    await settled();
  });

  it.each(hooks.slice(0, 8))("%s on a later event", async (_name, hook) => {
    for (const type of ["llm.succeeded", "tool.succeeded", "delta"]) {
      const redact = (value: Redactable) => (value.type === type ? hook(value) : value);
      const model = scriptedModel([{ calls: [{ name: "t", input: {} }] }, "Done."], {
        stream: true,
      } as never);
      const { end, seen } = await lived(agent({ name: "a", tools: [t({})] }), { model, redact });
      const told = seen.some((each) => each.type === type);
      if (type === "delta") {
        if (told) expect(end.code).toBe("redaction.refused");
        continue;
      }
      // The world has moved: the run goes on, with what came of it in place of it.
      const failures = seen.flatMap((each) => {
        return each.type === "step" && "error" in each.event ? [each.event] : [];
      });
      expect(failures).toMatchObject([
        { type: type.replace("succeeded", "failed"), error: { code: "redaction.refused" } },
      ]);
      expect(end.status).toBe(type === "llm.succeeded" ? "failed" : "done");
    }
  });
});

describe("a redaction hook that changes what it is given in its place", () => {
  const changing = (part: string, to: unknown) => (value: Redactable) =>
    value.type === "llm.succeeded" ? Object.assign(value, { [part]: to }) : value;
  const lead = (redact: (value: Redactable) => unknown) =>
    lived(agent({ name: "a" }), { model: scriptedModel(["."]), redact: redact as never });

  it.each([
    ["type", "llm.failed"],
    ["type", "other"],
    ["id", "llm/1"],
    ["at", 5],
  ])("is refused where that is the %s (%j), and told what it was given", async (part, to) => {
    const { end } = await lead(changing(part, to));
    expect(end.error).toMatchObject({
      code: "redaction.refused",
      message:
        "The redaction hook must return the llm.succeeded it was given with the same type, id and time.",
    });
  });

  it("is taken where it is anything else", async () => {
    const { end } = await lead(changing("content", [{ type: "text", text: "***" }]));
    expect(end).toMatchObject({ status: "done", output: "***" });
  });
});

describe("a redaction hook that leaves no answer", () => {
  it("is refused with its code", async () => {
    for (const left of [{ content: "***" }, { content: [null] }, { usage: "***" }]) {
      const redact = (value: Redactable) =>
        value.type === "llm.succeeded" ? { ...value, ...left } : value;
      const { end } = await lived(agent({ name: "a" }), {
        model: scriptedModel(["."]),
        redact: redact as never,
      });
      expect(end.error?.code).toBe("redaction.refused");
    }
  });
});

describe("an agent's functions", () => {
  // One that is declared `async` is refused where the agent is defined.
  const promised = [() => later(), foreign] as const;
  const rows: readonly (readonly [string, (hook: never) => object, object])[] = [
    ["needsApproval", (hook) => ({ tools: [t({ needsApproval: hook })] }), { status: "done" }],
    [
      "formatError",
      (hook) => ({ tools: [t({ formatError: hook, execute: later })] }),
      { status: "done" },
    ],
    ["execute", (hook) => ({ tools: [t({ execute: hook })] }), { status: "done" }],
    [
      "a list of promises",
      (hook: () => unknown) => ({ tools: [t({ execute: () => [hook(), { a: hook() }] })] }),
      { status: "done" },
    ],
    ["reduce", (hook) => ({ tools: [t({ reduce: hook })] }), { status: "done" }],
    [
      "an update",
      (hook: () => unknown) => ({
        tools: [t({ execute: () => contextUpdate().set("a", hook() as never) })],
      }),
      { status: "done" },
    ],
    ["issue", (hook) => ({ tools: [t({ issue: hook, settle: () => 1 })] }), { status: "done" }],
    ["settle", (hook) => ({ tools: [t({ issue: () => [], settle: hook })] }), { status: "done" }],
    [
      "beforeTool",
      (hook) => ({ tools: [t({})], plugins: [{ name: "judge", beforeTool: hook }] }),
      { status: "done" },
    ],
    [
      "afterTool",
      (hook) => ({ tools: [t({})], plugins: [{ name: "judge", afterTool: hook }] }),
      { status: "done" },
    ],
    [
      "afterNoResult",
      (hook) => ({ plugins: [{ name: "judge", afterNoResult: hook }] }),
      { status: "done" },
    ],
    [
      "beforeRequest",
      (hook) => ({ plugins: [{ name: "judge", beforeRequest: hook }] }),
      { status: "failed" },
    ],
    ["system", (hook) => ({ system: hook }), { status: "failed" }],
    ...(
      ["buildMessages", "processResponse", "extractOutput", "getTools", "initContext"] as const
    ).map(
      (name) =>
        [
          name,
          (hook: never) => ({ behaviour: { ...basicBehaviour, [name]: hook } }),
          { status: "failed" },
        ] as const,
    ),
    ...(["init", "systemPrompt", "issue", "settle"] as const).map(
      (name) =>
        [
          `a plug-in's ${name}`,
          (hook: never) => ({ plugins: [{ name: "p", [name]: hook }] }),
          { status: "done" },
        ] as const,
    ),
  ];
  it.each(rows)("%s", async (name, definition, end) => {
    for (const hook of promised) {
      const made = definition(hook as never);
      const one = agent({ name: "a", ...made } as never);
      const model =
        "tools" in made || name === "afterNoResult" ? calling() : scriptedModel(["Done."]);
      const { end: came } = await lived(one, { model });
      expect(came).toMatchObject(end);
    }
  });
});

describe("a machine's functions", () => {
  const idle = { initial: "a", states: { a: {} } };
  const toB = (more: object) => ({
    initial: "a",
    states: { a: { always: { target: "b", ...more } }, b: { type: "final" } },
  });
  it.each([
    ["what is issued", { ...idle, entry: { type: "issue", params: later } }, undefined],
    ["a change", toB({ actions: change(later as never) }), "machine.async"],
  ])("%s", async (_name, config, code) => {
    const { end } = await lived(smallReasoner(config), {});
    expect(end).toMatchObject({
      status: "failed",
      ...(code === undefined ? {} : { error: { code } }),
    });
  });

  it("what a definition says outside of steps has a code", async () => {
    const machines = { waits: {}, failed: { states: { a: { type: "final", tags: "failed" } } } };
    const threw = () => {
      throw new Error("now");
    };
    for (const [part, more] of [
      ["interim", machines.waits],
      ["error", machines.failed],
      ["prepare", machines.waits],
    ] as const) {
      for (const hook of [
        threw,
        () => later(),
        foreign,
        ...(part === "error" ? [() => "no"] : []),
      ]) {
        const { machine } = smallReasoner({ ...idle, ...more });
        const one = defineReasoner({ id: "m", machine: machine as never, [part]: hook });
        const { end } = await lived(one, {});
        expect(end).toMatchObject({ code: "hook.failed", place: `m.${part}` });
      }
    }
  });

  it("a part of a definition that is declared async is refused where the reasoner is defined", () => {
    const { machine } = smallReasoner(idle);
    for (const part of ["adopt", "output", "interim", "error", "prepare"]) {
      expect(
        refusal(() =>
          defineReasoner({ id: "m", machine: machine as never, [part]: async () => ({}) }),
        ),
      ).toMatchObject({
        code: "machine.invalid",
        message: `defineReasoner: ${part} must be a function that answers at once, without async; it is an async function.`,
      });
    }
  });

  it("async guards, assigns, contexts and delays are refused where the reasoner is defined", async () => {
    const { assign } = await import("xstate");
    for (const wrong of [
      toB({ guard: later }),
      toB({ guard: function* () {} }),
      toB({ actions: assign(later as never) }),
      toB({ actions: assign({ a: later as never }) }),
      { ...idle, context: later },
      { initial: "a", states: { a: { after: { d: "b" } }, b: {} } },
    ]) {
      expect(refusal(() => smallReasoner(wrong, {}, { delays: { d: later } }))).toMatchObject({
        code: "machine.unsupported",
        message: expect.stringContaining("without async"),
      });
    }
  });
});

describe("a clock", () => {
  const clocks: readonly (readonly [string, Partial<Clock>])[] = [
    ["now", { now: later as never }],
    ["setTimer", { setTimer: later as never }],
    ["sleep", { sleep: later }],
  ];
  it.each(clocks)("whose %s is async, or fails later", async (_name, wrong) => {
    await lived(agent({ name: "a" }), {
      model: { name: "m", generate: later },
      clock: { ...systemClock, ...wrong },
    });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["is async", later],
  ])("whose taking back %s holds nothing up", async (_name, takeBack) => {
    const clock = {
      ...systemClock,
      setTimer(ms: number, wake: () => void) {
        const own = systemClock.setTimer(ms, wake);
        return () => {
          own();
          return takeBack();
        };
      },
    } as never as Clock;
    const { end } = await lived(agent({ name: "a", deadlineMs: 60_000 }), {
      model: scriptedModel(["Done."]),
      clock,
    });
    expect(end.status).toBe("done");
  });
});
