/** Prints the result of a replay. */
import type { Group } from "../../time-travel/pure/index.js";
import { type Io, print, styles } from "../terminal/io.js";
import { plural } from "../terminal/plural.js";
import { printDifference, sidesOf } from "../terminal/print-difference.js";
import { inLine } from "../terminal/visible.js";
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
export function printSummary(io: Io, summary: ReplaySummary, groups: readonly Group[]): void {
  const { journals, events, identical, upgraded, diverged, refused } = summary;
  const { red, green } = styles;
  for (const { journals: n, places, what, recorded, computed, examples } of groups.slice(
    0,
    MAX_GROUPS,
  )) {
    const [left, right] = sidesOf(recorded, computed);
    print(io, `${n} × ${what}: ${red(left)} → ${green(right)}`);
    const more = n > examples.length ? ", …" : "";
    print(io, `    ${plural(places, "place")}: ${examples.join(", ")}${more}`);
  }
  if (groups.length > MAX_GROUPS) print(io, `… and ${groups.length - MAX_GROUPS} more causes`);
  const counts = [
    `${identical} identical`,
    `${upgraded} upgraded`,
    diverged === 0 ? "0 diverged" : red(`${diverged} diverged`),
    refused === 0 ? "0 refused" : red(`${refused} refused`),
  ];
  print(
    io,
    `${plural(journals, "journal")}: ${counts.join(", ")} (${plural(events, "event")} the same)`,
  );
}
