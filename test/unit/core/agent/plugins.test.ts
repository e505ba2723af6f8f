// Plug-ins: tools, a part of the system prompt, and a step before each request; their order, and what
// happens where one fails.
import { describe, expect, it } from "vitest";
import { agent, type Plugin, reactBehaviour, scriptedModel, tool } from "../../../../src/index.js";
import { answer, resultsOf, returned, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
const started = (...plugins: readonly Plugin[]) =>
  byHand(agent({ name: "a", system: "Be brief.", tools: [look], plugins }), "Hello");
const systemOf = (run: { directives: readonly object[] }) =>
  (run.directives.find((each) => (each as { type: string }).type === "llm") as { system?: string })
    ?.system;
const notices = (run: { directives: readonly object[] }) =>
  run.directives.filter((each) => (each as { type: string }).type === "notify");

/** Counts requests in its state and reads a number of values before each. */
const reader = (name: string, reads = 1): Plugin => ({
  name,
  init: () => ({ requests: 0 }),
  issue: (_context, state) =>
    Array.from({ length: reads }, (_, i) => ({
      type: "read" as const,
      store: name,
      query: [(state as { requests: number }).requests, i],
    })),
  settle: (_context, state, settlements) => ({
    state: { requests: (state as { requests: number }).requests + 1 },
    prompt: `${name}: ${settlements.map((each) => ("value" in each ? each.value : each.type)).join()}`,
  }),
});

describe("a plug-in", () => {
  it("adds tools of all three kinds", () => {
    const plugin: Plugin = {
      name: "p",
      tools: [
        tool({ name: "acts", execute: () => "acted" }),
        tool({ name: "thinks", reduce: () => "thought" }),
        tool({
          name: "asks",
          issue: () => [{ type: "read", store: "s", query: 1 }],
          settle: (_input, _run, [settled]) => ({ type: settled!.type }),
        }),
      ],
    };
    const run = started(plugin);
    run.take(answer(0, wish("acts"), wish("thinks"), wish("asks")));
    expect(run.owed).toEqual(["tool/0/0", "tool/0/2/0"]);
    run.take(returned("tool/0/0", "acted"));
    run.take({ type: "read.succeeded", id: "tool/0/2/0", value: 1 });
    expect(resultsOf(run.context)).toEqual(["acted", "thought", { type: "read.succeeded" }]);
  });

  it("adds to the system prompt, in the order of the list", () => {
    const saying = (name: string): Plugin => ({
      name,
      init: () => `I am ${name}.`,
      systemPrompt: (_context, state) => String(state),
    });
    expect(systemOf(started(saying("one"), saying("two")))).toBe(
      "Be brief.\n\nI am one.\n\nI am two.",
    );
  });

  it("takes a step before each request, also where it asks for nothing", () => {
    const run = started({
      name: "counter",
      init: () => 0,
      settle: (_context, state) => ({
        state: (state as number) + 1,
        prompt: `request ${state}`,
        deps: { seen: (state as number) + 1 },
      }),
    });
    expect(systemOf(run)).toContain("request 0");
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    // What it says is heard at the run's first request.
    expect(systemOf(run)).toContain("request 0");
    expect(run.context.plugins.counter).toMatchObject({ state: 2, prompt: "request 1" });
    expect(run.context.deps).toEqual({ seen: 2 });
  });

  it("awaits what it asks for, one plug-in after the other, answers in any order", () => {
    const run = started(reader("one", 2), reader("two"));
    expect(run.owed).toEqual(["plugin/0/0/0", "plugin/0/0/1"]);
    run.take({ type: "read.succeeded", id: "plugin/0/0/1", value: "b" });
    expect(run.owed).toEqual(["plugin/0/0/0"]);
    run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: "a" });
    expect(run.owed).toEqual(["plugin/0/1/0"]);
    const error = { code: "port.failed", message: "gone" };
    run.take({ type: "read.failed", id: "plugin/0/1/0", error });
    expect(systemOf(run)).toBe("Be brief.\n\none: a,b\n\ntwo: read.failed");
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(run.directives).toMatchObject([
      { id: "plugin/1/0/0", query: [1, 0] },
      { id: "plugin/1/0/1", query: [1, 1] },
    ]);
  });

  it("sees what the user said meanwhile only with the next request", () => {
    const run = started(reader("one"));
    run.take({ type: "message", content: "And now?" });
    run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: "a" });
    run.take(answer(0, "Hi"));
    expect(run.owed).toEqual(["plugin/1/0/0"]);
  });

  it("is told by hand the same as through a run, and comes to the same after a crash anywhere", async () => {
    const model = scriptedModel([{ calls: [{ name: "look" }] }, "Done."]);
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools: [look], plugins: [reader("one", 2), reader("two")] }),
      input: "Hello",
      // No store is there: each read settles as failed, and the run goes on.
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "done", output: "Done." });
    expect(end.context.plugins.two).toMatchObject({ state: { requests: 2 } });
  });
});

