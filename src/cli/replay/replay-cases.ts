/** Converts the results of `reckoner replay` to JUnit test cases: one for each journal. */
import { describeDifference } from "../../core/journal/index.js";
import type { JunitCase } from "../terminal/junit.js";
import type { ReplayedJournal } from "./replay-one.js";

/** Characters of each side of a difference. */
const MAX_SIDE = 2_000;

/** Lists the journals: one that differs has failed, one that is refused could not be tried. */
export function replayCases(reports: readonly ReplayedJournal[]): readonly JunitCase[] {
  return reports.map((report) => {
    const named = { suite: "reckoner.replay", name: report.journal };
    if (report.status === "refused") return { ...named, error: report.error.message };
    if (report.status !== "diverged") return named;
    return { ...named, failure: describeDifference(report.difference, MAX_SIDE) };
  });
}
