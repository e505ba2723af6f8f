// What is pure in XState is admitted: raised events, enqueued actions, outputs of final states.
import { describe, expect, it } from "vitest";
import { assign, enqueueActions, raise } from "../../../../../src/core/kernel/machine/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";

type Scope = { context: { log?: string[] }; event: { type: string } };
const note = (word: string) =>
  assign({ log: ({ context }: never) => [...((context as Scope["context"]).log ?? []), word] });

describe("raise", () => {
  it("is taken in the same step, after eventless transitions, in order", () => {
    const reasoner = smallReasoner({
      initial: "a",
      on: { one: { actions: note("one") }, two: { actions: note("two") } },
      states: {
        a: {
          on: { go: { target: "b", actions: [raise({ type: "one" }), raise({ type: "two" })] } },
        },
        b: { always: { target: "c", actions: note("always") } },
        c: {
          entry: raise(({ context }) => ({
            type: "last",
            n: (context as Scope["context"]).log?.length,
          })),
          on: {
            last: { actions: assign({ n: ({ event }: never) => (event as { n: number }).n }) },
          },
        },
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect([run.context.log, run.context.n, run.state.seq]).toEqual([
      ["always", "one", "two"],
      1,
      1,
    ]);
    expect(reasoner.compiled).toBe(true);
  });

  it("of what is not an event ends the run, on every path the same", () => {
    for (const path of ["tables", "transition"] as const) {
      for (const event of [undefined, "text", { type: 5 }]) {
        const run = byHand(
          smallReasoner({ on: { go: { actions: raise(() => event as never) } } }, { path }),
          null,
        );
        run.take({ type: "go" });
        expect(run.state.fault).toEqual({
          code: "machine.unsupported",
          place: "state {}, event go, raise of something that is not an event",
        });
      }
    }
  });

  it("that nobody takes changes nothing, and is not ignored", () => {
    const run = byHand(smallReasoner({ on: { go: { actions: raise({ type: "x" }) } } }), null);
    expect(run.take({ type: "go" }).ignored).toBeUndefined();
  });

  it("round and round is a loop", () => {
    for (const path of ["tables", "transition"] as const) {
      const reasoner = smallReasoner({ on: { go: { actions: raise({ type: "go" }) } } }, { path });
      const run = byHand(reasoner, null);
      run.take({ type: "go" });
      expect(run.state.fault).toEqual({ code: "machine.loop", place: "state {}, event go" });
    }
  });
});

describe("enqueueActions", () => {
  const enqueued = (collect: (given: never) => void) =>
    smallReasoner({ on: { go: { actions: enqueueActions(collect as never) } } });

  it("of what is admitted: assign, issue, raise, by what a guard says", () => {
    const run = byHand(
      enqueued((({ enqueue, check }: { enqueue: never; check: (guard: unknown) => boolean }) => {
        const add = enqueue as unknown as ((action: unknown) => void) & { raise(e: object): void };
        add(note("one"));
        if (check(() => true)) add(issue(timer("t")));
        if (check(() => false)) add(issue(timer("never")));
        add.raise({ type: "x" });
      }) as never),
      null,
    );
    run.take({ type: "go" });
    expect([run.context.log, run.owed]).toEqual([["one"], ["t"]]);
  });

  for (const [name, add] of [
    ["an inline function", (enqueue: (a: unknown) => void) => enqueue(() => {})],
    ["an unknown action", (enqueue: (a: unknown) => void) => enqueue({ type: "save" })],
    ["emit", (enqueue: { emit(e: object): void }) => enqueue.emit({ type: "x" })],
    [
      "sendTo",
      (enqueue: { sendTo(t: string, e: object): void }) => enqueue.sendTo("x", { type: "y" }),
    ],
    ["spawnChild", (enqueue: { spawnChild(x: string): void }) => enqueue.spawnChild("x")],
    [
      "a delay",
      (enqueue: { raise(e: object, o: object): void }) =>
        enqueue.raise({ type: "x" }, { delay: 1 }),
    ],
    [
      "a delay with a name",
      (enqueue: { raise(e: object, o: object): void }) =>
        enqueue.raise({ type: "x" }, { delay: 1, id: "later" }),
    ],
    [
      "what is not an event, with a name",
      (enqueue: { raise(e: () => unknown, o: object): void }) =>
        enqueue.raise(() => 5, { id: "now" }),
    ],
    ["cancel", (enqueue: { cancel(id: string): void }) => enqueue.cancel("x")],
  ] as const) {
    it(`of ${name} ends the run at the step`, () => {
      const run = byHand(
        enqueued((({ enqueue }: { enqueue: never }) =>
          (add as (e: unknown) => void)(enqueue)) as never),
        null,
      );
      run.take({ type: "go" });
      expect(run.state.status).toBe("failed");
      expect(run.state.fault?.code).toBe("machine.unsupported");
    });
  }
});

describe("the output of a final state", () => {
  const config = (more: object = {}) => ({
    context: { n: 3 },
    initial: "a",
    states: {
      a: { on: { go: "b", fail: "c" } },
      b: {
        type: "final",
        entry: assign({ n: 4 }),
        output: ({ context, event }: { context: { n: number }; event: { with?: number } }) => ({
          n: context.n,
          with: event.with ?? null,
        }),
      },
      c: { type: "final", tags: ["failed"], output: 1 },
    },
    ...more,
  });
  const ended = (
    reasoner: ReturnType<typeof smallReasoner>,
    event: { type: string; with?: number },
  ) => {
    const run = byHand(reasoner, null);
    run.take(event);
    return run;
  };
  const none = { output: undefined };

  it("is the run's, from the context and the event in the end", () => {
    for (const path of ["tables", "transition"] as const) {
      const run = ended(smallReasoner(config(), { ...none, path }), { type: "go", with: 7 });
      expect([run.output, run.state.output]).toEqual([
        { n: 4, with: 7 },
        { n: 4, with: 7 },
      ]);
    }
  });

  it("goes through the machine's own output where it has one", () => {
    const output = ({ event }: { event: { output: unknown } }) => [event.output];
    const run = ended(smallReasoner(config({ output }), none), { type: "go" });
    expect(run.output).toEqual([{ n: 4, with: null }]);
  });

  it("gives way to the output that the reasoner is defined with", () => {
    const reasoner = smallReasoner(config(), { output: (context) => context.n });
    const run = ended(reasoner, { type: "go" });
    expect([run.output, run.state.output]).toEqual([4, undefined]);
  });

  it("is none of a run that failed, and a fault where it throws or is not JSON", () => {
    expect(ended(smallReasoner(config(), none), { type: "fail" }).output).toBeUndefined();
    const broken = [() => new Date(0), () => Number.NaN].map((output) =>
      ended(smallReasoner(config({ output }), none), { type: "go" }),
    );
    expect(broken.map((run) => [run.state.status, run.state.fault?.code])).toEqual([
      ["failed", "json.refused"],
      ["failed", "json.refused"],
    ]);
  });

  it("that is too large to be recorded is a fault", () => {
    const output = () => "t".repeat(9 * 1024 * 1024);
    const run = ended(smallReasoner(config({ output }), none), { type: "go" });
    expect(run.state.fault).toEqual({
      code: "machine.tooLarge",
      place: 'state "a", event go, $.output',
    });
  });

  it("is that of the only state there is as well", () => {
    const only = { initial: "a", states: { a: { type: "final", output: 5 } } };
    const { state } = smallReasoner(only, none).start(null, { at: 0, runId: "r" });
    expect([state.status, state.output]).toEqual(["done", 5]);
  });

  it("of a nested state comes with the event of its parent", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: {
        a: {
          initial: "b",
          states: { b: { on: { go: "c" } }, c: { type: "final", output: "inner" } },
          onDone: {
            target: "d",
            actions: assign({ got: ({ event }: never) => (event as { output: string }).output }),
          },
        },
        d: {},
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect([run.state.value, run.context.got, reasoner.compiled]).toEqual(["d", "inner", true]);
  });
});

it("the longest wildcard of a state comes first, in whatever order they are written", () => {
  for (const path of ["tables", "transition"] as const) {
    const on = {
      "*": { actions: note("any") },
      "a.*": { actions: note("a") },
      "a.b.*": { actions: note("ab") },
      // XState knows a star at the end alone.
      "a.*.*": { actions: note("inner") },
      // No star, so that it stands for nothing that begins with it.
      c: { actions: note("c") },
      "c.d": { actions: note("cd") },
    };
    const run = byHand(smallReasoner({ on }, { path }), null);
    for (const type of ["a.b.c", "a.c", "b", "c", "c.d", "c.e", "c.d.e"]) run.take({ type });
    expect(run.context.log).toEqual(["ab", "a", "any", "c", "cd", "any", "any"]);
  }
});
