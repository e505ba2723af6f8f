/**
 * The default behaviour of an agent: the model gets the whole transcript and all tools, and the text of its
 * last message is the output.
 */
import { itemAt, sizeOf } from "../../kernel/values/index.js";
import { type Message, textOf } from "../../kernel/vocabulary/index.js";
import type { AgentContext } from "../context/context.js";
import type { Behaviour } from "../definition/spec.js";
import { addMessage, lastMessage } from "./context-functions.js";
import { isStopped } from "./stop.js";

/** The default behaviour. */
export const basicBehaviour: Behaviour = {
  name: "basic",
  buildMessages: (_agent, context) => context.messages,
  processResponse: (_agent, message, context) => addMessage(context, message),
  extractOutput(_agent, context) {
    const last = isStopped(context) ? lastAnswer(context) : lastMessage(context);
    return last?.role === "assistant"
      ? { ok: true, output: textOf(last) }
      : {
          ok: false,
          error: "There is not an answer: the last message is not text of the model's.",
        };
  },
  getTools: (agent) => Object.values(agent.tools),
};

/** The answer whose calls the last results are of. */
function lastAnswer({ messages }: AgentContext): Message | undefined {
  let at = sizeOf(messages) - 1;
  while (at >= 0 && itemAt(messages, at)?.role === "tool") at -= 1;
  return itemAt(messages, at);
}
