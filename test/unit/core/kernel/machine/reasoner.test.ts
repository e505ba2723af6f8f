// What a definition says beside its machine: what it prepares, shows and explains, and its children.
import { describe, expect, it } from "vitest";
import { defineReasoner, setupReasoner } from "../../../../../src/core/kernel/machine/index.js";
import { ReckonerError } from "../../../../../src/core/kernel/values/index.js";
import { tool } from "../../../../../src/core/kernel/vocabulary/index.js";
import { smallReasoner } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

type Context = { readonly [key: string]: unknown };
const { createMachine } = setupReasoner<Context, unknown, { type: "go" | "fail" | "stop" }>();

const machine = createMachine({
  context: ({ input }: { input: { input: unknown } }) => ({ input: input.input }),
  initial: "a",
  states: {
    a: { on: { go: "done", fail: "failed", stop: "stopped" } },
    done: { type: "final" },
    failed: { type: "final", tags: ["failed"] },
    stopped: { type: "final", tags: ["cancelled"] },
  },
} as never);

const reasonerOf = (more: object) =>
  defineReasoner<unknown, unknown, Context>({ id: "r", machine, ...more } as never);
const at = { at: 0, runId: "r" };

/** A state after an event, or the first one. */
function stateAfter(of: ReturnType<typeof reasonerOf>, type?: "go" | "fail" | "stop") {
  const { state } = of.start(null, at);
  return type === undefined ? state : of.step(state, { type, at: 1 }).state;
}

describe("an input", () => {
  const prepare = (input: unknown, goesOn: boolean) => ({ input, goesOn });

  it("is prepared at the start, unless it is already", () => {
    const of = reasonerOf({ prepare });
    const inputOf = (more: object) => of.start("in", { ...at, ...more }).state.context.input;
    expect(inputOf({})).toEqual({ input: "in", goesOn: false });
    expect(inputOf({ from: {} })).toEqual({ input: "in", goesOn: true });
    expect(inputOf({ prepared: true })).toBe("in");
    expect(reasonerOf({}).prepare("in", false)).toBe("in");
  });

  it("that cannot be prepared is refused with the code that was thrown, or one of its own", () => {
    const refusedBy = (thrown: Error) =>
      refusal(() =>
        reasonerOf({
          prepare: () => {
            throw thrown;
          },
        }).start("in", at),
      );
    const own = new ReckonerError("event.invalid", "no such input");
    expect(refusedBy(own)).toBe(own);
    const other = new Error("no");
    expect(refusedBy(other)).toMatchObject({
      code: "hook.failed",
      place: "r.prepare",
      cause: other,
    });
  });
});

describe("what there is to show", () => {
  const of = reasonerOf({ output: () => "the end", interim: () => "so far" });

  it("is the interim while a run goes on, and the output of one that is done", () => {
    expect(of.output(stateAfter(of))).toBe("so far");
    expect(of.output(stateAfter(of, "go"))).toBe("the end");
    expect([of.output(stateAfter(of, "fail")), of.output(stateAfter(of, "stop"))]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("why a run failed", () => {
  const error = { code: "order.lost", message: "It is lost." };

  it("is asked of one that failed, and of no other", () => {
    const of = reasonerOf({ error: () => error });
    expect(of.error(stateAfter(of, "fail"))).toEqual(error);
    for (const type of [undefined, "go", "stop"] as const) {
      expect(of.error(stateAfter(of, type))).toBeUndefined();
    }
  });

  it.each([
    [{ code: "order.lost" }],
    [{ message: "It is lost." }],
    [{ code: 1, message: 2 }],
    ["x"],
  ])("%o is not an answer", (told) => {
    const of = reasonerOf({ error: () => told });
    const failed = stateAfter(of, "fail");
    expect(refusal(() => of.error(failed))).toMatchObject({
      code: "hook.failed",
      place: "r.error",
      message: expect.stringContaining("not return an object with a code and a message"),
    });
  });
});

describe("children", () => {
  const helper = smallReasoner({});
  const other = smallReasoner({}, { configuration: { prompt: "another" } });
  const starts = (child: unknown) =>
    tool({
      name: "ask",
      issue: () => ({ type: "run", reasoner: "helper", input: null }) as never,
      settle: () => null,
      children: { helper: child },
    } as never);

  it("are those of the definition and of its tools, by name", () => {
    const of = reasonerOf({ children: { other }, tools: { ask: starts(helper) } });
    expect(of.children).toEqual({ helper, other });
    expect(Object.keys(of.configuration)).toEqual([
      "tools.ask",
      "children.helper",
      "children.other",
    ]);
    expect(reasonerOf({ children: { toString: helper } }).children).toEqual({ toString: helper });
  });

  it("of one name are one child", () => {
    const twice = reasonerOf({ children: { helper }, tools: { ask: starts(helper) } });
    expect(twice.children).toEqual({ helper });
    const { code, message } = refusal(() =>
      reasonerOf({ children: { helper: other }, tools: { ask: starts(helper) } }),
    );
    expect([code, message]).toEqual([
      "tool.invalid",
      "Two children of r are named helper; rename one.",
    ]);
  });

  it.each([[undefined], [null], [{}], ["helper"]])("%o is none", (child) => {
    const { code, message } = refusal(() => reasonerOf({ children: { helper: child } }));
    expect(code).toBe("tool.invalid");
    expect(message).toContain("The child helper of r is not a reasoner");
  });

  it("are in the fingerprint, as the configuration is", () => {
    const prints = [
      {},
      { children: { helper } },
      { children: { helper: other } },
      { children: { other: helper } },
      { configuration: { prompt: "a" } },
      { configuration: { prompt: "b" } },
    ].map((more) => reasonerOf(more).fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
  });

  it("have, as each part of the configuration, a few letters of their hash", () => {
    const of = reasonerOf({ children: { helper }, configuration: { prompt: "a" } });
    expect(Object.values(of.configuration).map(({ length }) => length)).toEqual([8, 8]);
  });
});
