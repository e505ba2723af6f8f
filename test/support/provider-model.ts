// The AI SDK's own clients, of both majors that we go with, pointed at a server of recorded
// conversations.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAnthropic as createAnthropicOf7 } from "@ai-sdk/anthropic-4";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import type { AiSdkModel } from "reckoner/ai-sdk";

/** A major of `ai`, with the clients that go with it. */
export type Major = 6 | 7;

/** Both. */
export const majors: readonly Major[] = [6, 7];

const clients = {
  6: { openai: createOpenAI, anthropic: createAnthropic },
  7: { openai: createOpenAIOf7, anthropic: createAnthropicOf7 },
} as const;

/** A model by its provider's interface, reached at a URL without a path. */
export function providerModel(
  api: string,
  model: string,
  url: string,
  major: Major = 6,
  apiKey = "none",
): Exclude<AiSdkModel, string> {
  const { openai, anthropic } = clients[major];
  const settings = { apiKey, baseURL: `${url}/v1` };
  switch (api) {
    case "openai-chat":
      return openai(settings).chat(model);
    case "openai-responses":
      return openai(settings).responses(model);
    case "anthropic-messages":
      return anthropic(settings)(model);
    default:
      throw new Error(`There is no client for the interface ${api}.`);
  }
}
