/**
 * `Studio`: the parts of a studio that is open: the journals, config and model of the command line, the runs
 * that the studio continues, and the costs that were looked up.
 */
import { Costs } from "./costs.js";
import type { StudioParts } from "./parts.js";
import { RunsHere } from "./runs-here.js";

/** See the banner. */
export interface Studio extends StudioParts {
  readonly here: RunsHere;
  readonly costs: Costs;
}

export function openStudio(parts: StudioParts): Studio {
  return { ...parts, here: new RunsHere(), costs: new Costs() };
}
