/** Aggregate: makes one thought of several, by a model, by votes or by weights. */
import { tableValues } from "../../kernel/index.js";
import { ask, callOf, resolve, viewOf } from "../ask.js";
import type { Entry } from "../context.js";
import type { Thought } from "../graph/thought.js";
import { compareScores } from "../graph/walk.js";
import { type Grown, grow } from "../grow.js";
import { attempt, entryOf, fail, inputsOf, seenAs, stateOf, type Work } from "../work.js";
import type { PromptView } from "./functions.js";
import { keepText, keptCalls, keptTexts } from "./generate.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";
import { readAllStates, readStates } from "./read-states.js";
import { normaliseText, type Vote, winnerOf } from "./vote.js";

type Aggregate = Operation<"aggregate">;

export const aggregateKind: Kind<"aggregate"> = {
  asks: (_work, operation) => isSynthesis(operation),
  begin(work, operation, inputs) {
    if (!isSynthesis(operation)) return;
    const prompt = operation.prompt ?? work.spec.prompts.aggregate;
    const about = sources(work, inputs);
    for (let i = 0; i < (operation.responses ?? 1); i++) {
      ask(work, operation, { path: `0/${i}`, source: 0, ...about, prompt, makes: 1 });
    }
  },

  answer(work, operation, asked, text) {
    if (operation.parseAll !== undefined) return keepText(work, operation, asked, text);
    const inputs = inputsOf(work, operation.id);
    const about = sources(work, inputs);
    const [read] = readStates(work, operation, asked, text, operation, () => viewOf(work, about));
    if (read === undefined) return;
    const calls = [callOf(operation, asked)];
    const thought = { content: text, state: about.state, read, calls };
    const made = add(work, operation, inputs, asked.path, thought);
    resolve(work, operation.id, asked, made === undefined ? [] : [made]);
  },

  close(work, operation, inputs) {
    const { strategy = "synthesis", parseAll } = operation;
    if (strategy !== "synthesis") {
      const winner = vote(work, operation, inputs, strategy);
      if (winner === undefined) return [];
      const { content, state } = winner;
      const made = add(work, operation, inputs, "0/0", { content, state, read: {} });
      return made === undefined ? [] : [entryOf(made)];
    }
    if (parseAll === undefined) {
      return tableValues(stateOf(work, operation.id).asks)
        .flatMap(({ result }) => (result ?? []) as readonly string[])
        .map(entryOf);
    }
    const about = sources(work, inputs);
    const texts = keptTexts(work, operation.id).get(0) ?? [];
    const [{ id }] = inputs as [Entry];
    const states = readAllStates(work, operation, id, texts, parseAll, () => viewOf(work, about));
    const calls = keptCalls(work, operation, 0);
    return states.flatMap((read, i) => {
      const content = texts.length === 1 && states.length === 1 ? texts[0] : undefined;
      const thought = { content, state: about.state, read, calls };
      const made = add(work, operation, inputs, `0/all.${i}`, thought);
      return made === undefined ? [] : [entryOf(made)];
    });
  },
};

function isSynthesis({ strategy = "synthesis" }: Aggregate): boolean {
  return strategy === "synthesis";
}

function vote(
  work: Work,
  operation: Aggregate,
  inputs: readonly Entry[],
  strategy: "voting" | "weighted",
): Thought | undefined {
  const { normalise = normaliseText } = operation;
  const votes = inputs.flatMap((entry): Vote[] => {
    const thought = seenAs(work, entry);
    const outcome = attempt(work, operation, entry.id, "normaliser", () => normalise(thought));
    if (outcome === undefined) return [];
    if (typeof outcome.said === "string") return [{ answer: outcome.said, thought }];
    fail(work, operation.id, entry.id, "normaliser.notText");
    return [];
  });
  return winnerOf(votes, strategy, work.better);
}

/** The thoughts to merge, and their states laid over each other, the best one on top. */
function sources(
  work: Work,
  inputs: readonly Entry[],
): { readonly thoughts: readonly Thought[]; readonly state: PromptView["state"] } {
  const thoughts = inputs.map((entry) => seenAs(work, entry));
  // The worst first; of equals, and of those without a score, the last one wins, as in the paper's code.
  const sorted = [...thoughts].sort((a, b) => compareScores(b.score, a.score, work.better));
  const state = Object.assign({}, ...sorted.map((thought) => thought.state));
  return { thoughts, state: Object.freeze(state) };
}

function add(
  work: Work,
  operation: Aggregate,
  inputs: readonly Entry[],
  path: string,
  thought: Omit<Grown, "id">,
): string | undefined {
  const id = `thought/${operation.id}/${path}`;
  const from = inputs.map((entry) => entry.id);
  return grow(work, operation, from, "aggregates", { id, ...thought });
}
