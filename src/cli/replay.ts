/** `reckoner replay`: does the code at hand do exactly what journals recorded? Nothing is written. */
import type { Difference } from "../core/journal/index.js";
import { isReckonerError, messageOf } from "../core/kernel/index.js";
import { type ReplayReport, readHeader, readLines, replay } from "../runtime/index.js";
import { Configs } from "./config-of-journal.js";
import { exitCodes, report } from "./failure.js";
import { type Io, print, printJson, say, styles } from "./io.js";
import { expandJournals, journalFile } from "./journal-files.js";
import { printDifference } from "./print-difference.js";

/** Flags of `replay`. */
export interface ReplayFlags {
  readonly config?: string;
  readonly json?: boolean;
}

/** What came of one journal. */
export type JournalReport = { readonly journal: string } & (
  | (Omit<ReplayReport, "runId"> & { readonly status: "identical" })
  | (Omit<ReplayReport, "runId"> & {
      readonly status: "diverged";
      readonly difference: Difference;
    })
  | {
      readonly status: "refused";
      readonly events: 0;
      readonly notices: readonly string[];
      readonly error: { readonly code?: string; readonly message: string; readonly place?: string };
    }
);

/** Replays each journal; one that is refused does not stop the others. @returns the worst exit code */
export async function replayCommand(
  io: Io,
  paths: readonly string[],
  flags: ReplayFlags,
): Promise<number> {
  const configs = new Configs(io, flags.config);
  const reports: JournalReport[] = [];
  for (const path of paths) {
    for (const journal of orRefused(io, path, reports)) {
      const replayed = await replayOne(io, journal, configs);
      reports.push(replayed);
      if (flags.json !== true) printReport(io, replayed);
    }
  }
  if (flags.json === true) printJson(io, { journals: reports });
  return Math.max(...reports.map(codeOf));
}

function orRefused(io: Io, path: string, reports: JournalReport[]): readonly string[] {
  try {
    return expandJournals(io, path);
  } catch (thrown) {
    reports.push(refused(io, path, thrown));
    return [];
  }
}

async function replayOne(io: Io, journal: string, configs: Configs): Promise<JournalReport> {
  try {
    const port = journalFile(io, journal);
    // All of it is verified before any code that it names is loaded.
    let lines = 0;
    for await (const line of readLines(port)) lines = line.number;
    const { reasoner } = await configs.for(await readHeader(port));
    const { runId: _runId, ...replayed } = await replay(reasoner, port);
    const notices = replayed.notices.map((notice) => noticeOf(notice, lines));
    for (const notice of notices) say(io, `reckoner: ${journal}: ${notice}`);
    return { journal, ...replayed, notices };
  } catch (thrown) {
    return refused(io, journal, thrown);
  }
}

/** A torn line is where the file ends, so its number is known. */
function noticeOf(notice: string, lines: number): string {
  return notice.includes("torn") ? `line ${lines + 1}: ${notice}` : notice;
}

function refused(io: Io, journal: string, thrown: unknown): JournalReport {
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

function printReport(io: Io, replayed: JournalReport): void {
  const { green, red } = styles;
  const { journal, status, events } = replayed;
  if (status === "identical") {
    const unchecked = replayed.stretches.filter(({ checked }) => !checked);
    const left = unchecked.reduce((sum, stretch) => sum + stretch.events, 0);
    const rest = left === 0 ? "" : `, ${left} not checked`;
    print(io, `${journal}: identical: ${events} events${rest}`);
  }
  if (status === "diverged") {
    const marks = { recorded: red, computed: green };
    print(io, `${journal}: diverged: ${printDifference(replayed.difference, marks)}`);
  }
}

function codeOf({ status }: JournalReport): number {
  if (status === "refused") return exitCodes.refused;
  return status === "diverged" ? exitCodes.failed : exitCodes.ok;
}
