/**
 * `reckoner/testing`: laws of machines, journals and stores, a simulated world, and values to draw.
 */
export * from "./decisions/laws/index.js";
export * from "./testing/index.js";
