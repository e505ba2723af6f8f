/** What a machine is made from, and what its runs start from. */
import type {
  JsonObject,
  LlmSettings,
  Message,
  ToolChoice,
  ToolRegistry,
  ToolSchema,
  UserPart,
} from "../kernel/index.js";

/** What an agent's run starts from: a prompt, or a prompt with more. */
export type AgentInput<Deps extends object = JsonObject> =
  | string
  | {
      readonly prompt?: string | readonly UserPart[];
      /** An earlier transcript; tool calls in it that have no result are given one. */
      readonly messages?: readonly Message[];
      readonly deps?: Deps;
      readonly maxIterations?: number;
    };

/** A definition with its defaults. @internal */
export interface AgentSpec {
  readonly name: string;
  readonly system: string | null;
  readonly tools: ToolRegistry;
  readonly schemas: readonly ToolSchema[];
  readonly model: string | undefined;
  readonly settings: LlmSettings | undefined;
  readonly toolChoice: ToolChoice | undefined;
  readonly maxIterations: number;
  readonly sequential: boolean;
  readonly deps: object | undefined;
}
