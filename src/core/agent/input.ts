/** An agent's input: what a definition adds to it, and what is wrong with it. */
import { messageFault, type Parts, partFault, ReckonerError } from "../kernel/index.js";
import type { AgentInput, AgentSpec } from "./spec.js";

/**
 * An input with the definition's `deps`, where it brings none of its own and the run does not go on
 * from one that has some. What is no input stays as it is; the start refuses it.
 */
export function prepareInput(spec: AgentSpec, input: AgentInput, goesOn: boolean): AgentInput {
  const { deps } = spec;
  if (deps === undefined || goesOn) return input;
  if (typeof input === "string") return { prompt: input, deps: { ...deps } };
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return input.deps === undefined ? { ...input, deps: { ...deps } } : input;
}

const parts: Parts<Exclude<AgentInput, string>> = {
  prompt: true,
  messages: true,
  deps: true,
  maxIterations: true,
};

/**
 * An input as it may be: from a caller in plain JavaScript, or from the command line, it may be
 * anything.
 * @param goesOn the run goes on from another one: nothing has to be said
 * @throws ReckonerError `agent.invalid` with the place
 */
export function checkInput(input: AgentInput, goesOn: boolean): Exclude<AgentInput, string> {
  const refuse = (place: string, what: string) => {
    throw new ReckonerError("agent.invalid", `${place} ${what}.`, { place });
  };
  if (typeof input === "string") return { prompt: input };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return refuse("input", "must be a prompt, or an object with a prompt or messages");
  }
  const fault = partFault(input, parts);
  if (fault !== undefined) refuse("input", `cannot be: ${fault}`);
  const { prompt, messages, maxIterations, deps } = input;
  if (prompt === undefined && messages === undefined && !goesOn) {
    refuse("input", "needs a prompt or messages");
  }
  const said = prompt === undefined ? undefined : messageFault({ role: "user", content: prompt });
  if (said !== undefined) refuse("input.prompt", said);
  if (messages !== undefined && !Array.isArray(messages)) {
    refuse("input.messages", "must be an array of messages");
  }
  messages?.forEach((message, i) => {
    const fault = messageFault(message);
    if (fault !== undefined) refuse(`input.messages[${i}]`, fault);
  });
  if (deps !== undefined && (typeof deps !== "object" || deps === null || Array.isArray(deps))) {
    refuse("input.deps", "must be an object");
  }
  // Without this there were no limit.
  if (maxIterations !== undefined && (!Number.isInteger(maxIterations) || maxIterations < 1)) {
    refuse("input.maxIterations", "must be a whole number of 1 or more");
  }
  return input;
}
