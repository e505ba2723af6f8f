/**
 * `headerOf` and `summaryOf`: the header and the row of a run, from its journal alone, without its code. The
 * readers behind them are loaded when one is called.
 */
import type { HeaderLine, RunLink } from "../../core/journal/index.js";
import type { JournalPort, JournalPosition } from "../ports/ports.js";
import type { RunSummary } from "./row-from-journal.js";

/**
 * A journal's header: what the run is, and all that its start depends on.
 * @throws ReckonerError `journal.missing`, `journal.empty`, and what reading a journal throws
 */
export async function headerOf(journal: string | JournalPort): Promise<HeaderLine> {
  const { readableAt } = await import("./head.js");
  const port = await readableAt(journal);
  const { viewOf } = await import("./view.js");
  return viewOf(port).header();
}

/**
 * What a run is, and how it stands.
 * @throws ReckonerError `journal.missing`, `journal.empty`, `journal.link`, and what reading a journal
 * throws
 */
export async function summaryOf(journal: string | JournalPort): Promise<RunSummary> {
  const { readableAt } = await import("./head.js");
  const port = await readableAt(journal);
  const { summarize } = await import("./row-from-journal.js");
  return summarize(port);
}

/** As `shared-lines.ts` has it. */
export async function sharedEnd(
  port: JournalPort,
  link: RunLink,
): Promise<JournalPosition | undefined> {
  return (await import("./shared-lines.js")).sharedEnd(port, link);
}

/** As `shared-lines.ts` has it. */
export async function stillInherits(port: JournalPort): Promise<boolean> {
  return (await import("./shared-lines.js")).stillInherits(port);
}
