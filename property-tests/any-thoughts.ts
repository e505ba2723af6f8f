// Reasoners of thoughts drawn at random, and what a model may say to them.
import fc from "fast-check";
import {
  type BeamSearch,
  beamSearch,
  type Thoughts,
  type ThoughtsDefinition,
  thoughts,
} from "../src/thoughts.js";
import { hashOf } from "../test/unit/core/thoughts/drive.js";
import { planArbitrary, policyOf } from "./thoughts-plans.js";

/** What a model may say: numbers, scores, connections, nothing, nonsense. */
export const said: readonly string[] = [
  "7",
  "12 5",
  "",
  "I cannot say.",
  "Score: 8/10",
  "valid",
  "CONNECTION: [root] -> [thought/1.generate/0/0] : because",
  '{"score": 3, "valid": false, "__proto__": {}}',
];

export const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const budgets = fc.record({
  maxNodes: rarely(fc.integer({ min: 1, max: 8 })),
  maxDepth: rarely(fc.integer({ min: 0, max: 3 })),
  tokens: rarely(fc.integer({ min: 0, max: 120 })),
  modelCalls: rarely(fc.integer({ min: 0, max: 9 })),
  deadlineMs: rarely(fc.integer({ min: 0, max: 12 })),
  retries: rarely(fc.integer({ min: 0, max: 2 })),
  better: rarely(fc.constantFrom("higher" as const, "lower" as const)),
});

const every = (n: number) => ({ every: n });
export const beamSearchArbitrary: fc.Arbitrary<BeamSearch> = fc
  .record({
    rounds: fc.integer({ min: 1, max: 3 }),
    branching: fc.integer({ min: 1, max: 3 }),
    beam: fc.integer({ min: 1, max: 2 }),
    until: rarely(fc.integer({ min: 0, max: 10 })),
    score: fc.constantFrom<BeamSearch["score"]>(
      undefined,
      false,
      { by: ({ content }) => content.length },
      { by: () => Number.NaN },
      {
        by: () => {
          throw new Error("no");
        },
      },
      { combined: true, samples: 2 },
    ),
    refine: fc.constantFrom<BeamSearch["refine"]>(undefined, every(1), every(2)),
    connect: fc.constantFrom<BeamSearch["connect"]>(undefined, false, every(1)),
    aggregate: fc.constantFrom<BeamSearch["aggregate"]>(
      undefined,
      false,
      { strategy: "voting" },
      { strategy: "weighted", responses: 2 },
      { responses: 2 },
    ),
  })
  .map((drawn) => defined(drawn) as BeamSearch);

export function defined(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** What a reasoner is made of, as data that prints. */
export const drawn = fc.record({
  how: fc.oneof(fc.record({ plan: planArbitrary }), fc.record({ search: beamSearchArbitrary })),
  limits: budgets,
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

export function make({ how, limits }: Drawn): Thoughts {
  const policy = "plan" in how ? policyOf(how.plan) : beamSearch(how.search);
  return thoughts({ policy, ...defined(limits) } as ThoughtsDefinition);
}
export const anyThoughts: fc.Arbitrary<Thoughts> = drawn.map(make);

export const input = fc.oneof(fc.constant("why?"), fc.record({ v: fc.nat(20) }));
export const options = {
  input,
  bound: 500,
  settlers: {
    llm: (directive: { readonly id: string }, choose: (count: number) => number) => {
      const kind = choose(said.length + 1);
      return kind === said.length
        ? { type: "llm.failed" as const, error: { code: "llm.failed", message: "no" } }
        : {
            type: "llm.succeeded" as const,
            content: [{ type: "text" as const, text: said[kind] as string }],
            finishReason: "stop" as const,
            usage: { requests: 1, totalTokens: hashOf(directive.id) % 30 },
          };
    },
  },
};
