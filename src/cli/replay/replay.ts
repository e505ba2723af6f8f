/**
 * `reckoner replay`: checks whether the present code does exactly what journals recorded. It writes
 * nothing.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Json, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { type Baseline, baselineKeys, type Group, Groups } from "../../time-travel/pure/index.js";
import { expandJournals } from "../files/journal-files.js";
import { readText } from "../files/read-text.js";
import { products, refuseOverwrite } from "../files/refuse-overwrite.js";
import { checkReports, type ReportFlags, writeReports } from "../files/report-files.js";
import { writeOut } from "../files/write-out.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { FactsOnce } from "../terminal/facts-once.js";
import { usageError } from "../terminal/failure.js";
import { type Io, printJson, say } from "../terminal/io.js";
import { junitOf } from "../terminal/junit.js";
import { MovingLine } from "../terminal/moving-line.js";
import { markdownOf } from "./markdown.js";
import { type Regression, Regressions } from "./regressions.js";
import { replayCases } from "./replay-cases.js";
import { type ReplayedJournal, type ReplaySummary, refused } from "./replay-one.js";
import { replayAll } from "./replay-pool.js";
import { printReport, printSummary, sumOf } from "./replay-print.js";

/** Flags of `replay`. */
export interface ReplayFlags extends ReportFlags {
  readonly config?: string;
  readonly old?: readonly string[];
  readonly ignore?: readonly string[];
  readonly accept?: boolean;
  readonly jobs?: number;
  readonly json?: boolean;
}

/** Up to so many journals each is told of; beyond, their sum and what differs. */
const MAX_TOLD = 20;

/** Replays each journal; one that is refused does not stop the others. @returns the worst exit code */
export async function replayCommand(
  io: Io,
  paths: readonly string[],
  flags: ReplayFlags,
): Promise<number> {
  if (flags.accept === true && flags.baseline === undefined) {
    throw usageError("--accept writes what differs into a baseline; say which: --baseline FILE.");
  }
  checkReports(io, flags);
  const before: ReplayedJournal[] = [];
  const journals = [...new Set(paths.flatMap((path) => orRefused(io, path, before)))];
  const accepted = baseline(io, flags);
  const { ignore = [] } = flags;
  const printsEach = journals.length <= MAX_TOLD && flags.json !== true;
  const reports: ReplayedJournal[] = [];
  const line = new MovingLine(io.stderr);
  let done = 0;
  // Where the config ends the process, what was found until then is told, and what was not judged.
  const forget = io.onExit(() => {
    journals.forEach((journal, i) => {
      reports[i] ??= refused(io, journal, notJudged());
    });
    finish(io, [...before, ...reports], flags);
    return true;
  });
  const once = new FactsOnce(io, journals);
  await replayAll(
    once.io,
    journals,
    { config: flags.config, old: flags.old },
    { ignore, accepted },
    (report, i) => {
      reports[i] = report;
      done += 1;
      if (printsEach) printReport(io, report);
      else line.show(`${done} of ${journals.length} journals`);
    },
    flags.jobs,
  );
  forget();
  line.stop();
  once.end();
  return finish(io, [...before, ...reports], flags);
}

/** Tells what came of all of them, and writes what is to be written. @returns the worst exit code */
function finish(io: Io, all: readonly ReplayedJournal[], flags: ReplayFlags): number {
  const groups = regressionsOf(all);
  const isJson = flags.json === true;
  // Findings are told first, they may have taken minutes; but of JSON there is one document.
  if (!isJson && all.length > 1) printSummary(io, summaryOf(all), groups);
  writeReports(io, flags, {
    junit: () => junitOf("reckoner replay", replayCases(all)),
    markdown: () => markdownOf("reckoner replay", sumOf(summaryOf(all)), groups),
  });
  if (flags.accept === true) accept(io, flags.baseline as string, groupsOf(all));
  if (isJson) printJson(io, { journals: all, groups, summary: summaryOf(all) });
  if (flags.accept === true) return all.some(isRefused) ? exitCodes.refused : exitCodes.ok;
  return all.reduce<number>((worst, each) => Math.max(worst, codeOf(each)), exitCodes.ok);
}

function notJudged(): ReckonerError {
  const message = "It was not judged: the process was ended before.";
  return new ReckonerError("config.invalid", message);
}

function orRefused(io: Io, path: string, reports: ReplayedJournal[]): readonly string[] {
  try {
    return expandJournals(io, path);
  } catch (thrown) {
    reports.push(refused(io, path, thrown));
    return [];
  }
}

function summaryOf(all: readonly ReplayedJournal[]): ReplaySummary {
  const of = (status: ReplayedJournal["status"]) =>
    all.filter((each) => each.status === status).length;
  return {
    journals: all.length,
    events: all.reduce((sum, { events }) => sum + events, 0),
    identical: of("identical"),
    upgraded: of("upgraded"),
    diverged: of("diverged"),
    refused: of("refused"),
  };
}

function regressionsOf(all: readonly ReplayedJournal[]): readonly Regression[] {
  const groups = new Regressions();
  for (const each of all) if (each.status === "diverged") groups.take(each.journal, each.causes);
  return groups.list();
}

/**
 * Groups of one content, as a baseline accepts them: what follows from a difference with it, which would count once
 * that does not.
 */
function groupsOf(all: readonly ReplayedJournal[]): readonly Group[] {
  const groups = new Groups();
  for (const each of all) if (each.status === "diverged") groups.take(each.journal, each.causes);
  for (const each of all) if (each.status === "diverged") groups.follow(each.following);
  return groups.list();
}

function baseline(io: Io, { baseline: file, accept = false }: ReplayFlags): ReadonlySet<string> {
  if (file === undefined) return new Set();
  const path = resolve(io.cwd, file);
  if (accept) refuseOverwrite(io, "--baseline", file, products.baseline);
  if (!existsSync(path)) {
    if (!accept) say(io, `reckoner: --baseline ${file} is not there; nothing is accepted`);
    return new Set();
  }
  try {
    const keys = baselineKeys(JSON.parse(readText(path)) as Json);
    if (typeof keys !== "string") return keys;
    throw new Error(keys);
  } catch (thrown) {
    throw usageError(
      `--baseline ${file} is not a baseline: ${messageOf(thrown)}; remove it, or name another.`,
    );
  }
}

/** Adds what differs to what is accepted. */
function accept(io: Io, file: string, groups: readonly Group[]): void {
  const path = resolve(io.cwd, file);
  const before: Baseline = existsSync(path)
    ? (JSON.parse(readText(path)) as Baseline)
    : { accepted: [] };
  const more = groups.map(
    ({ journals: _journals, places: _places, examples: _examples, ...own }) => own,
  );
  const accepted = [...before.accepted, ...more];
  const text = `${JSON.stringify({ accepted }, null, 2)}\n`;
  writeOut(io, "--baseline", file, text, products.baseline);
  say(
    io,
    `reckoner: ${more.length} differences were added to ${file}, which accepts ${accepted.length}`,
  );
}

function isRefused({ status }: ReplayedJournal): boolean {
  return status === "refused";
}

function codeOf(report: ReplayedJournal): number {
  if (isRefused(report)) return exitCodes.refused;
  return report.status === "diverged" ? exitCodes.failed : exitCodes.ok;
}
