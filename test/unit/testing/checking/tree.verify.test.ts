// Trees in `check` and `explore`: children run, laws see their states and their events, and what breaks in a child,
// or between it and its parent, is found, shrunk and written as a journal that folds.
import { agent, agentTool, tool } from "reckoner";
import { openFold } from "reckoner/driver";
import { atMost, check, explore, issues, type Law, law, type TreeState } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { issue, smallReasoner } from "../../../support/small-machine.js";

// biome-ignore lint/suspicious/noExplicitAny: trees of every kind are checked.
type Any = any;

const call = (id: string) => ({ type: "tool", id, name: "once", input: {} });
const ask = { type: "approval", id: "ok", title: "?", subject: null };
const once = tool({ name: "once", jsonSchema: {}, execute: () => 1 });

/** A child that asks, acts, and is over. */
const child: Any = {
  ...smallReasoner(
    {
      initial: "asking",
      states: {
        asking: { entry: issue(ask), on: { "approval.decided": "acting" } },
        acting: {
          entry: issue(call("pay")),
          on: {
            "tool.succeeded": "end",
            "tool.failed": "end",
          },
        },
        end: { type: "final" },
      },
    } as never,
    { output: () => "over" },
  ),
  tools: { once },
};

/** A root with so many children, which ends when the first has ended, or when all have. */
const root = (on: object, ...ids: string[]): Any =>
  smallReasoner(
    {
      initial: "a",
      states: {
        a: {
          entry: issue(...ids.map((id) => ({ type: "run", id, reasoner: "child", input: null }))),
          on,
        },
        end: { type: "final" },
      },
    } as never,
    { children: { child }, output: () => "over" },
  );
const first = root({ "run.succeeded": "end", "run.failed": "end" }, "x", "y");

const seen: string[] = [];
const looking: Law<Any, never> = law("looks", ({ event, state, directives }) => {
  const { id = "" } = event as { id?: string };
  seen.push(`${event.type} ${id}`.trim(), ...directives.map((each) => `${each.type}`));
  for (const path of Object.keys((state as TreeState).children)) seen.push(`child ${path}`);
  return true;
});

describe("a tree", () => {
  it("has the events of its children, by their paths, in random runs and in searches", () => {
    for (const find of [check, explore]) {
      seen.length = 0;
      const report = find(first, { input: null, tree: true, laws: [looking], runs: 30 } as Any);
      expect(report.text).toMatch(/every law holds/);
      const met = ["approval.decided x ok", "tool.succeeded y pay", "child x", "cancel"];
      expect(seen).toEqual(expect.arrayContaining(met));
    }
  });

  it("is searched whole: two children that ask and act, in every order", () => {
    const { states, depth, bounded, ok } = explore(first, { input: null, tree: true });
    expect({ bounded, ok }).toEqual({ bounded: undefined, ok: true });
    // Each asks or acts; one has ended, and so has the root; or it was cancelled.
    expect([states, depth]).toEqual([4 + 1 + 1, 2]);
  });

  it("breaks a law of what its children issue; the shortest run is a journal that folds", () => {
    const laws = [law("pays once", atMost(1, issues("tool", "once")))];
    for (const find of [check, explore]) {
      const { counterexamples } = find(first, { input: null, tree: true, laws, runs: 200 } as Any);
      const found = counterexamples.find((each) => each.law === "pays once");
      expect(found?.events.map(({ type }) => type)).toEqual([
        "approval.decided",
        "approval.decided",
      ]);
      const fold = openFold([first], { approvals: "outside" });
      for (const line of found?.journal.trim().split("\n") ?? []) fold.take(line);
      expect(found?.journal.match(/"begin":/g)).toHaveLength(2);
      expect(fold.state?.status).toBe("active");
    }
  });

  it("finds a settlement of a child that its parent does not handle", () => {
    const deaf = root({ "run.succeeded": "end" }, "x");
    const { counterexamples } = explore(deaf, {
      input: null,
      tree: true,
      alphabet: { cancel: false },
    });
    expect(counterexamples).toEqual([]);
    const worse = root({ never: "end" }, "x");
    const found = explore(worse, { input: null, tree: true, alphabet: { cancel: false } });
    expect(found.counterexamples[0]?.law).toBe("no answer is lost");
  });

  it("goes with agents, whose turns are stopped and whose children are", () => {
    const inner = agent({ name: "inner", tools: [tool({ name: "t", execute: () => 1 })] });
    const outer = agent({
      name: "outer",
      conversation: true,
      tools: [agentTool(inner, { name: "inner", description: "x" })],
    } as Any);
    const waits = ({ value }: { value: unknown }) => value === "ready";
    const options = { input: "go", tree: true, runs: 60, waits, weights: { interrupt: 5 } } as Any;
    const report = check(outer as Any, options);
    expect(report.text).toMatch(/every law holds/);
    expect(report.text).toMatch(/run \d/);
    expect(check(outer as Any, options).text).toBe(report.text);
  });

  it("has no upgrades", () => {
    const options = { input: null, tree: true, upgrade: { ...first, version: 2 } } as Any;
    expect(() => check(first, options)).toThrow(/tree and upgrade do not go together/);
  });
});
