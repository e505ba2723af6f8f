/**
 * `salvage`: makes a fork of the sound part of a damaged journal, before its first fault. The damaged journal
 * is not changed.
 */
import {
  checkAllOptions,
  type JournalPort,
  journalAt,
  readableAt,
  soundPart,
} from "../../runtime/index.js";
import { noSuchPoint } from "./find-cut.js";
import { FORK, type Fork, type ForkOptions, forkFrom, pointIn } from "./fork.js";

/**
 * Forks a run behind the last line that is sound, of a journal that has a fault: a byte that has changed, an end
 * that is lost. The journal stays as it is, and has to stay where it is. Each effect that is owed at the cut may
 * have begun behind it, so that tools, those that may be repeated too, are settled as unknown.
 * @throws ReckonerError `fork.point` where the journal has no fault, and what `fork` throws; the fault where no event
 * stands before it
 */
export async function salvage(
  journal: string | JournalPort,
  options: Omit<ForkOptions, "at" | "set"> = {},
): Promise<Fork> {
  checkAllOptions("salvage", options, FORK);
  const noted = await journalAt(journal);
  const { port, fault } = await soundPart(await readableAt(journal));
  if (fault === undefined) {
    throw noSuchPoint(noted, "has no fault: resume it, or fork it");
  }
  const point = await pointIn(port, {}, fault).catch(() => {
    throw fault;
  });
  return forkFrom(noted, port, point, options);
}
