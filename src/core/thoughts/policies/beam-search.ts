/**
 * `beamSearch`: the policy that needs no plan, after Jido's Graph of Thoughts. In each round it
 * generates thoughts from the best one (or few), scores them, perhaps refines and connects them; at
 * the end it merges the best leaves. Operations are named by round: `2.generate`, `2.score`, …
 * `end.aggregate`.
 */
import { checkDefinition, type JsonObject, type Parts, ReckonerError } from "../../kernel/index.js";
import * as shapes from "../../kernel/shapes.js";
import { compareScores } from "../graph/walk.js";
import { COUNT, FINITE, operationSpecFault } from "../operations/check-operation.js";
import type {
  Aggregate,
  Connect,
  Generate,
  Improve,
  Operation,
  OperationKind,
  Score,
  Without,
} from "../operations/operation.js";
import { describeValue } from "./describe-value.js";
import type { Policy, Progress } from "./policy.js";

/** The interval of a step: every so many rounds. */
interface Every {
  /** Default 1 for scoring, 2 for the others. */
  readonly every?: number | undefined;
}

/** The options of a search. */
export interface BeamSearch<State extends object = JsonObject> {
  /** Rounds of generating. Default 2. */
  readonly rounds?: number | undefined;
  /** Thoughts that grow from one, side by side. Default 3. */
  readonly branching?: number | undefined;
  /** Thoughts that are kept at the end of a round and grown from in the next. Default 1. */
  readonly beam?: number | undefined;
  /** A score at which no further round begins. */
  readonly until?: number | undefined;
  readonly generate?: Without<Generate<State>, "id" | "after" | "responses"> | undefined;
  /** `false`: nothing is scored; then the first thoughts are kept. */
  readonly score?: false | (Without<Score<State>, "id" | "after"> & Every) | undefined;
  /** Has what is kept improved; the better version goes on. Default: never. */
  readonly refine?: false | (Without<Improve<State>, "id" | "after"> & Every) | undefined;
  /** Default: in every second round. */
  readonly connect?: false | (Omit<Connect<State>, "id" | "after" | "from"> & Every) | undefined;
  /** The operation that merges the best leaves in the end, up to 5 of them. `false`: nothing does. */
  readonly aggregate?: false | Without<Aggregate<State>, "id" | "after"> | undefined;
}

/** Leaves that are merged; the seed's number. */
const MERGED = 5;
const END = "end";

type StepName =
  | "generate"
  | "score"
  | "keep"
  | "refine"
  | "rescore"
  | "choose"
  | "connect"
  | "leaves"
  | "aggregate";

const kinds: { readonly [S in StepName]: OperationKind } = {
  generate: "generate",
  score: "score",
  keep: "keepBest",
  refine: "improve",
  rescore: "score",
  choose: "keepBest",
  connect: "connect",
  leaves: "keepBest",
  aggregate: "aggregate",
};

/**
 * Makes the policy.
 * @throws ReckonerError `thoughts.invalid` for a number that cannot be
 */
