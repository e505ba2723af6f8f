/**
 * The state that the processing of tool calls shares within one step: the agent, the time of the event,
 * and the number of characters that the step may still produce: what a step produces is one line of the
 * journal, whose size is limited.
 */
import { cutText, type Json, MAX_STEP_LENGTH, ReckonerError } from "../../kernel/values/index.js";
import type { AgentSpec } from "../definition/spec.js";
import { NO_ROOM } from "../transcript/texts.js";

/** A step that is being taken. It is made anew for each, and never kept. */
export interface AgentStep {
  readonly spec: AgentSpec;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Characters of JSON that may still be made. */
  room: number;
}

/** A step at its beginning. */
export function newStep(spec: AgentSpec, at: number): AgentStep {
  return { spec, at, room: MAX_STEP_LENGTH };
}

/**
 * A value that the step makes, where there is room for it.
 * @throws ReckonerError `tool.result`
 */
export function made<T extends Json>(step: AgentStep, value: T, what: string): T {
  const { length } = JSON.stringify(value);
  if (length > step.room) {
    const most = `${MAX_STEP_LENGTH / 1024 / 1024} MiB of JSON`;
    const message = `${what} is larger than ${most}, or than what the calls before it in this step have left of them; store it elsewhere and return where it is`;
    throw new ReckonerError("tool.result", message);
  }
  step.room -= length;
  return value;
}

/** A text that the step makes, cut, or left out where there is no room for it. */
export function madeText(step: AgentStep, text: string): string {
  const cut = cutText(text);
  if (cut.length > step.room) return NO_ROOM;
  step.room -= cut.length;
  return cut;
}
