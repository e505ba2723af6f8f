/** The entry `reckoner/ai-sdk`: models and tools of the AI SDK (`ai` 6 and 7) as model ports and tools. */
export { aiSdk } from "./ai-sdk.js";
export type { Family } from "./families/index.js";
export {
  type AiSdkToolChecking,
  type AiSdkToolOptions,
  type AiSdkTools,
  fromAiSdkTools,
} from "./from-ai-sdk-tools.js";
export type { AiSdkOptions } from "./options.js";
export { type ResolveModelOptions, resolveModel } from "./resolve-model.js";
export type { AiSdkModel, LanguageModelObject } from "./specification.js";
