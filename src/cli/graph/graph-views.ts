/**
 * Lists the views of `reckoner graph` by name, each with the function that draws it. A new view adds its line
 * here.
 */
import { isAgent } from "../../core/agent/index.js";
import type { Reasoner, RunState } from "../../core/kernel/machine/index.js";
import type { ThoughtGraph, ThoughtsContext } from "../../core/thoughts/index.js";
import { agentPicture, chartPicture, type Picture, thoughtsPicture } from "../../pictures/index.js";
import { usageError } from "../terminal/failure.js";

/** The subject of a drawing: a reasoner, and the state of a run of it. */
export interface GraphSubject {
  readonly reasoner: Reasoner;
  /** Absent for a config, and for a journal without events. */
  readonly state?: RunState<unknown>;
  /** The newest event, as the journal counts those of the run and its children. */
  readonly seq?: number;
}

/** @throws ReckonerError `cli.usage` where the subject has no such thing */
export type GraphView = (subject: GraphSubject) => Picture | Promise<Picture>;

/** Every view by its name; the first is drawn where none is named. */
export const graphViews: Readonly<Record<string, GraphView>> = {
  chart: ({ reasoner, state, seq }) => {
    const place = seq === undefined ? "" : `, after event ${seq}`;
    return chartPicture(reasoner, {
      title: `${reasoner.id}${place}`,
      ...(state === undefined ? {} : { active: state.value }),
    });
  },
  agent: ({ reasoner }) => {
    if (isAgent(reasoner)) return agentPicture(reasoner);
    throw usageError(
      `--view agent needs an agent; ${reasoner.id} is a reasoner of another kind, which --view chart draws.`,
    );
  },
  thoughts: ({ reasoner, state, seq }) => {
    const { id } = reasoner;
    if (state === undefined) {
      throw usageError(
        `--view thoughts needs the journal of a run; ${id} has thought nothing yet.`,
      );
    }
    if (!hasThoughts(state.context)) {
      throw usageError(`--view thoughts needs a run of thoughts; ${id} keeps none.`);
    }
    const { graph, better, result } = state.context;
    return thoughtsPicture(graph, {
      best: result?.thought ?? null,
      better,
      title: `${id}, after event ${seq}`,
    });
  },
};

function hasThoughts(
  context: unknown,
): context is ThoughtsContext & { readonly graph: ThoughtGraph } {
  if (typeof context !== "object" || context === null || !("graph" in context)) return false;
  const { graph } = context as { readonly graph: unknown };
  return typeof graph === "object" && graph !== null && "nodes" in graph && "edges" in graph;
}
