/** `graph --view trace`: what caused what in a journal's run, its children and the runs before it. */
import { explain, summaryOf } from "../core/trace/index.js";
import { type Picture, tracePicture } from "../pictures/index.js";
import { usageError } from "./failure.js";
import type { Io } from "./io.js";
import { idMeant, observe, observedTraces } from "./observed.js";

/** The picture of a trace, and whether something of it could not be read. No config is needed. */
export async function traceView(
  io: Io,
  path: string,
  { at, explain: event }: { readonly at?: number; readonly explain?: string },
): Promise<{ readonly picture: Picture; readonly incomplete: boolean }> {
  const observed = await observe(io, observedTraces(io, path));
  const { contents, trace } = observed;
  if (trace.events.length === 0)
    throw usageError(`--view trace needs a run; ${path} has no event.`);
  // The first run is the one whose journal was named.
  const named = contents.runs[0]?.runId;
  const events = trace.events.filter(
    ({ runId, seq }) => at === undefined || runId !== named || seq <= at,
  );
  const picture = tracePicture(
    events.map((each) => ({
      id: each.id,
      kind: each.type,
      label: summaryOf(each),
      parent: trace.parentOf(each)?.id ?? null,
      causes: each.causes,
      at: each.at,
      ...(each.durationMs === undefined ? {} : { durationMs: each.durationMs }),
    })),
    {
      title: `Trace of ${path}`,
      ...(event === undefined
        ? {}
        : { explain: explain(trace, idMeant(io, path, observed, event)).event.id }),
    },
  );
  return { picture, incomplete: observed.incomplete };
}
