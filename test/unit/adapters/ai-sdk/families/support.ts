// Targets of each family, and requests that break a rule.
import {
  FAMILIES,
  type Family,
  type Mended,
  mendRequest,
  type Request,
  RULES,
  type Rule,
  type Target,
  unmarked,
} from "../../../../../src/adapters/ai-sdk/families/index.js";
import type { JsonObject } from "../../../../../src/core/kernel/values/index.js";
import type {
  AssistantPart,
  ImagePart,
  Message,
  ToolOutput,
  ToolSchema,
} from "../../../../../src/core/kernel/vocabulary/index.js";

const models: { readonly [F in Family]: readonly [provider: string, modelId: string] } = {
  "openai-chat": ["openai.chat", "gpt-4o"],
  "openai-responses": ["openai.responses", "gpt-5-mini"],
  anthropic: ["anthropic.messages", "claude-sonnet-4-5"],
  google: ["google.generative-ai", "gemini-2.5-flash"],
  bedrock: ["amazon-bedrock", "anthropic.claude-3-haiku-20240307-v1:0"],
  mistral: ["mistral.chat", "mistral-large-latest"],
  "openai-compatible": ["local.chat", "qwen3"],
};

/** A target of a family, as its usual model. */
export function target(family: Family, more: Partial<Target> = {}): Target {
  const [provider, modelId] = models[family];
  const structuredOutputs = family !== "openai-compatible";
  return { family, provider, modelId, structuredOutputs, ownParts: true, ...more };
}

export const targets: readonly Target[] = FAMILIES.map((family) => target(family));

/** The rule of a name. */
export function rule(name: string): Rule {
  const found = RULES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no rule ${name}`);
  return found;
}

/** A request mended for a family, as it is sent. */
export function mended(family: Family, given: Request, more: Partial<Target> = {}): Mended {
  const all = mendRequest(given, target(family, more));
  return { ...all, request: unmarked(all.request) };
}

export const user = (content: Extract<Message, { role: "user" }>["content"]): Message => ({
  role: "user",
  content,
});
export const said = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
export const text = (words: string) => ({ type: "text", text: words }) as const;
export const call = (toolCallId: string, more: object = {}): AssistantPart => ({
  type: "tool-call",
  toolCallId,
  toolName: "look",
  input: { at: 1 },
  ...more,
});
export const result = (
  toolCallId: string,
  output: ToolOutput | string = "seen",
  toolName = "look",
) =>
  ({
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId,
        toolName,
        output: typeof output === "string" ? { type: "text", value: output } : output,
      },
    ],
  }) as const satisfies Message;
export const png = { type: "image", image: "iVBORw0KGgo=", mediaType: "image/png" } as const;
/** A PNG image of which there is no more than what says its size. */
export function sized(width: number, height: number): ImagePart {
  const bytes = Buffer.alloc(24);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { type: "image", image: bytes.toString("base64"), mediaType: "image/png" };
}
export const pdf = { type: "file", data: "JVBERi0=", mediaType: "application/pdf" } as const;
export const look: ToolSchema = {
  name: "look",
  description: "Looks",
  inputSchema: { type: "object", properties: { at: { type: "number" } } },
};
export const named = (name: string): ToolSchema => ({ ...look, name });
export const from = (origin: string, more: { readonly [name: string]: JsonObject } = {}) => ({
  providerOptions: { ...more, reckoner: { from: origin } },
});