export function beamSearch<State extends object = JsonObject>(
  search: BeamSearch<State> = {},
): Policy<State> {
  check(search);
  const { rounds = 2, branching = 3, beam = 1, until, ...how } = search;
  const { score = {}, refine = false, connect = {}, aggregate = {} } = how;
  const due = (what: false | Every, otherwise: number, round: number): boolean =>
    what !== false && round % (what.every ?? otherwise) === 0;

  /** The steps of a round, or of the end, in order. */
  const stepsOf = (round: number | typeof END): StepName[] => {
    if (round === END) {
      if (aggregate === false) return [];
      return ["leaves", "aggregate", ...(score === false ? [] : (["score"] as const))];
    }
    const again = due(refine, 2, round);
    return [
      "generate",
      ...(due(score, 1, round) ? (["score"] as const) : []),
      "keep",
      ...(again ? (["refine"] as const) : []),
      ...(again && score !== false ? (["rescore"] as const) : []),
      ...(again ? (["choose"] as const) : []),
      ...(due(connect, 2, round) ? (["connect"] as const) : []),
    ];
  };
  const lastOf = (round: number): string => `${round}.${stepsOf(round).at(-1)}`;

  const optionsOf = (step: StepName): object => {
    switch (step) {
      case "generate":
        return { ...how.generate, responses: branching };
      case "score":
      case "rescore":
        return withoutEvery(score);
      case "keep":
      case "choose":
        return { n: beam };
      case "refine":
        return withoutEvery(refine);
      case "connect":
        return { ...withoutEvery(connect), from: "graph" };
      case "leaves":
        return { from: "leaves", n: MERGED };
      case "aggregate":
        return { ...aggregate };
    }
  };

  /** Returns the step before a step, or the last one of the round before. */
  const afterOf = (round: number | typeof END, step: StepName): string[] => {
    const steps = stepsOf(round);
    const before = steps[steps.indexOf(step) - 1];
    if (step === "choose") return [`${round}.keep`, `${round}.${before}`];
    return before === undefined ? [] : [`${round}.${before}`];
  };

  /** Returns true when another round is worth its calls. */
  const goesOn = (round: number, { cut, better, output }: Progress<State>): boolean => {
    const kept = output(lastOf(round));
    const reached = kept.some(
      ({ score: has }) => until !== undefined && compareScores(has, until, better) <= 0,
    );
    return round < rounds && cut === null && kept.length > 0 && !reached;
  };

  return {
    name: "beamSearch",
    configuration: describeValue(search),
    defaults: { maxNodes: 20, maxDepth: 5 },

    operation(id) {
      const { round, step } = placeOf(id);
      const steps = stepsOf(round);
      if (!steps.includes(step)) return undefined;
      const after =
        step === steps[0] && typeof round === "number" && round > 1
          ? [lastOf(round - 1)]
          : afterOf(round, step);
      const index = (round === END ? rounds + 1 : round) * 10 + steps.indexOf(step);
      return { kind: kinds[step], id, after, index, ...optionsOf(step) } as Operation<
        OperationKind,
        State
      >;
    },

    decide(progress) {
      const { done } = progress;
      if (done === null) return ["1.generate"];
      const { id } = done;
      const { round, step } = placeOf(id);
      const steps = stepsOf(round);
      const after = steps[steps.indexOf(step) + 1];
      // One leaf is merged already.
      if (step === "leaves" && progress.output(id).length < 2) return [];
      if (after !== undefined) {
        // The kept thoughts are compared with their better versions, so they go two ways.
        const twice = step === "keep" && steps.includes("choose") && after !== "choose";
        return twice ? [`${round}.${after}`, `${round}.choose`] : [`${round}.${after}`];
      }
      if (round === END) return [];
      if (goesOn(round, progress)) return [`${round + 1}.generate`];
      return stepsOf(END)
        .slice(0, 1)
        .map((first) => `${END}.${first}`);
    },

    finals({ output }) {
      const merged = output(`${END}.${stepsOf(END).at(-1)}`);
      for (let round = rounds; round >= 1; round--) {
        const kept = output(lastOf(round));
        if (kept.length > 0) return [...merged, ...kept];
      }
      return merged;
    },
  };
}

function withoutEvery(options: false | Every): object {
  const { every: _every, ...rest } = options || {};
  return rest;
}

/** The steps that have options of their own. */
const stepsWithOptions = ["generate", "score", "refine", "connect", "aggregate"] as const;
/** The options of a step; those of its operation are checked as such. */
const STEP: shapes.Shape = [
  (value) => value === false || shapes.OBJECT[0](value),
  "false or an object",
];
const parts: Parts<BeamSearch> = {
  rounds: COUNT,
  branching: COUNT,
  beam: COUNT,
  until: FINITE,
  generate: STEP,
  score: STEP,
  refine: STEP,
  connect: STEP,
  aggregate: STEP,
};

/** @throws ReckonerError `thoughts.invalid` for what cannot be, by its name */
function check<State extends object>(search: BeamSearch<State>): void {
  checkDefinition("thoughts.invalid", "beamSearch", search, parts);
  for (const step of stepsWithOptions) {
    const { every, ...rest } = (search[step] || {}) as { readonly every?: unknown };
    const misfit = every === undefined ? undefined : shapes.misfit(every, COUNT);
    const fault = misfit ? `every ${misfit}` : operationSpecFault({ ...rest, kind: kinds[step] });
    if (fault !== undefined) {
      throw new ReckonerError("thoughts.invalid", `beamSearch: ${step}: ${fault}.`);
    }
  }
}

function placeOf(id: string): { readonly round: number | typeof END; readonly step: StepName } {
  const [round = "", step = ""] = id.split(".");
  return { round: round === END ? END : Number(round), step: step as StepName };
}
