/**
 * The default behaviour: the whole transcript, all tools, and the text of the last message as the
 * output.
 */
import { textOf } from "../kernel/index.js";
import { addMessage, lastMessage } from "./context-functions.js";
import type { Behaviour } from "./spec.js";

/** The default behaviour. */
export const basicBehaviour: Behaviour = {
  name: "basic",
  buildMessages: (_agent, context) => context.messages,
  processResponse: (_agent, message, context) => addMessage(context, message),
  extractOutput(_agent, context) {
    const last = lastMessage(context);
    return last?.role === "assistant"
      ? { ok: true, output: textOf(last) }
      : {
          ok: false,
          error: "There is not an answer: the last message is not text of the model's.",
        };
  },
  getTools: (agent) => Object.values(agent.tools),
};
