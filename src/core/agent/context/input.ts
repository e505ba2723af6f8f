/**
 * Validates the input of an agent's run (a prompt, messages, `deps`, a limit of iterations), and adds the
 * `deps` of the agent's definition where the input has none.
 */

import * as shapes from "../../kernel/shapes.js";
import type { JsonObject } from "../../kernel/values/index.js";
import { MESSAGE, USER_CONTENT } from "../../kernel/vocabulary/index.js";
import type { AgentInput, AgentSpec } from "../definition/spec.js";
import { invalid } from "./invalid.js";

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

const parts: shapes.Shapes<Exclude<AgentInput, string>> = {
  prompt: USER_CONTENT,
  messages: /* @__PURE__ */ shapes.listOf(MESSAGE),
  deps: shapes.OBJECT,
  // Without this there were no limit.
  maxIterations: /* @__PURE__ */ shapes.whole(1),
};
const INPUT: shapes.Shape = /* @__PURE__ */ shapes.optionsOf(parts);

/**
 * Validates an input, which may come from plain JavaScript or the command line.
 * @param goesOn the run goes on from another one: nothing has to be said
 * @param conversation it may wait for the first message, where `messages` is empty
 * @throws ReckonerError `agent.invalid` with the place
 */
export function checkInput(
  input: AgentInput,
  goesOn: boolean,
  conversation = false,
): Exclude<AgentInput, string> {
  if (typeof input === "string") return { prompt: input };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid("input must be a prompt, or an object with a prompt or messages");
  }
  const fault = shapes.misfit(input, INPUT, "input");
  if (fault !== undefined) throw invalid(fault);
  const { prompt, messages } = input;
  const waits = goesOn || (conversation && messages !== undefined);
  if (prompt === undefined && (messages ?? []).length === 0 && !waits) {
    throw invalid("input needs a prompt, or messages of which there is one at least");
  }
  return input;
}
