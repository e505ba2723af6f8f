/** An agent, or any reasoner, as a tool of another: the call starts a child run with its own journal. */
import {
  type ChildReasoner,
  type Json,
  type JsonObject,
  type Schema,
  type Tool,
  type ToolSettlement,
  tool,
} from "../kernel/index.js";
import { fields } from "./fields.js";

/** How a reasoner becomes a tool. */
export interface AgentToolOptions<S extends Schema> {
  /** The tool's name; also the name under which the child is known in journals. */
  readonly name: string;
  readonly description?: string;
  /** The tool's arguments. Default: `{ prompt: string }`. */
  readonly inputSchema?: S;
  /** JSON Schema for the model, where `inputSchema` cannot describe itself. */
  readonly jsonSchema?: JsonObject;
  /** The child's input from the arguments. Pure. Default: the prompt. */
  readonly input?: (args: Json) => Json;
  /** The tool's result from the child's output and run id. Pure. Default: the output. */
  readonly result?: (output: Json, runId: string) => Json;
  readonly needsApproval?: boolean;
  readonly sequential?: boolean;
  readonly final?: boolean;
}

/**
 * Makes a tool of a reasoner. Its result is the child's output; a child that fails or is cancelled
 * is a failed call, and the agent goes on.
 */
export function agentTool<S extends Schema = Schema<JsonObject>>(
  child: ChildReasoner,
  options: AgentToolOptions<S>,
): Tool {
  const { name, input, result, inputSchema, jsonSchema, ...rest } = options;
  const prompt = fields({ prompt: "string" });
  return tool<Schema>({
    name,
    ...(inputSchema === undefined ? prompt : { inputSchema }),
    ...(jsonSchema === undefined ? {} : { jsonSchema }),
    ...rest,
    children: { [name]: child },
    issue: (_run, args) => [
      {
        type: "run",
        reasoner: name,
        input: input === undefined ? (args as { prompt: Json }).prompt : input(args as Json),
      },
    ],
    settle(_run, _args, settlements: readonly ToolSettlement[]) {
      const settled = settlements[0];
      if (settled?.type === "run.succeeded") {
        const { output, runId } = settled;
        return result === undefined ? output : result(output, runId);
      }
      if (settled?.type === "run.failed") throw new Error(settled.error.message);
      throw new Error("The child run was not settled.");
    },
  });
}
