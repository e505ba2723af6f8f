// How many microsteps a step may take: the same number on every path, whoever sets it. And how many
// directives: as many as it likes.
import { describe, expect, it } from "vitest";
import { assign } from "../../../../../src/core/kernel/machine/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { smallReasoner } from "../../../../support/small-machine.js";

for (const path of ["tables", "transition"] as const) {
  describe(`on the path ${path}`, () => {
    const reasonerOf = (config: object) => smallReasoner(config, { path });

    it("a loop of a user's own bound, and words like XState's, are told apart", () => {
      const config = {
        options: { maxIterations: 7 },
        initial: "a",
        states: { a: { on: { go: "b" } }, b: { always: "c" }, c: { always: "b" } },
        on: {
          lie: {
            actions: assign(() => {
              throw new Error(
                "Infinite loop detected: the machine has processed more than 7 microsteps",
              );
            }),
          },
        },
      };
      const loop = byHand(reasonerOf(config), null);
      loop.take({ type: "go" });
      expect(loop.state.fault?.code).toBe("machine.loop");
      const lie = byHand(reasonerOf(config), null);
      lie.take({ type: "lie" });
      expect(lie.state.fault?.code).toBe("machine.threw");
    });

    it("no bound of one's own is a bound all the same", () => {
      for (const maxIterations of [Number.POSITIVE_INFINITY, undefined]) {
        const run = byHand(
          reasonerOf({
            options: { maxIterations },
            initial: "a",
            states: { a: { on: { go: "b" } }, b: { always: "c" }, c: { always: "b" } },
          }),
          null,
        );
        run.take({ type: "go" });
        expect(run.state.fault?.code).toBe("machine.loop");
      }
    });

    it("a run that is done with the last microstep that it may take is done", () => {
      const chain = (maxIterations: number) => ({
        options: { maxIterations },
        initial: "a",
        states: {
          a: { on: { go: "b" } },
          b: { always: "c" },
          c: { always: "d" },
          d: { always: "e" },
          e: { type: "final" },
        },
      });
      const ends = [1, 2, 3, 4, 5].map((most) => {
        const run = byHand(reasonerOf(chain(most)), null);
        run.take({ type: "go" });
        return run.state.fault?.code ?? run.state.status;
      });
      expect(ends).toEqual(["machine.loop", "machine.loop", "done", "done", "done"]);
    });

    it("exactly as many microsteps as the bound allows", () => {
      const counting = (limit: number) =>
        reasonerOf({
          options: { maxIterations: 10 },
          context: { n: 0 },
          on: {
            go: { actions: assign({ n: 1 }) },
          },
          always: {
            guard: ({ context }: { context: { n: number } }) => context.n > 0 && context.n < limit,
            actions: assign({
              n: ({ context }: { context: { n: number } }) => context.n + 1,
            } as never),
          },
        });
      const codes = [10, 11, 12].map((limit) => {
        const run = byHand(counting(limit), null);
        run.take({ type: "go" });
        return run.state.fault?.code ?? run.context.n;
      });
      expect(codes).toEqual([10, "machine.loop", "machine.loop"]);
    });
  });
}

it("more directives in one list than an engine takes arguments for a call", () => {
  const many = new Array(200_000).fill({ type: "notify", topic: "n" });
  const run = byHand(
    smallReasoner({ on: { go: { actions: { type: "issue", params: () => many } } } }),
    null,
  );
  const { state, directives } = run.take({ type: "go" });
  expect([state.status, directives.length]).toEqual(["active", many.length]);
});
