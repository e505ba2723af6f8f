/** Prints the critical path of a session's runs, as text and JSON. */
import {
  type CriticalPath,
  criticalPath,
  eventSummary,
  localId,
  type Trace,
} from "../../trace/pure/index.js";
import { type Io, print, printJson } from "../terminal/io.js";
import { plural } from "../terminal/plural.js";
import { slice } from "../terminal/truncate.js";
import { inLine } from "../terminal/visible.js";

/** Prints the paths of the session's runs that no other run started. */
export function printPath(
  io: Io,
  trace: Trace,
  session: string,
  format: "terminal" | "json",
): void {
  const runIds = new Set(trace.runs.map(({ runId }) => runId));
  const paths = trace.runs
    .filter(
      (run) => run.session === session && !(run.parent !== undefined && runIds.has(run.parent)),
    )
    .flatMap(({ runId }) => criticalPath(trace, runId) ?? []);
  if (format === "json") printJson(io, paths);
  else for (const path of paths) printOne(io, path, "");
}

function printOne(io: Io, { runId, ms, segments, byKind }: CriticalPath, indent: string): void {
  const spent = Object.entries(byKind)
    .filter(([, each]) => each > 0)
    .map(([kind, each]) => `${kind} ${each}ms`);
  print(
    io,
    `${indent}Critical path of ${inLine(runId)}: ${ms}ms${spent.length === 0 ? "" : ` (${spent.join(", ")})`}`,
  );
  for (const { kind, event, ms: took, beside, waitedForPlace, within } of segments) {
    const share = ms === 0 ? "" : ` ${String(Math.round((took / ms) * 100)).padStart(3)}%`;
    const also = beside.length === 0 ? "" : `, beside ${plural(beside.length, "other")}`;
    const place = waitedForPlace ? ", some of it for a place" : "";
    const what =
      kind === "outside" ? "nothing to do until" : eventSummary(event).replace(/\s+/g, " ");
    const line = `${String(took).padStart(8)}ms${share}  ${kind.padEnd(7)} ${slice(what, 0, 100)}`;
    print(io, `${indent}${line}  (${inLine(localId(event.id))})${also}${place}`);
    if (within !== undefined) printOne(io, within, `${indent}    `);
  }
}
