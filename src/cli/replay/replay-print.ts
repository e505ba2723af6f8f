/**
 * Prints the results of `reckoner replay`: a line for each journal, the groups of differences, and the sum.
 */
import { type Io, print, styles } from "../terminal/io.js";
import { plural } from "../terminal/plural.js";
import { printDifference } from "../terminal/print-difference.js";
import { inLine } from "../terminal/visible.js";
import { linesOf, type Regression } from "./regressions.js";
import type { ReplayedJournal, ReplaySummary } from "./replay-one.js";

/** Tells of one journal. */
export function printReport(io: Io, report: ReplayedJournal): void {
  const { green, red } = styles;
  const journal = inLine(report.journal);
  if (report.status === "identical" || report.status === "upgraded") {
    const but =
      report.accepted === undefined
        ? ""
        : `, but for ${plural(report.accepted, "accepted difference")}`;
    print(io, `${journal}: ${report.status}: ${plural(report.events, "event")}${but}`);
  }
  if (report.status !== "diverged") return;
  const marks = { recorded: red, computed: green };
  print(io, `${journal}: diverged: ${printDifference(report.difference, marks)}`);
  const { stopped } = report;
  if (stopped !== undefined) print(io, `  compared up to event ${stopped.seq}: ${stopped.why}`);
}

/** Groups beyond these are counted. */
const MAX_GROUPS = 50;

/** Tells of all of them: how many came to what, and what differs. */
export function printSummary(io: Io, summary: ReplaySummary, groups: readonly Regression[]): void {
  printGroups(io, groups);
  print(io, sumOf(summary, styles.red));
}

/** Prints what differs, by kind and place. */
export function printGroups(io: Io, groups: readonly Regression[]): void {
  for (const group of groups.slice(0, MAX_GROUPS)) {
    for (const line of linesOf(group)) print(io, inLine(line));
  }
  if (groups.length > MAX_GROUPS) print(io, `… and ${groups.length - MAX_GROUPS} more causes`);
}

/** Says how many came to what. @param red marks the counts of what is wrong */
export function sumOf(
  { journals, events, identical, upgraded, diverged, refused }: ReplaySummary,
  red: (text: string) => string = (text) => text,
): string {
  const counts = [
    `${identical} identical`,
    `${upgraded} upgraded`,
    diverged === 0 ? "0 diverged" : red(`${diverged} diverged`),
    refused === 0 ? "0 refused" : red(`${refused} refused`),
  ];
  return `${plural(journals, "journal")}: ${counts.join(", ")} (${plural(events, "event")} the same)`;
}
