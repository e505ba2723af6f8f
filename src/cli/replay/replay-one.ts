/**
 * Replays one journal with the reasoner of its config file and reports if it comes out the same. `reckoner
 * replay` calls it directly or in its worker threads.
 */
import type { Difference } from "../../core/journal/index.js";
import { isReckonerError, messageOf } from "../../core/kernel/values/index.js";
import { type ReplayOptions, type ReplayReport, replay, viewOf } from "../../runtime/index.js";
import type { Configs } from "../config/config-of-journal.js";
import { journalFile } from "../files/journal-files.js";
import { report } from "../terminal/failure.js";
import { type Io, say } from "../terminal/io.js";

/** A journal in which nothing differs that counts. */
interface Same<Status> {
  readonly status: Status;
  readonly events: number;
  readonly accepted?: number;
}

/** The options of a replay that the command has flags for. */
export type Tolerated = Pick<ReplayOptions<unknown>, "ignore" | "accepted">;

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
    } & Pick<ReplayReport, "causes" | "consequences" | "following" | "stopped"> & {
        readonly accepted?: number;
      })
  | {
      readonly status: "refused";
      readonly events: 0;
      readonly error: { readonly code?: string; readonly message: string; readonly place?: string };
    }
);

/** The numbers of journals by outcome. */
export interface ReplaySummary {
  readonly journals: number;
  readonly events: number;
  readonly identical: number;
  readonly upgraded: number;
  readonly diverged: number;
  readonly refused: number;
}

/** Checks a journal. A refusal is reported as well. */
export async function replayOne(
  io: Io,
  journal: string,
  configs: Configs,
  options: Tolerated,
): Promise<ReplayedJournal> {
  try {
    const port = journalFile(io, journal);
    const view = viewOf(port);
    const header = await view.header();
    // All of it is verified before any code that it names is loaded.
    if (!configs.isLoaded(header)) for await (const _line of view.ownLines());
    const { reasoner } = await configs.for(header);
    const older = await configs.older();
    const found = await replay([reasoner, ...older], port, { ...options, keepGoing: true });
    for (const notice of found.notices) say(io, `reckoner: ${journal}: ${notice}`);
    return reportOf(journal, found);
  } catch (thrown) {
    return refused(io, journal, thrown);
  }
}

function reportOf(journal: string, found: ReplayReport): ReplayedJournal {
  const { events, segments, causes, consequences, following, stopped, notices } = found;
  const accepted = found.accepted === 0 ? {} : { accepted: found.accepted };
  if (found.status === "identical") {
    const whole = segments.every(({ checked }) => checked);
    return { journal, status: whole ? "identical" : "upgraded", events, ...accepted, notices };
  }
  return {
    journal,
    status: "diverged",
    events,
    notices,
    difference: found.difference,
    causes,
    consequences,
    following,
    ...(stopped === undefined ? {} : { stopped }),
    ...accepted,
  };
}

/** Reports a journal that cannot be read. */
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
