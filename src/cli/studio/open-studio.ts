/**
 * `Studio`: the parts of a studio that is open: what it was started with, the runs that go on in it, and the
 * costs that it knows.
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
