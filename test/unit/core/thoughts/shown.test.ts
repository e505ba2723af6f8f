// What functions of a task are shown of the graph cannot be changed in its place: a run changes by its
// operations alone.
import { expect, it } from "vitest";
import { run, scriptedModel } from "../../../../src/index.js";
import {
  generate,
  keepBest,
  plan,
  score,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";

/** Whether anything of the graph that is reached from here could be changed. */
function isOpen(shown: unknown): boolean {
  if (typeof shown !== "object" || shown === null) return false;
  return !Object.isFrozen(shown) || Object.values(shown).some(isOpen);
}

it("thoughts that a task's functions are shown are frozen", async () => {
  const open = new Set<string>();
  const seen = new Set<string>();
  const look = (who: string, ...shown: readonly unknown[]) => {
    seen.add(who);
    if (shown.some(isOpen)) open.add(who);
  };
  const reasoner = thoughts({
    whole: (thought) => {
      look("whole", thought);
      return true;
    },
    policy: plan(
      [
        generate({
          responses: 3,
          prompt: ({ thought, thoughts: all, state, path }) => {
            look("prompt", thought, all, state, ...path());
            return "say";
          },
          parse: (_text, { thought, thoughts: all, state }) => {
            look("parse", thought, all, state);
            return {};
          },
        }),
        score({
          by: (thought) => {
            look("score", thought);
            return 1;
          },
        }),
        keepBest({ n: 2 }),
        validateAndImprove({
          by: (thought) => {
            look("validate", thought);
            return true;
          },
        }),
      ],
      { name: "looked at" },
    ),
  });
  const end = await run(reasoner, "why?", { model: scriptedModel(() => "so") });
  expect(end.status).toBe("done");
  expect([...seen].sort()).toEqual(["parse", "prompt", "score", "validate", "whole"]);
  expect([...open]).toEqual([]);
});
