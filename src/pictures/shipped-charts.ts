/** The charts of the machines that come with this package, of which journals have the names alone. */
import { agentChart } from "../core/agent/index.js";
import { plans, thoughts } from "../core/thoughts/index.js";
import type { ChartState } from "./recorded-chart.js";

/**
 * Returns the root of a machine's chart by its name, such as `agent/6 conversation`; nothing where the machine of
 * this package has another version.
 */
export function shippedChart(name: string): ChartState | undefined {
  const thinking = thoughts({ policy: plans.io({}) });
  const machine = name === thinking.chart ? thinking.machine : agentChart(name);
  return machine?.root as ChartState | undefined;
}