describe("names", () => {
  it.each([
    ["two plug-ins", [{ name: "p" }, { name: "p" }], "two plug-ins are named p"],
    [
      "a tool of a plug-in and one of the agent",
      [{ name: "p", tools: [look] }],
      "Two tools are named look",
    ],
    [
      "tools of two plug-ins",
      [
        { name: "p", tools: [tool({ name: "x", reduce: () => 1 })] },
        { name: "q", tools: [tool({ name: "x", reduce: () => 2 })] },
      ],
      "Two tools are named x",
    ],
  ])("that collide are refused: %s", (_what, plugins, message) => {
    expect(() => agent({ name: "a", tools: [look], plugins })).toThrow(message);
  });

  it("of a plug-in's tool and a behaviour's that collide are refused", () => {
    const plugins = [{ name: "p", tools: [tool({ name: "plan", reduce: () => 1 })] }];
    expect(() => agent({ name: "a", plugins, behaviour: reactBehaviour })).toThrow(
      "Two tools are named plan",
    );
  });
});

describe("a plug-in that fails", () => {
  const boom = () => {
    throw new Error("out of order");
  };
  const failing: readonly (readonly [string, Partial<Plugin>])[] = [
    ["in init", { init: boom }],
    ["in issue", { issue: boom }],
    ["in settle", { settle: boom }],
    ["in its system prompt", { systemPrompt: boom }],
    ["with a state that is not JSON", { init: () => new Date(0) as never }],
    ["with a result that is not JSON", { settle: () => ({ state: new Map() as never }) }],
    ["with deps that are no JSON", { settle: () => ({ deps: { f: (() => 1) as never } }) }],
    ["with a request that is none", { issue: () => [{ type: "llm" } as never] }],
  ];

  it.each(failing)(
    "%s does nothing from then on; the agent goes on, and observers are told once",
    (_where, callbacks) => {
      let calls = 0;
      const counted = Object.fromEntries(
        Object.entries(callbacks).map(([name, work]) => [
          name,
          (...args: never[]) => {
            calls++;
            return (work as (...all: never[]) => unknown)(...args);
          },
        ]),
      );
      const run = started({ name: "bad", ...counted }, reader("good"));
      const told = [...notices(run)];
      const next = (event: { type: string }) => {
        run.take(event);
        told.push(...notices(run));
      };
      expect(run.state.status).toBe("active");
      next({ type: "read.succeeded", id: "plugin/0/1/0", value: "a" } as never);
      expect(systemOf(run)).toBe("Be brief.\n\ngood: a");
      next(answer(0, wish("look")));
      next(returned("tool/0/0", "seen"));
      next({ type: "read.succeeded", id: "plugin/1/1/0", value: "b" } as never);
      expect(systemOf(run)).toBe("Be brief.\n\ngood: a");
      expect(run.context.plugins.good?.prompt).toBe("good: b");
      next(answer(1, "Done."));
      expect(run.output).toBe("Done.");
      expect(told).toMatchObject([{ topic: "plugin.failed", data: { name: "bad" } }]);
      expect(calls).toBe(1);
      expect(run.context.plugins.bad?.failed).not.toBe(null);
    },
  );
});

describe("the keys of deps that plug-ins set", () => {
  const sets = (name: string, deps: (state: number) => object): Plugin => ({
    name,
    init: () => 0,
    settle: (_context, state) => ({
      state: (state as number) + 1,
      deps: deps(state as number) as { [key: string]: string },
    }),
  });
  const topics = (run: { directives: readonly object[] }) =>
    notices(run).map((each) => {
      const { topic, data } = each as { topic: string; data: object };
      return [topic, data];
    });
  const again = (run: ReturnType<typeof started>, i: number) => {
    run.take(answer(i, wish("look")));
    run.take(returned(`tool/${i}/0`, "seen"));
  };

  it("are told of where they look like secrets, once, by their path", () => {
    const run = started(
      sets("login", (i) => ({ session: { accessToken: `t${i}` }, maxTokens: i })),
      sets("late", (i) => (i === 0 ? {} : { password: "p" })),
    );
    const secret = (id: string, path: string) => ["deps.secret", { id, paths: [path] }];
    expect(topics(run)).toEqual([secret("plugin/0/0", "deps.session.accessToken")]);
    again(run, 0);
    expect(topics(run)).toEqual([secret("plugin/1/1", "deps.password")]);
    again(run, 1);
    expect(topics(run)).toEqual([]);
    expect(run.context.deps).toMatchObject({ session: { accessToken: "t2" }, password: "p" });
  });

  it("are told of where another plug-in sets them as well, once; its own it may set again", () => {
    const run = started(
      sets("one", (i) => ({ shared: i, own: i })),
      sets("two", (i) => (i === 0 ? { mine: 1 } : { mine: 2, shared: "two" })),
    );
    expect(topics(run)).toEqual([]);
    again(run, 0);
    const data = { id: "plugin/1/1", key: "shared", plugins: ["one", "two"] };
    expect(topics(run)).toEqual([["deps.shared", data]]);
    again(run, 1);
    expect(topics(run)).toEqual([]);
    expect(run.context.deps).toEqual({ shared: "two", own: 2, mine: 2 });
  });

  it("are told of also where a plug-in asked for something, and with one that failed", () => {
    const bad: Plugin = {
      name: "bad",
      settle: () => {
        throw new Error("broken");
      },
    };
    const reads: Plugin = {
      ...sets("reads", () => ({ apiKey: "k" })),
      issue: () => [{ type: "read", store: "s", query: 1 }],
    };
    const run = started(bad, reads);
    expect(topics(run)).toEqual([["plugin.failed", { name: "bad", message: "broken" }]]);
    run.take({ type: "read.succeeded", id: "plugin/0/1/0", value: 1 });
    expect(topics(run)).toEqual([["deps.secret", { id: "plugin/0/1", paths: ["deps.apiKey"] }]]);
  });
});
