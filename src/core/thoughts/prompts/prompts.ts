/**
 * The default prompts of the Graph of Thoughts, one for each kind of question. A definition or an operation
 * can replace each.
 */

import type { Thought } from "../graph/thought.js";
import type { PromptView } from "../operations/functions.js";
import type { Prompts } from "../spec.js";

/** The length to which a thought is shown where it is one of several; the seed's number. */
const EXCERPT = 200;

const BETWEEN = "\n\n---\n\n";

/** The way to a thought, as its author may read it. */
function soFar({ path }: PromptView): string {
  const [, ...thoughts] = path();
  if (thoughts.length === 0) return "";
  return `\n\nThe reasoning so far:\n\n${thoughts.map(({ content }) => content).join(BETWEEN)}`;
}

function excerpt({ id, content }: Thought): string {
  return `[${id}]: ${content.slice(0, EXCERPT)}`;
}

/** The default prompts. */
export const defaultPrompts: Prompts = {
  generate: (view) => ({
    system:
      "You work on a problem as one of several who think side by side. Analyse it, name the concepts that matter and how they hang together, and propose one line of reasoning that leads further. Say what others could connect to or build on.",
    user: `The problem:\n\n${view.prompt}${soFar(view)}\n\nPropose ${
      view.branches === 1 ? "the next thought" : `${view.branches} different next thoughts`
    }.`,
  }),
  score: (view) => ({
    system:
      "You judge reasoning. Look for mistakes first, then at how much closer it brings a solution.",
    user:
      view.thoughts.length === 1
        ? `The problem:\n\n${view.prompt}\n\nA thought on it:\n\n${view.thought.content}\n\nHow good is it, from 0 (useless) to 10 (solves the problem)? ${
            view.structured
              ? 'Answer with JSON: {"reasoning": "…", "score": <number>}.'
              : 'End with a line "Score: <number>".'
          }`
        : `The problem:\n\n${view.prompt}\n\nThoughts on it:\n\n${view.thoughts
            .map(({ content }, i) => `${i + 1}. ${content}`)
            .join(BETWEEN)}\n\nHow good is each, from 0 (useless) to 10 (solves the problem)? ${
            view.structured
              ? `Answer with JSON: {"reasoning": "…", "scores": [${view.thoughts.length} numbers, in this order]}.`
              : `End with a JSON array of ${view.thoughts.length} numbers, in this order.`
          }`,
  }),
  improve: (view) => ({
    system: "You improve reasoning: keep what holds, mend what does not, add what is missing.",
    user: `The problem:\n\n${view.prompt}\n\nA thought on it:\n\n${view.thought.content}\n\nWrite a better version of this thought, and nothing else.`,
  }),
  validate: (view) => ({
    system: "You check reasoning for mistakes.",
    user: `The problem:\n\n${view.prompt}\n\nA thought on it:\n\n${view.thought.content}\n\nIs it valid? ${
      view.structured
        ? 'Answer with JSON: {"reasoning": "…", "valid": true or false}.'
        : 'End with "valid" or "invalid".'
    }`,
  }),
  aggregate: (view) => ({
    system:
      "You merge lines of reasoning into one. Bring together what they have found, resolve what contradicts, and come to a conclusion that one can act on.",
    user: `The problem:\n\n${view.prompt}\n\nThe thoughts to merge:\n\n${view.thoughts
      .map(({ content, score }) => (score === null ? content : `(score ${score}) ${content}`))
      .join(BETWEEN)}\n\nWrite the conclusion.`,
  }),
  connect: (view) => ({
    system:
      "You look for relations between thoughts: support, contradiction, a common cause, a step from one to the other. Leave out what is superficial. Write each in a line of its own, in exactly this form:\nCONNECTION: [id1] -> [id2] : [description]",
    user: `The problem:\n\n${view.prompt}\n\nThe thoughts:\n\n${view.thoughts.map(excerpt).join("\n")}\n\nWhich of them are related, and how? Write "none" where none are.`,
  }),
};
