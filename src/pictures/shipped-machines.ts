/** The machines that come with this package, of which journals have the names alone. */
import { agentChart } from "../core/agent/index.js";
import { plans, thoughts } from "../core/thoughts/index.js";

/**
 * Returns a machine by the name of its chart, such as `agent/7 conversation`; nothing where the machine of this
 * package has another version.
 */
export function shippedMachine(name: string): { readonly root: object } | undefined {
  const thinking = thoughts({ policy: plans.io({}) });
  return name === thinking.chart ? thinking.machine : agentChart(name);
}
