/** Aggregate: one thought of several, by a model, by votes or by weights. */
import { tableValues } from "../../kernel/index.js";
import { ask, resolve, viewOf } from "../ask.js";
import type { Ask, Entry } from "../context.js";
import type { PromptView } from "../functions.js";
import type { Operation } from "../operation.js";
import type { Thought } from "../thought.js";
import { compareScores } from "../walk.js";
import { attempt, entryOf, grow, seenAs, stateOf, type Work } from "../work.js";
import { readStates } from "./generate.js";
import type { Kind } from "./kind.js";
import { normaliseText, type Vote, winnerOf } from "./vote.js";

type Aggregate = Operation<"aggregate">;

export const aggregateKind: Kind<"aggregate"> = {
  begin(work, operation, inputs) {
    if ((operation.strategy ?? "synthesis") !== "synthesis") return;
    const prompt = operation.prompt ?? work.spec.prompts.aggregate;
    const about = sources(work, inputs);
    for (let i = 0; i < (operation.responses ?? 1); i++) {
      ask(work, operation, { path: `0/${i}`, source: 0, ...about, prompt, makes: true });
    }
  },

  answer(work, operation, asked, text) {
    const { inputs } = stateOf(work, operation.id);
    const about = sources(work, inputs);
    const [read] = readStates(work, operation, asked, text, operation.parse, () =>
      viewOf(work, about),
    );
    if (read === undefined) return;
    const state = { ...about.state, ...read };
    const made = add(work, operation, inputs, asked.path, text, state);
    resolve(work, operation.id, asked, made === undefined ? [] : [made]);
  },

  close(work, operation, inputs) {
    const { strategy = "synthesis" } = operation;
    if (strategy === "synthesis") {
      return tableValues(stateOf(work, operation.id).asks)
        .flatMap(({ result }) => (result ?? []) as readonly string[])
        .map(entryOf);
    }
    const winner = vote(work, operation, inputs, strategy);
    if (winner === undefined) return [];
    const made = add(work, operation, inputs, "0/0", winner.content, winner.state);
    return made === undefined ? [] : [entryOf(made)];
  },
};

function vote(
  work: Work,
  operation: Aggregate,
  inputs: readonly Entry[],
  strategy: "voting" | "weighted",
): Thought | undefined {
  const { normalise = normaliseText } = operation;
  const votes = inputs.flatMap((entry): Vote[] => {
    const thought = seenAs(work, entry);
    const answer = attempt(work, operation, entry.id, "normaliser", () => normalise(thought));
    return answer === undefined ? [] : [{ answer: String(answer), thought }];
  });
  return winnerOf(votes, strategy, work.better);
}

/** The thoughts to merge, and their states laid over each other, the best one on top. */
function sources(
  work: Work,
  inputs: readonly Entry[],
): { readonly thoughts: readonly Thought[]; readonly state: PromptView["state"] } {
  const thoughts = inputs.map((entry) => seenAs(work, entry));
  const worstFirst = [...thoughts].sort((a, b) => compareScores(b.score, a.score, work.better));
  return { thoughts, state: Object.assign({}, ...worstFirst.map(({ state }) => state)) };
}

function add(
  work: Work,
  operation: Aggregate,
  inputs: readonly Entry[],
  path: Ask["path"],
  content: string,
  state: object,
): string | undefined {
  const id = `thought/${operation.id}/${path}`;
  const from = inputs.map((entry) => entry.id);
  return grow(work, operation, from, "aggregates", { id, content, state });
}
