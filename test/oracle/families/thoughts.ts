// Thoughts: trees, graphs and beams of them, by plans and by policies, under budgets, with slots.
import { beamSearch, plans, type ThoughtsPolicy, thoughts as thinking } from "reckoner/thoughts";
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, AnyReasoner, Scenario } from "../scenario.js";

const byText = ({ content }: { readonly content: string }) => (content.length * 7919) % 101;

/** A scenario of thoughts. */
export function thoughts(name: string): Scenario {
  const chance = chanceOf("oracle", name);
  const small = () => whole(chance, 1, 3);
  const policies: readonly (readonly [string, () => ThoughtsPolicy])[] = [
    ["a tree", () => plans.tot({ scorer: byText }, { branches: small() + 1, rounds: small() })],
    ["a tree that the model scores", () => plans.tot({ samples: 2 }, { branches: 3, rounds: 1 })],
    ["a chain", () => plans.cot({})],
    [
      "a beam",
      () => beamSearch({ rounds: small(), branching: small() + 1, score: { by: byText } }),
    ],
    [
      "a graph",
      () =>
        plans.got(
          { split: { parse: (text) => [{ a: text.length }, { b: 1 }] }, scorer: byText },
          { parts: 2, solve: small(), merge: small(), refine: 1 },
        ),
    ],
  ];
  const [what, policy] = oneOf(chance, policies);
  const concurrency = whole(chance, 1, 5);
  const budget = chance() < 0.4 ? { modelCalls: whole(chance, 2, 9), tokens: 900 } : {};
  const acts: Act[] = [];
  if (chance() < 0.2) acts.push({ at: whole(chance, 500, 9_000), do: "cancel", reason: "enough" });
  return {
    name,
    about: `${what}, ${concurrency} slots`,
    reasoner: thinking({ policy: policy(), ...budget }) as unknown as AnyReasoner,
    input: "why?",
    model: { ms: [200, 5_000], turns: 0, calls: 0, busy: 0.1, fails: 0.03, empty: 0.05 },
    options: { concurrency, retry: { attempts: 2, delayMs: 700 } },
    appends: oneOf(chance, ["at once", "a moment later"]),
    acts,
  };
}
