/** Plans drawn at random, once for the oracle and once for the machine. */
import fc from "fast-check";
import type { LlmDirective } from "../src/index.js";
import {
  aggregate,
  generate,
  groundTruth,
  improve,
  keepBest,
  keepValid,
  type OperationSpec,
  type PromptView,
  plan,
  score,
  select,
  type Thought,
  type ThoughtsPolicy,
  validateAndImprove,
} from "../src/thoughts.js";
import { promptOf } from "../test/unit/core/thoughts/drive.js";
import {
  about,
  answerTo,
  isPicked,
  isRight,
  isValid,
  type PlainOperation,
  scoreOf,
} from "./thoughts-oracle.js";

type Value = Thought<{ v: number }>;
type View = PromptView<{ v: number }>;

const parse = (text: string) =>
  /^\d/.test(text) ? text.split(" ").map((v) => ({ v: Number(v) })) : undefined;
const prompt = ({ thought }: View) => about(thought.state.v);

/** The operation of the library that an operation of the oracle stands for. */
export function specOf(operation: PlainOperation): OperationSpec<{ v: number }> {
  const place = { id: operation.id, after: operation.after };
  switch (operation.kind) {
    case "generate":
      return generate({ ...place, prompt, parse, responses: operation.responses });
    case "score":
      return operation.by === "function"
        ? score({ ...place, by: ({ state }: Value) => scoreOf(state.v) })
        : score({
            ...place,
            prompt,
            samples: operation.samples,
            parse: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
          });
    case "improve":
      return improve({ ...place, prompt, parse });
    case "validate":
      return validateAndImprove({
        ...place,
        by: ({ state }: Value) => isValid(state.v),
        improve: operation.improve && { prompt, parse },
        tries: operation.tries,
      });
    case "aggregate":
      return aggregate({
        ...place,
        prompt: ({ thoughts }: View) => about(...thoughts.map(({ state }) => state.v)),
        parse,
        responses: operation.responses,
      });
    case "vote":
      return aggregate({
        ...place,
        strategy: operation.weighted ? "weighted" : "voting",
        normalise: ({ state }: Value) => String(state.v),
      });
    case "keepBest":
      return keepBest({ ...place, n: operation.n });
    case "keepValid":
      return keepValid(place);
    case "groundTruth":
      return groundTruth({ ...place, by: ({ state }: Value) => isRight(state.v) });
    case "select":
      return select({
        ...place,
        where: (thoughts: readonly Value[]) => thoughts.filter(({ state }) => isPicked(state.v)),
      });
  }
}

/** What the model says to a call. */
export function answers(call: LlmDirective): string {
  const [, operation = "", ...path] = call.id.split("/");
  return answerTo(operation, path.join("/"), promptOf(call));
}

export function policyOf(operations: readonly PlainOperation[]): ThoughtsPolicy<{ v: number }> {
  return plan(operations.map(specOf));
}

const small = fc.integer({ min: 1, max: 3 });

/** One operation of any kind, its place left open. */
const shape = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("generate"), responses: small }) },
  fc.record({
    kind: fc.constant("score"),
    by: fc.constantFrom("function", "model"),
    samples: small,
  }),
  fc.record({ kind: fc.constant("improve") }),
  fc.record({
    kind: fc.constant("validate"),
    tries: fc.integer({ min: 0, max: 3 }),
    improve: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("aggregate"), responses: small }),
  fc.record({ kind: fc.constant("vote"), weighted: fc.boolean() }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("keepBest"), n: small }) },
  fc.record({ kind: fc.constant("keepValid") }),
  fc.record({ kind: fc.constant("groundTruth") }),
  fc.record({ kind: fc.constant("select") }),
);

const passing = new Set(["keepBest", "keepValid", "groundTruth", "select"]);

/** Operations, each after some of those before it; a KeepBest of what is not scored becomes a Score. */
export const planArbitrary: fc.Arbitrary<PlainOperation[]> = fc
  .array(fc.record({ shape, after: fc.array(fc.nat(), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 9,
  })
  .map((drawn) => {
    const scored = new Set<string>();
    return drawn.map(({ shape, after }, i): PlainOperation => {
      const id = `op${i}`;
      const before = i === 0 ? [] : [...new Set(after.map((n) => `op${n % i}`))];
      let { kind } = shape as PlainOperation;
      let operation = shape as object;
      if (before.length === 0 && kind !== "generate" && kind !== "select") {
        kind = "generate";
        operation = { kind, responses: 2 };
      }
      const all = before.length > 0 && before.every((each) => scored.has(each));
      if (kind === "keepBest" && !all) {
        kind = "score";
        operation = { kind, by: "function", samples: 1 };
      }
      if (kind === "score" || (passing.has(kind) && all)) scored.add(id);
      return { ...operation, id, after: before } as PlainOperation;
    });
  });
