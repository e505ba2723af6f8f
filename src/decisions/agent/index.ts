/** Decision tracking for agents. */
export { type DecisionTracking, decisions } from "./decisions.js";
