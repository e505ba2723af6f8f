/** Why a model saw what it saw, and where a call has its arguments from, for people and as JSON. */
import { isHeaderLine, type Line } from "../core/journal/index.js";
import { printValue } from "../core/kernel/index.js";
import {
  callSources,
  localId,
  requestSources,
  type SeenBlock,
  type Source,
  type SourceLines,
  type TracedArgument,
  type TraceEvent,
} from "../core/trace/index.js";
import { type JournalPort, readHistory } from "../runtime/index.js";
import { usageError } from "./failure.js";
import { type Io, print } from "./io.js";
import { journalFile } from "./journal-files.js";
import type { Observed } from "./observed.js";

/** The blocks that a model was shown, or the arguments of a call. */
type Sources = readonly (SeenBlock | TracedArgument)[];

/** The sources of a model request's blocks, or of a tool call's arguments. */
export async function sourcesOf(
  io: Io,
  path: string,
  { contents }: Observed,
  { id, type, runId }: TraceEvent,
): Promise<Sources> {
  if (type !== "llm_call" && type !== "tool_call") {
    throw usageError(`--sources goes with a model call or a tool call; ${localId(id)} is ${type}.`);
  }
  const journal = contents.runs.find((run) => run.runId === runId)?.journal ?? path;
  const lines = await linesOf(journalFile(io, journal));
  return type === "llm_call" ? requestSources(lines, id) : callSources(lines, id);
}

/** Prints them. */
export function printSources(io: Io, { type, fields }: TraceEvent, found: Sources): void {
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
    for (const source of each.sources) print(io, `      ${describeSource(source)}`);
  }
}

/** The lines of a journal, with those that a fork shares, and of the runs that it goes on from. */
async function linesOf(port: JournalPort, above: readonly string[] = []): Promise<SourceLines> {
  const lines: Line[] = [];
  for await (const { line } of readHistory(port)) lines.push(line);
  const header = lines.find(isHeaderLine);
  const { from, runId = "" } = header ?? {};
  const before = from === undefined ? undefined : port.follow?.(from.journal);
  if (before === undefined || above.includes(runId)) return { lines };
  try {
    const { lines: linked, earlier = [] } = await linesOf(before, [...above, runId]);
    return { lines, earlier: [...earlier, linked] };
  } catch {
    // It is not there any more: what came from it says so, block by block.
    return { lines };
  }
}

/** A source in words. */
function describeSource(source: Source): string {
  switch (source.kind) {
    case "copy":
      return `copied from ${localId(source.eventId)}, ${where(source)}`;
    case "holds":
      return `holds ${printValue(source.text, 60)} from ${localId(source.eventId)}, ${where(source)}`;
    case "computed":
      return `made by the tool ${source.toolName}, inline, in ${localId(source.eventId)}`;
    case "untraced":
      return `not traced: ${source.why}`;
    default: {
      const none: never = source;
      return none;
    }
  }
}

function where({ seq, path }: { readonly seq?: number; readonly path: string }): string {
  return `${seq === undefined ? "the header" : `event ${seq}`} at ${path}`;
}
