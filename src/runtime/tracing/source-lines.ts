/** Reads the lines that `requestSources` and `callSources` need. */
import { isHeaderLine, type Line } from "../../core/journal/index.js";
import type { SourceLines } from "../../core/trace/index.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";

/**
 * The lines of a journal, with those that a fork shares, and of the runs that it goes on from.
 * @throws ReckonerError what reading a journal throws; a run that it goes on from may be missing
 */
export async function sourceLines(journal: JournalPort): Promise<SourceLines> {
  return await linesOf(journal, []);
}

async function linesOf(port: JournalPort, above: readonly string[]): Promise<SourceLines> {
  const lines: Line[] = [];
  for await (const { line } of viewOf(port).lines()) lines.push(line);
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
