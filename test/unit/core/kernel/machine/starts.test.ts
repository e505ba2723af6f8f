// A machine begins the same on every path: what it enters, what it tells, and what it is refused.
import { describe, expect, it } from "vitest";
import { assign, raise } from "../../../../../src/core/kernel/machine/index.js";
import { issue, smallReasoner } from "../../../../support/small-machine.js";

const PATHS = ["tables", "transition"] as const;

const says = (topic: string) => issue({ type: "notify", topic });
const tells = (name: string) => ({ entry: says(`+${name}`), exit: says(`-${name}`) });

for (const path of PATHS) {
  describe(`on the path ${path}`, () => {
    const started = (config: object) => {
      const reasoner = smallReasoner(config, { path, output: undefined });
      const { state, directives } = reasoner.start("in", { at: 0, runId: "r" });
      const told = directives.map((each) => (each as { topic?: string }).topic);
      return { state, told };
    };

    it("a first context that all starts share cannot be changed in place", () => {
      const shared = { list: ["first"] };
      const push = assign(({ context }: { context: unknown }) => {
        (context as typeof shared).list.push("more");
        return {};
      });
      for (const context of [shared, () => shared]) {
        const idle = { context, initial: "a", states: { a: {} } };
        const reasoner = smallReasoner({ ...idle, entry: push }, { path });
        for (const run of ["one", "two"]) {
          const { state } = reasoner.start("in", { at: 0, runId: run });
          expect(state).toMatchObject({ status: "failed", fault: { code: "machine.threw" } });
        }
      }
      expect(shared).toEqual({ list: ["first"] });
      expect([Object.isFrozen(shared), Object.isFrozen(shared.list)]).toEqual([false, false]);
    });

    it("what is not JSON in it may be replaced before anybody sees it", () => {
      const replace = assign({ made: "2026" });
      const idle = { context: { made: new Date() }, initial: "a", states: { a: {} } };
      expect(started({ ...idle, entry: replace }).state.context).toEqual({ made: "2026" });
      expect(started(idle).state).toMatchObject({ status: "failed" });
    });

    it("what is raised on the way is taken behind the eventless transitions, which see the input", () => {
      const seen: unknown[] = [];
      const { state, told } = started({
        entry: [raise({ type: "first" }), raise({ type: "second" })],
        initial: "a",
        states: {
          a: {
            always: {
              guard: ({ event }: { event: { type: string; input: unknown } }) => {
                seen.push(event);
                return event.input !== undefined;
              },
              target: "b",
            },
          },
          b: { ...tells("b"), on: { first: "c" } },
          c: { ...tells("c"), on: { second: { actions: says("second") } } },
        },
      });
      expect(told).toEqual(["+b", "-b", "+c", "second"]);
      expect(state.value).toBe("c");
      expect(seen).toEqual([{ type: "xstate.init", input: { at: 0, runId: "r", input: "in" } }]);
    });

    it("a machine that begins in its end is done, with its output, and leaves its states", () => {
      const { state, told } = started({
        ...tells("all"),
        context: { n: 1 },
        output: ({ context, event }: { context: object; event: object }) => ({ context, event }),
        initial: "end",
        states: { end: { ...tells("end"), type: "final", output: { last: true } } },
      });
      expect(told).toEqual(["+all", "+end", "-end", "-all"]);
      expect([state.status, state.output]).toEqual([
        "done",
        {
          context: { n: 1 },
          event: { type: "xstate.done.state.(machine).end", output: { last: true } },
        },
      ]);
    });

    it("a state that begins in its end tells its parent", () => {
      const { state } = started({
        initial: "a",
        states: {
          a: {
            initial: "end",
            states: { end: { type: "final", output: { n: 1 } } },
            onDone: {
              target: "b",
              actions: assign({ from: ({ event }: { event: unknown }) => event } as never),
            },
          },
          b: {},
        },
      });
      expect(state.value).toBe("b");
      expect(state.context).toMatchObject({ from: { type: "xstate.done.state.(machine).a" } });
    });

    it("what is assigned on the way changes no context but the run's", () => {
      const context = { n: 1 };
      const counts = assign({
        n: ({ context }: { context: { n: number } }) => context.n + 1,
      } as never);
      const reasoner = smallReasoner({ context, entry: counts }, { path });
      const contexts = [1, 2].map(() => reasoner.start(null, { at: 0, runId: "r" }).state.context);
      expect([contexts, context]).toEqual([[{ n: 2 }, { n: 2 }], { n: 1 }]);
    });

    it.each([
      ["no object", () => "ab", { 0: "a", 1: "b" }],
      ["nothing", () => undefined, {}],
      ["an instance", () => Object.assign(Object.create({ far: 1 }), { near: 2 }), { near: 2 }],
    ])("of a factory that gives %s its own fields are taken", (_what, context, wanted) => {
      expect(started({ context }).state.context).toEqual(wanted);
    });

    it.each([
      [
        "throws",
        () => {
          throw new TypeError("boom");
        },
        "machine.threw",
      ],
      [
        "looks at the actor",
        ({ self }: { self: object }) => ({ id: `${self}` }),
        "machine.unsupported",
      ],
      ["gives a function", () => ({ fn: () => 1 }), "json.refused"],
    ])("a factory that %s", (_what, context, code) => {
      const { state } = started({ context });
      expect([state.status, state.fault?.code, state.context]).toEqual(["failed", code, {}]);
    });

    it.each([
      [
        "an entry action that throws",
        {
          entry: assign(() => {
            throw new Error("boom");
          }),
        },
        "machine.threw",
      ],
      [
        "an eventless guard that throws",
        {
          always: {
            guard: () => {
              throw new Error("boom");
            },
            actions: says("x"),
          },
        },
        "machine.threw",
      ],
      [
        "a guard on what was raised that throws",
        {
          entry: raise({ type: "x" }),
          on: {
            x: {
              guard: () => {
                throw new Error("boom");
              },
            },
          },
        },
        "machine.threw",
      ],
      [
        "a circle of eventless transitions",
        { initial: "a", states: { a: { always: "b" }, b: { always: "a" } } },
        "machine.loop",
      ],
      [
        "an event that raises itself",
        { entry: raise({ type: "x" }), on: { x: { actions: raise({ type: "x" }) } } },
        "machine.loop",
      ],
    ])("%s ends the run where it begins, and nothing is told", (_what, config, code) => {
      const { state, told } = started({ ...config });
      expect([state.status, state.fault?.code, told]).toEqual(["failed", code, []]);
    });
  });
}

it("all paths say the same of a start that fails", () => {
  const configs = [
    {
      context: () => {
        throw new TypeError("boom");
      },
    },
    {
      entry: assign(() => {
        throw new TypeError("boom");
      }),
    },
    {
      always: {
        guard: () => {
          throw new TypeError("boom");
        },
        actions: says("x"),
      },
    },
    {
      entry: raise({ type: "x" }),
      on: {
        x: {
          guard: () => {
            throw new TypeError("boom");
          },
        },
      },
    },
    { initial: "a", states: { a: { always: "b" }, b: { always: "a" } } },
  ];
  for (const config of configs) {
    const starts = PATHS.map((path) =>
      JSON.stringify(smallReasoner(config, { path }).start(null, { at: 0, runId: "r" })),
    );
    expect(new Set(starts).size, starts.join("\n")).toBe(1);
  }
});
