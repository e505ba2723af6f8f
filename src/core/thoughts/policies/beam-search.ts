/**
 * `beamSearch`: the policy that needs no plan, after Jido's Graph of Thoughts. In each round it
 * generates thoughts from the best one (or few), scores them, perhaps refines and connects them; at
 * the end it merges the best leaves. Operations are named by round: `2.generate`, `2.score`, …
 * `end.aggregate`.
 */

import * as shapes from "../../kernel/shapes.js";
import { type JsonObject, ReckonerError } from "../../kernel/values/index.js";
import { checkDefinition } from "../../kernel/vocabulary/index.js";
import type { Entry } from "../context.js";
import type { Graph } from "../graph/graph.js";
import { type Better, compareIds, compareScores, leaves, newestThoughts } from "../graph/walk.js";
import { COUNT, FINITE } from "../operations/check-operation.js";
import {
  type Aggregate,
  aggregate,
  type Connect,
  connect,
  type Generate,
  generate,
  type Improve,
  improve,
  type Score,
  score,
  type Without,
} from "../operations/operation.js";
import { entryOfThought, ROOT } from "../work-on-context.js";
import { policy } from "./define-policy.js";
import { describeValue } from "./describe-value.js";
import type { Begin, Decided, Policy } from "./policy.js";

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
  readonly connect?: false | (Omit<Connect<State>, "id" | "after"> & Every) | undefined;
  /** The operation that merges the best leaves in the end, up to 5 of them. `false`: nothing does. */
  readonly aggregate?: false | Without<Aggregate<State>, "id" | "after"> | undefined;
}

/** Leaves that are merged; the seed's number. */
const MERGED = 5;
const END = "end";

/** The memory of a search. */
interface Memory {
  readonly round: number;
  /** The thoughts that the last round kept. */
  readonly kept: readonly Entry[];
  /** The thoughts of this round of which better versions are asked for. */
  readonly refined: readonly Entry[];
}

/**
 * Makes the policy.
 * @throws ReckonerError `thoughts.invalid` for a number that cannot be, `thoughts.policy` for a parameter
 * of an operation
 */
export function beamSearch<State extends object = JsonObject>(
  search: BeamSearch<State> = {},
): Policy<State> {
  checkDefinition("thoughts.invalid", "beamSearch", search, parts);
  const { rounds = 2, branching = 3, beam = 1, until } = search;
  const every = { score: search.score ?? {}, refine: search.refine ?? false };
  const isDue = (what: false | Every, otherwise: number, round: number): boolean =>
    what !== false && round % (what.every ?? otherwise) === 0;
  const connecting = search.connect ?? {};
  const { limit = 20 } = connecting || {};

  return policy<State, Memory>({
    name: "beamSearch",
    configuration: describeValue(search),
    maxNodes: 20,
    maxDepth: 5,
    memory: { round: 1, kept: [], refined: [] },
    operations: {
      generate: generate({ ...search.generate, responses: branching }),
      score: score(withoutEvery("score", every.score)),
      refine: improve(withoutEvery("refine", every.refine)),
      connect: connect(withoutEvery("connect", connecting)),
      aggregate: aggregate({ ...(search.aggregate || {}) }),
    },

    decide({ done, memory, graph, better, cut }): Decided<Memory> {
      const { round, refined } = memory;
      const begin = (step: string, on: readonly (Entry | string)[], of = round) => ({
        begin: [operation(`${of}.${step}`, on)],
        memory,
      });
      const best = (entries: readonly Entry[]) => bestOf(entries, better, beam);

      /** The end of a round, which keeps the best of these; another begins where it is worth its calls. */
      const keep = (entries: readonly Entry[]): Decided<Memory> => {
        const chosen = best(entries);
        const kept = chosen.length > 0 ? chosen : memory.kept;
        const next = { ...memory, kept };
        if (chosen.length > 0 && isDue(connecting, 2, round)) {
          const newest = newestThoughts(graph, limit).map(({ id }) => id);
          return { ...begin("connect", newest), memory: next };
        }
        return goOn(next, chosen.length > 0);
      };
      const goOn = (next: Memory, isOpen: boolean): Decided<Memory> => {
        const isReached = next.kept.some(
          ({ score: has }) => until !== undefined && compareScores(has, until, better) <= 0,
        );
        if (isOpen && round < rounds && cut === null && !isReached) {
          const again = { ...next, round: round + 1 };
          return { ...begin("generate", next.kept, again.round), memory: again };
        }
        return { begin: merge(), memory: next };
      };
      const merge = (): Begin[] => {
        const ends = bestOf(leafEntries(graph), better, MERGED);
        // One leaf is merged already.
        if (search.aggregate === false || ends.length < 2) return [];
        return [operation(`${END}.aggregate`, ends)];
      };
      const refine = (entries: readonly Entry[]): Decided<Memory> => {
        const chosen = best(entries);
        if (chosen.length === 0 || !isDue(every.refine, 2, round)) return keep(chosen);
        return { ...begin("refine", chosen), memory: { ...memory, refined: chosen } };
      };

      if (done === null) return begin("generate", [ROOT]);
      const made = done.output;
      switch (done.id.slice(done.id.indexOf(".") + 1)) {
        case "generate":
          return made.length > 0 && isDue(every.score, 1, round)
            ? begin("score", made)
            : refine(made);
        case "score":
          return done.id.startsWith(END) ? [] : refine(made);
        case "refine":
          if (made.length > 0 && every.score !== false) return begin("rescore", made);
          return keep([...refined, ...made]);
        case "rescore":
          return keep([...refined, ...made]);
        case "connect":
          return goOn(memory, true);
        default:
          return made.length > 0 && every.score !== false ? [operation(`${END}.score`, made)] : [];
      }
    },

    finals: ({ output, memory: { kept } }) => {
      const scored = output(`${END}.score`);
      return [...(scored.length > 0 ? scored : output(`${END}.aggregate`)), ...kept];
    },
  });
}

/** The operation of a step, on these thoughts. */
function operation(id: string, on: readonly (Entry | string)[]): Begin {
  const step = id.slice(id.indexOf(".") + 1);
  return { use: step === "rescore" ? "score" : step, id, on };
}

/** The best of some thoughts; of equals the first. */
function bestOf(entries: readonly Entry[], better: Better, count: number): readonly Entry[] {
  return [...entries].sort((a, b) => compareScores(a.score, b.score, better)).slice(0, count);
}

/** The graph's leaves, with what the graph says of them, in the order of asking. */
function leafEntries(graph: Graph<object>): Entry[] {
  return leaves(graph)
    .filter(({ id }) => id !== ROOT)
    .sort((a, b) => compareIds(a.id, b.id))
    .map(entryOfThought);
}

/**
 * The options of a step's operation.
 * @throws ReckonerError `thoughts.invalid` for an interval that cannot be
 */
function withoutEvery<Options extends Every>(step: string, options: false | Options): Options {
  const { every, ...rest } = options || ({} as Options);
  const misfit = every === undefined ? undefined : shapes.misfit(every, COUNT);
  if (misfit === undefined) return rest as Options;
  throw new ReckonerError("thoughts.invalid", `beamSearch: ${step}: every ${misfit}.`);
}

/** The options of a step; those of its operation are checked as such. */
const STEP: shapes.Shape = [
  (value) => value === false || shapes.OBJECT[0](value),
  "false or an object",
];
const parts: shapes.Shapes<BeamSearch> = {
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
