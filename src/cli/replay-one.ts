/** Checks one journal against the present code, in the command itself or in a worker. */
import type { Difference } from "../core/journal/index.js";
import { isReckonerError, messageOf, type Reasoner } from "../core/kernel/index.js";
import {
  type CheckOptions,
  checkWith,
  type JournalPort,
  type JournalReport,
  readHeader,
  readLines,
  replay,
} from "../runtime/index.js";
import type { Configs } from "./config-of-journal.js";
import { report } from "./failure.js";
import { type Io, say } from "./io.js";
import { journalFile } from "./journal-files.js";

/** A journal in which nothing differs that counts. */
interface Same<Status> {
  readonly status: Status;
  readonly events: number;
  readonly accepted?: number;
}

/** The result for one journal. */
export type ReplayedJournal = { readonly journal: string; readonly notices: readonly string[] } & (
  | Same<"identical">
  // Other code wrote what comes before the last upgrade.
  | Same<"upgraded">
  | ({
      readonly status: "diverged";
      /** Events that were identical before the first difference. */
      readonly events: number;
      readonly difference: Difference;
    } & Pick<JournalReport, "causes" | "consequences" | "stopped"> & { readonly accepted?: number })
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
  readonly upgraded: number;
  readonly diverged: number;
  readonly refused: number;
}

/** Checks a journal. What is refused is reported as well. */
export async function replayOne(
  io: Io,
  journal: string,
  configs: Configs,
  options: CheckOptions,
): Promise<ReplayedJournal> {
  try {
    const port = journalFile(io, journal);
    const header = await readHeader(port);
    // All of it is verified before any code that it names is loaded.
    if (!configs.isKnown(header)) for await (const _line of readLines(port));
    const { reasoner } = await configs.for(header);
    const older = await configs.olderFor(header);
    let checked = await checkWith(reasoner, older, port, options);
    // Older code has the newest segment where the run has not been upgraded to this one yet.
    const newest = checked.segments.at(-1)?.fingerprint;
    const own = [reasoner, ...older].find(({ fingerprint }) => fingerprint === newest) ?? reasoner;
    if (own !== reasoner) checked = await checkWith(own, older, port, options);
    const whole =
      checked.status === "upgraded" && older.length > 0
        ? await withOlder(checked, [reasoner, ...older], port)
        : checked;
    for (const notice of whole.notices) say(io, `reckoner: ${journal}: ${notice}`);
    return reportOf(journal, whole);
  } catch (thrown) {
    return refused(io, journal, thrown);
  }
}

/** A run that was upgraded, its earlier segments compared with the code that wrote them. */
async function withOlder(
  checked: JournalReport,
  versions: readonly [Reasoner, ...Reasoner[]],
  port: JournalPort,
): Promise<JournalReport> {
  const { status, events, segments, notices, ...report } = await replay(versions, port);
  if (status === "diverged" && "difference" in report) {
    return { ...checked, status, identical: events, difference: report.difference, notices };
  }
  const all = segments.every((segment) => segment.checked);
  return { ...checked, status: all ? "identical" : "upgraded", events, notices };
}

function reportOf(journal: string, checked: JournalReport): ReplayedJournal {
  const { status, events, identical, difference, causes, consequences, stopped, notices } = checked;
  const accepted = checked.accepted === 0 ? {} : { accepted: checked.accepted };
  if (status !== "diverged") return { journal, status, events, ...accepted, notices };
  return {
    journal,
    status,
    events: identical,
    notices,
    difference: difference as Difference,
    causes,
    consequences,
    ...(stopped === undefined ? {} : { stopped }),
    ...accepted,
  };
}

/** What is said of a journal that cannot be read. */
export function refused(io: Io, journal: string, thrown: unknown): ReplayedJournal {
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
