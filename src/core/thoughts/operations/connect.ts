/** The operation Connect: a model names relations between thoughts. */

import type { Entry } from "../context.js";
import { addEdge, getThought, hasEdge } from "../graph/graph.js";
import { parseConnections } from "../parsing/parse-connections.js";
import { fail, seenAs, type Work } from "../work-on-context.js";
import { ask } from "./ask.js";
import type { Kind } from "./kind.js";

export const connectKind: Kind<"connect"> = {
  asks: () => true,
  begin(work, operation, inputs) {
    const { limit = 20, prompt = work.spec.prompts.connect } = operation;
    const thoughts = inputs.slice(-limit).map((entry) => seenAs(work, entry));
    if (thoughts.length < 2) return;
    ask(work, operation, { path: "0/0", source: 0, thoughts, prompt, makes: 0 });
  },

  answer(work, operation, asked, text) {
    // "None" is an answer; only an empty one is a failure.
    if (text === "") fail(work, operation.id, asked.thought, "answer.empty");
    for (const { from, to, description } of parseConnections(text)) {
      if (!isNew(work, from, to)) continue;
      work.graph = addEdge(work.graph, { from, to, type: "connects", description });
    }
  },

  close: (_work, _operation, inputs): readonly Entry[] => inputs,
};

function isNew({ graph }: Work, from: string, to: string): boolean {
  const bothExist = getThought(graph, from) !== undefined && getThought(graph, to) !== undefined;
  return bothExist && from !== to && !hasEdge(graph, { from, to, type: "connects" });
}
