/**
 * Prints where the blocks of a model request, or the arguments of a call, came from, as text and
 * JSON.
 */
import { printValue } from "../../core/kernel/machine/index.js";
import { sourceLines } from "../../trace/live/index.js";
import {
  callSources,
  localId,
  requestSources,
  runOfId,
  type SeenBlock,
  type Source,
  type Trace,
  type TracedArgument,
  type TraceEvent,
} from "../../trace/pure/index.js";
import { journalFile } from "../files/journal-files.js";
import { usageError } from "../terminal/failure.js";
import { type Io, print } from "../terminal/io.js";

/** The blocks that a model was shown, or the arguments of a call. */
type Sources = readonly (SeenBlock | TracedArgument)[];

/** The sources of a model request's blocks, or of a tool call's arguments. */
export async function sourcesOf(
  io: Io,
  path: string,
  trace: Trace,
  { id, type, runId }: TraceEvent,
): Promise<Sources> {
  if (type !== "llm_call" && type !== "tool_call") {
    throw usageError(`--sources goes with a model call or a tool call; ${localId(id)} is ${type}.`);
  }
  const journal = trace.runs.find((run) => run.runId === runId)?.journal ?? path;
  const lines = await sourceLines(journalFile(io, journal), runId);
  return type === "llm_call" ? requestSources(lines, id) : callSources(lines, id);
}

/** Prints them. */
export function printSources(io: Io, { type, fields, runId }: TraceEvent, found: Sources): void {
  print(
    io,
    type === "llm_call"
      ? "\nWhat the model was shown, and where it comes from:\n"
      : `\nWhere the arguments of ${fields.toolName} come from:\n`,
  );
  for (const each of found) {
    const who = "role" in each ? ` ${each.role}` : "";
    print(io, `  ${each.path}${who}: ${printValue(each.value, 80)}`);
    for (const block of "seenIn" in each ? each.seenIn : []) {
      print(io, `      the model saw it in ${block.path}`);
    }
    for (const source of each.sources) print(io, `      ${describeSource(source, runId)}`);
  }
}

/** A source in words; what comes from another run, one that this goes on from, is named whole. */
function describeSource(source: Source, runId: string): string {
  const idOf = (id: string) => (runOfId(id) === runId ? localId(id) : id);
  switch (source.kind) {
    case "copy":
      return `copied from ${idOf(source.eventId)}, ${where(source)}`;
    case "holds":
      return `holds ${printValue(source.text, 60)} from ${idOf(source.eventId)}, ${where(source)}`;
    case "computed":
      return `made by the tool ${source.toolName}, inline, in ${idOf(source.eventId)}`;
    case "untraced":
      return `not traced: ${source.why}`;
  }
}

function where({ seq, path }: { readonly seq?: number; readonly path: string }): string {
  return `${seq === undefined ? "the header" : `event ${seq}`} at ${path}`;
}
