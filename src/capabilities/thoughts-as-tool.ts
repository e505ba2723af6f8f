/**
 * `think`: a tool with which an agent runs a Graph of Thoughts on a hard question, in a child run. The result
 * names the child run.
 */
import { agentTool } from "../core/agent/index.js";
import * as shapes from "../core/kernel/shapes.js";
import { ReckonerError } from "../core/kernel/values/index.js";
import { builtInTool, checkDefinition, type Tool } from "../core/kernel/vocabulary/index.js";
import type { Thoughts } from "../core/thoughts/index.js";

/** The result of a run of thoughts, as the model reads it. */
export interface ThinkResult {
  /** The best thought; `null` where there was none. */
  readonly answer: string | null;
  /** The reason why the run of thoughts ended. */
  readonly reason: string;
  readonly score: number | null;
  /** The number of thoughts, the question included. */
  readonly thoughts: number;
  /** Run id of the child. */
  readonly runId: string;
}

/** The name and description of the tool for the model. */
export interface ThinkOptions {
  /** Default `think`. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

const parts: shapes.Shapes<ThinkOptions> = { name: shapes.ANYTHING, description: shapes.TEXT };

const DESCRIPTION =
  "Think a hard question through: several lines of thought are developed, scored and combined. Give the whole question; nothing else of this conversation is known there.";

/** By its machine: what comes of other runs is no thought. */
const THOUGHTS: shapes.Shape = [
  (value) => {
    const { machine } = (value ?? {}) as { readonly machine?: { readonly id?: unknown } };
    return shapes.hasMethods("start", "step")(value) && machine?.id === "thoughts";
  },
  "a reasoner of thoughts, as thoughts() makes it",
];

/**
 * A tool that starts a run of thoughts on the question that it is given.
 * @throws ReckonerError `tool.invalid` where it is not a reasoner of thoughts, or an option cannot be
 */
export function think(thoughts: Thoughts, options: ThinkOptions = {}): Tool {
  const other = shapes.misfit(thoughts, THOUGHTS);
  if (other !== undefined) {
    const message = `think: what thinks ${other}; make a tool of another reasoner with agentTool().`;
    throw new ReckonerError("tool.invalid", message);
  }
  checkDefinition("tool.invalid", "think, behind its thoughts,", options, parts);
  const { name = "think", description = DESCRIPTION } = options;
  const made = agentTool(thoughts, {
    name,
    description,
    result: ({ result, reason, score, thoughts: count }, runId): ThinkResult => ({
      answer: result,
      reason,
      score,
      thoughts: count,
      runId,
    }),
  });
  return options.description === undefined ? builtInTool(made) : made;
}
