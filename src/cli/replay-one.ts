/** One journal checked against the code at hand: by the command, or by one of its workers. */
import { type Difference, isUpgradeLine } from "../core/journal/index.js";
import { isReckonerError, messageOf } from "../core/kernel/index.js";
import {
  type Checked,
  type CheckOptions,
  checkJournal,
  type ReplayReport,
  readHeader,
  readLines,
  replay,
} from "../runtime/index.js";
import type { Configs } from "./config-of-journal.js";
import { report } from "./failure.js";
import { type Io, say } from "./io.js";
import { journalFile } from "./journal-files.js";

/** What came of one journal. */
export type JournalReport = { readonly journal: string; readonly notices: readonly string[] } & (
  | { readonly status: "identical"; readonly events: number; readonly accepted?: number }
  | ({
      readonly status: "diverged";
      /** Events that were identical before the first difference. */
      readonly events: number;
      readonly difference: Difference;
    } & Pick<Checked, "causes" | "consequences" | "stopped"> & { readonly accepted?: number })
  | {
      readonly status: "refused";
      readonly events: 0;
      readonly error: { readonly code?: string; readonly message: string; readonly place?: string };
    }
);

/** How many journals came to what. */
export interface ReplaySummary {
  readonly journals: number;
  readonly events: number;
  readonly identical: number;
  readonly diverged: number;
  readonly refused: number;
}

/** Checks a journal. What is refused is reported as well. */
export async function replayOne(
  io: Io,
  journal: string,
  configs: Configs,
  options: CheckOptions,
): Promise<JournalReport> {
  try {
    const port = journalFile(io, journal);
    // All of it is verified before any code that it names is loaded.
    let lines = 0;
    let upgraded = false;
    for await (const { line, number } of readLines(port)) {
      lines = number;
      upgraded ||= isUpgradeLine(line);
    }
    const { reasoner } = await configs.for(await readHeader(port));
    if (upgraded) return tell(io, stretchesOf(journal, await replay(reasoner, port)));
    const checked = await checkJournal(reasoner, port, options);
    const notices = checked.notices.map((notice) => noticeOf(notice, lines));
    for (const notice of notices) say(io, `reckoner: ${journal}: ${notice}`);
    return reportOf(journal, checked, notices);
  } catch (thrown) {
    return refused(io, journal, thrown);
  }
}

/** A run that was upgraded: what the code at hand did not write is not compared with it. */
function stretchesOf(journal: string, replayed: ReplayReport): JournalReport {
  const { events, notices } = replayed;
  if (replayed.status === "identical") return { journal, status: "identical", events, notices };
  const { difference } = replayed;
  return { journal, status: "diverged", events, notices, difference, causes: [], consequences: 0 };
}

function tell(io: Io, report: JournalReport): JournalReport {
  for (const notice of report.notices) say(io, `reckoner: ${report.journal}: ${notice}`);
  return report;
}

function reportOf(journal: string, checked: Checked, notices: readonly string[]): JournalReport {
  const { events, identical, difference, causes, consequences, stopped, accepted } = checked;
  const known = accepted === 0 ? {} : { accepted };
  if (difference === undefined) return { journal, status: "identical", events, ...known, notices };
  return {
    journal,
    status: "diverged",
    events: identical,
    notices,
    difference,
    causes,
    consequences,
    ...(stopped === undefined ? {} : { stopped }),
    ...known,
  };
}

/** A torn line is where the file ends, so its number is known. */
function noticeOf(notice: string, lines: number): string {
  return notice.includes("torn") ? `line ${lines + 1}: ${notice}` : notice;
}

/** What is said of a journal that cannot be read. */
export function refused(io: Io, journal: string, thrown: unknown): JournalReport {
  report(io, thrown, journal);
  const { code, place } = isReckonerError(thrown) ? thrown : {};
  return {
    journal,
    status: "refused",
    events: 0,
    notices: [],
    error: {
      ...(code === undefined ? {} : { code }),
      message: messageOf(thrown),
      ...(place === undefined ? {} : { place }),
    },
  };
}
