/** All functions of the agent's context, as the one namespace `agentContext`. */
export * from "./context-functions.js";
export { deserialize, serialize } from "./serialize.js";
