/** Decision tracking for agents. */
export { decisions } from "./decisions.js";
