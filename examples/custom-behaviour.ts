/**
 * A behaviour of one's own: an agent that remembers the last messages only, gets a second look at its
 * own draft, and has a way out when its model is down. It is a configuration for the command line:
 * `npx --no reckoner run examples/custom-behaviour.ts`.
 */
import {
  type Agent,
  agent,
  agentContext,
  type Behaviour,
  basicBehaviour,
  defineConfig,
  scriptedModel,
  textOf,
  toArray,
} from "reckoner";

const { addMessage, mergeDeps } = agentContext;
const WINDOW = 6;
const REVIEW = "Read your draft once more and give the final version.";

/** Drafts, reviews, answers. All of it is pure: it is computed anew at each replay. */
export const reviewing: Behaviour = {
  ...basicBehaviour,
  name: "reviewing",

  /** Once, before the run begins. */
  initContext: (_agent, context) => mergeDeps(context, { drafts: 0 }),

  /** The model reads the last messages, from one of the user's on: calls keep their results. */
  buildMessages(_agent, { messages }) {
    const all = toArray(messages);
    const from = all.findIndex(({ role }, i) => role === "user" && i >= all.length - WINDOW);
    return from < 0 ? all : all.slice(from);
  },

  /** The first answer is a draft: it is sent back once. */
  processResponse(spec, message, context) {
    const next = basicBehaviour.processResponse(spec, message, context);
    const { drafts } = context.deps as { drafts: number };
    if (next.needsResponse || drafts > 0) return next;
    return addMessage(mergeDeps(next, { drafts: drafts + 1 }), { role: "user", content: REVIEW });
  },

  /** The output is more than the text. */
  extractOutput(_agent, { messages, deps }) {
    const text = textOf(toArray(messages).findLast(({ role }) => role === "assistant"));
    return text === ""
      ? { ok: false, error: "The model said nothing." }
      : { ok: true, output: { text, drafts: deps.drafts ?? 0 } };
  },

  /** A model that is down is asked once more; then the run ends with an apology, not with an error. */
  handleError: (_agent, { message }, context) =>
    context.retry === 0
      ? { type: "retry", context }
      : {
          type: "continue",
          context: addMessage(mergeDeps(context, { drafts: 1 }), {
            role: "assistant",
            content: `I cannot answer now (${message}).`,
          }),
        },
};

/** The agent. */
export const reviewer: Agent = agent({ name: "reviewer", behaviour: reviewing });

export default defineConfig({
  reasoner: reviewer,
  input: "Two lines on rain.",
  model: scriptedModel(["It rains.\nIt pours.", "It rains on the roof.\nIt rains on me too."]),
});
