/** Models of the AI SDK (`ai` 6) as model ports. */
export { aiSdk } from "./ai-sdk.js";
export type { AiSdkOptions } from "./options.js";
export { type ResolveModelOptions, resolveModel } from "./resolve-model.js";
