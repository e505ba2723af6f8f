/** `reckoner list`: prints the runs of a folder, one line each: status, and what each waits for. */
import type { RunRow } from "../runtime/index.js";
import { isoTime } from "../trace/pure/index.js";
import {
  isOver,
  type ListedRun,
  type ListedRuns,
  listedRuns,
  type RunFlags,
} from "./files/listed-runs.js";
import { type Io, print, printJsonList, styles } from "./terminal/io.js";
import { plural } from "./terminal/plural.js";
import { slice } from "./terminal/truncate.js";
import { inLine } from "./terminal/visible.js";

/** Flags of `list`. */
export interface ListFlags extends RunFlags {
  readonly json?: boolean;
}

/**
 * Lists runs, those with something to do first.
 * @returns 2 where a journal of the folder cannot be read, else 0
 * @throws ReckonerError what reading says of one that is named by itself
 */
export async function listCommand(io: Io, folder: string, flags: ListFlags): Promise<number> {
  return printRuns(io, await listedRuns(io, folder, flags), flags);
}

async function printRuns(
  io: Io,
  { runs: all, unreadable }: ListedRuns,
  flags: ListFlags,
): Promise<number> {
  const newest = all.toSorted(({ row: a }, { row: b }) => b.lastAt - a.lastAt);
  const runs = [false, true].flatMap((over) => newest.filter(({ row }) => isOver(row) === over));
  if (flags.json === true)
    await printJsonList(io, { unreadable }, "runs", summaries(runs), plainJson);
  else {
    const lines = unreadable.map(
      ({ journal, code, message }) =>
        `unreadable  ${inLine(journal)}: ${oneLine(message)} [${code}]`,
    );
    if (all.length + lines.length > 0) print(io, [...runs.map(lineOf), ...lines].join("\n"));
  }
  return unreadable.length > 0 ? 2 : 0;
}

const plainJson = (value: unknown) => JSON.stringify(value, null, 2);

/** Runs as `summaryOf` tells of them, so many at once: JSON writes some together sooner than one by one. */
function* summaries(runs: readonly ListedRun[], most = 100): Generator<readonly object[]> {
  for (let at = 0; at < runs.length; at += most)
    yield runs.slice(at, at + most).map(({ journal, row }) => ({ ...row, journal }));
}

const firstOf = ({ timers, wakeAt }: RunRow) =>
  wakeAt === undefined ? "" : `${timers === 1 ? "" : ", the first"} at ${isoTime(wakeAt)}`;

function lineOf({ journal, row: run }: ListedRun): string {
  const when = isoTime(run.lastAt).slice(0, 16).replace("T", " ");
  const about = run.title === undefined ? "" : ` “${slice(oneLine(run.title), 0, 60)}”`;
  const first = `${run.status.padEnd(10)}  ${inLine(journal)}: ${inLine(run.reasoner)}${about}`;
  const facts = `${when}, ${plural(run.events, "event")}, ${plural(run.usage.totalTokens, "token")}`;
  return [`${first}  ${styles.dim(facts)}`, ...(isIdle(run) ? [] : waitsOf(run))].join("\n");
}

/** Most runs of a long list. */
const isIdle = ({ failure, approvals, timers, children, modelDown }: RunRow) =>
  approvals.length + timers + children.length === 0 &&
  failure === undefined &&
  modelDown === undefined;

function waitsOf(run: RunRow): string[] {
  return [
    ...(run.failure === undefined
      ? []
      : [`  its last turn failed: ${oneLine(run.failure.message)}`]),
    ...run.approvals.map(({ id, title }) => `  waits for ${inLine(id)}: ${oneLine(title)}`),
    ...(run.timers > 0 ? [`  waits for ${plural(run.timers, "timer")}${firstOf(run)}`] : []),
    ...run.children.map((id) => `  waits for the child run ${inLine(id)}`),
    ...(run.modelDown === undefined
      ? []
      : [`  waits for its model, which is down: ${oneLine(run.modelDown.message)}`]),
  ];
}

/** A text without line ends and gaps; single spaces are left alone, since most texts have no others. */
const oneLine = (text: string) => text.replace(/ \s+|[^\S ]\s*/g, " ").trim();
