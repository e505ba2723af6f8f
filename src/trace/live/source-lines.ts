/**
 * Reads from journals the lines that `requestSources` and `callSources` need: those of a run, of the run that
 * it was forked from, and of the runs that it continues.
 */

import { isHeaderLine, type Line, ROOT_RUN } from "../../core/journal/index.js";
import { escapeId } from "../../core/kernel/vocabulary/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import { RunView, viewOf } from "../../runtime/journals/index.js";
import type { SourceLines } from "../pure/index.js";

/**
 * The lines of a run, with those that a fork shares, and of the runs that it goes on from.
 * @param runId of a child run; absent for the journal's own run
 * @throws ReckonerError what reading a journal throws; a run that it goes on from may be missing
 */
export async function sourceLines(journal: JournalPort, runId?: string): Promise<SourceLines> {
  return await linesOf(journal, [], await pathOf(journal, runId));
}

/** The path of a run in the tree of a journal. */
async function pathOf(journal: JournalPort, runId: string | undefined): Promise<string> {
  if (runId === undefined) return ROOT_RUN;
  const above = `${escapeId((await viewOf(journal).header()).runId)}:`;
  return runId.startsWith(above) ? runId.slice(above.length) : ROOT_RUN;
}

async function linesOf(
  port: JournalPort,
  above: readonly string[],
  path: string = ROOT_RUN,
): Promise<SourceLines> {
  const lines: Line[] = [];
  for await (const { line } of new RunView(port, path).lines()) lines.push(line);
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
