/**
 * Finds the machine of an agent or of thoughts by the name of its chart, for `chartPicture`: of machines that
 * come with this package a journal records that name alone.
 */
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
