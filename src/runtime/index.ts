/** The interpreter and its ports. */
export * from "./ports.js";
