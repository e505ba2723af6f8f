/** Models of the AI SDK (`ai` 6) as model ports. */
export { type AiSdkOptions, aiSdk } from "./ai-sdk.js";
export { type ResolveModelOptions, resolveModel } from "./resolve-model.js";
