/**
 * `agentTool`: an agent, or any reasoner, as a tool of another agent. A call starts a child run,
 * in the journal of its parent.
 */

import * as shapes from "../../kernel/shapes.js";
import { type Json, type JsonObject, ReckonerError, toJson } from "../../kernel/values/index.js";
import {
  type ChildReasoner,
  checkDefinition,
  type InferOutput,
  type NeedsApproval,
  type RunContext,
  type Schema,
  type Tool,
  ToolError,
  tool,
} from "../../kernel/vocabulary/index.js";
import { fields } from "../extend/tool-fields.js";

/** A reasoner that becomes a tool: as much of it as says what goes in and what comes out. */
export interface ToolChild<Input, Output, Services = never> extends ChildReasoner {
  /** Says which services its tools need. */
  readonly needs?: ((services: Services) => void) | undefined;
  /** The reasoner's `start`: says what goes in. */
  start(input: Input, origin: never): unknown;
  /** The reasoner's `output`: says what comes out. */
  output(state: never): Output | undefined;
}

/** The options of a tool made of a reasoner. */
export interface AgentToolOptions<S extends Schema, Input = Json, Output = Json> {
  /** The tool's name; also the name under which the child is known in journals. */
  readonly name: string;
  readonly description?: string | undefined;
  /** The tool's arguments. Default: `{ prompt: string }`. */
  readonly inputSchema?: S | undefined;
  /** JSON Schema for the model, where `inputSchema` cannot describe itself. */
  readonly jsonSchema?: JsonObject | undefined;
  /** The child's input from the arguments. Pure. Default: the prompt. */
  readonly input?: ((input: InferOutput<S>, context: RunContext) => Input) | undefined;
  /** The tool's result from the child's output and run id. Pure. Default: the output. */
  readonly result?: ((output: Output, runId: string) => unknown) | undefined;
  /** A person has to approve each call, or those for which this pure function says so. */
  readonly needsApproval?: NeedsApproval<InferOutput<S>> | undefined;
  readonly sequential?: boolean | undefined;
  readonly final?: boolean | undefined;
}

const parts: shapes.Shapes<AgentToolOptions<Schema>> = {
  name: shapes.ANYTHING,
  description: shapes.ANYTHING,
  inputSchema: shapes.ANYTHING,
  jsonSchema: shapes.ANYTHING,
  input: shapes.PURE,
  result: shapes.PURE,
  needsApproval: shapes.ANYTHING,
  sequential: shapes.ANYTHING,
  final: shapes.ANYTHING,
};

/** @throws ReckonerError `tool.invalid` where a tool is to be made of what is not a reasoner */
function checkChild(of: string, child: unknown): void {
  const isReasoner = shapes.hasMethods("start", "step", "prepare");
  const words = "a reasoner, as agent(), thoughts() or defineReasoner() makes it";
  const fault = shapes.misfit(child, [isReasoner, words]);
  if (fault === undefined) return;
  throw new ReckonerError("tool.invalid", `${of}: what becomes a tool ${fault}.`);
}

/**
 * Makes a tool of a reasoner. Its result is the child's output; a child that fails or is cancelled
 * is a failed call, and the agent goes on.
 * @throws ReckonerError `tool.invalid` where it is not a reasoner, or an option cannot be, by its name
 */
export function agentTool<
  S extends Schema = Schema<{ readonly prompt: string }>,
  Input = Json,
  Output = Json,
  Services = never,
>(
  child: ToolChild<Input, Output, Services>,
  options: AgentToolOptions<S, Input, Output>,
): Tool<Services> {
  checkChild("agentTool", child);
  checkDefinition("tool.invalid", "agentTool, behind its reasoner,", options, parts);
  const { name, input, result, inputSchema, jsonSchema, ...rest } = options;
  const prompt = fields({ prompt: "string" });
  return tool<Schema>({
    name,
    ...(inputSchema === undefined ? prompt : { inputSchema }),
    ...(jsonSchema === undefined ? {} : { jsonSchema }),
    ...rest,
    children: { [name]: child },
    issue(toolInput, context) {
      const asked =
        input === undefined
          ? (toolInput as { readonly prompt?: unknown }).prompt
          : input(toolInput, context);
      return [{ type: "run", reasoner: name, input: toJson(asked, "input") }];
    },
    settle(_toolInput, _context, [settled]) {
      if (settled?.type === "run.succeeded") {
        const { output, runId } = settled;
        return result === undefined ? output : result(output as Output, runId);
      }
      if (settled?.type === "run.failed") {
        const { code, message } = settled.error;
        // The child ran to its end, and only its output cannot be taken.
        throw code === "tool.result" ? new ReckonerError(code, message) : new ToolError(message);
      }
      throw new ToolError("The child run was not settled.");
    },
  });
}
