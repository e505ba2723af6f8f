/** The input of an agent's run: what the definition adds to it, and its validation. */
import { type JsonObject, messageFault, type Parts, partFault } from "../../kernel/index.js";
import * as shapes from "../../kernel/shapes.js";
import { invalid } from "./invalid.js";
import type { AgentInput, AgentSpec } from "./spec.js";

/**
 * The input with the definition's `deps`, unless it has its own or the run continues one that has.
 * An invalid input is returned unchanged; the start refuses it.
 */
export function prepareInput(spec: AgentSpec, input: AgentInput, goesOn: boolean): AgentInput {
  // As it is, so that the border says of a Map what it is; a copy of it would be empty.
  const deps = spec.deps as JsonObject | undefined;
  if (deps === undefined || goesOn) return input;
  if (typeof input === "string") return { prompt: input, deps };
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return input.deps === undefined ? { ...input, deps } : input;
}

const parts: Parts<Exclude<AgentInput, string>> = {
  prompt: true,
  messages: shapes.LIST,
  deps: shapes.OBJECT,
  // Without this there were no limit.
  maxIterations: /* @__PURE__ */ shapes.whole(1),
};

/**
 * Validates an input, which may come from plain JavaScript or the command line.
 * @param goesOn the run goes on from another one: nothing has to be said
 * @throws ReckonerError `agent.invalid` with the place
 */
export function checkInput(input: AgentInput, goesOn: boolean): Exclude<AgentInput, string> {
  if (typeof input === "string") return { prompt: input };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid("input must be a prompt, or an object with a prompt or messages");
  }
  const fault = partFault(input, parts);
  if (fault !== undefined) throw invalid(`input: ${fault}`);
  const { prompt, messages } = input;
  if (prompt === undefined && (messages ?? []).length === 0 && !goesOn) {
    throw invalid("input needs a prompt, or messages of which there is one at least");
  }
  const said = prompt === undefined ? undefined : messageFault({ role: "user", content: prompt });
  if (said !== undefined) throw invalid(`input.prompt ${said}`);
  messages?.forEach((message, i) => {
    const fault = messageFault(message);
    if (fault !== undefined) throw invalid(`input.messages[${i}] ${fault}`);
  });
  return input;
}
