// The AI SDK's own clients, pointed at a server of recorded conversations.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";

/** A model by its provider's interface, reached at a URL without a path. */
export function providerModel(api: string, model: string, url: string): LanguageModel {
  const settings = { apiKey: "none", baseURL: `${url}/v1` };
  switch (api) {
    case "openai-chat":
      return createOpenAI(settings).chat(model);
    case "openai-responses":
      return createOpenAI(settings).responses(model);
    case "anthropic-messages":
      return createAnthropic(settings)(model);
    default:
      throw new Error(`There is no client for the interface ${api}.`);
  }
}
