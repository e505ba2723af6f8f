/** `reckoner list`: prints the runs of a folder, one line each: status, and what each waits for. */
import type { ListOptions } from "../adapters/journal-tables/index.js";
import { isReckonerError } from "../core/kernel/values/index.js";
import { type RunSummary, summaryOf } from "../runtime/index.js";
import { isoTime } from "../trace/pure/index.js";
import { expandJournals, journalFile } from "./files/journal-files.js";
import { addressOf, storeAddress } from "./store/store-address.js";
import { usageError } from "./terminal/failure.js";
import { type Io, print, printJson, styles } from "./terminal/io.js";
import { plural } from "./terminal/plural.js";
import { slice } from "./terminal/truncate.js";
import { inLine } from "./terminal/visible.js";

/** Flags of `list`. */
export interface ListFlags extends Pick<ListOptions, "person" | "tag" | "search"> {
  readonly status?: readonly string[];
  readonly json?: boolean;
}

/** A journal that cannot be read, and why. */
interface Unreadable {
  readonly journal: string;
  readonly code: string;
  readonly message: string;
}

/**
 * Lists runs, those with something to do first.
 * @returns 2 where a journal of the folder cannot be read, else 0
 * @throws ReckonerError what reading says of one that is named by itself
 */
export async function listCommand(io: Io, folder: string, flags: ListFlags): Promise<number> {
  const runs: RunSummary[] = [];
  const unreadable: Unreadable[] = [];
  const store = io.stores?.stores.get(folder);
  if (store !== undefined && storeAddress(folder).run === undefined) {
    const { status, person, tag, search } = flags;
    const wanted = { status: status as ListOptions["status"], person, tag, search };
    const named = (id: string) => addressOf(storeAddress(folder), id);
    for (let after: string | undefined; ; ) {
      const page = await store.list({ ...wanted, after, limit: 1_000 });
      for (const { id, ...run } of page.runs) runs.push({ ...run, journal: named(id) });
      for (const { id, ...why } of page.unreadable) unreadable.push({ journal: named(id), ...why });
      after = page.next;
      if (after === undefined) return printRuns(io, { runs, unreadable }, flags);
    }
  }
  const ofStore = (["status", "person", "tag", "search"] as const).find((flag) => flags[flag]);
  if (ofStore !== undefined) throw usageError(`--${ofStore} needs a store; ${folder} is none.`);
  for (const path of expandJournals(io, folder)) {
    try {
      runs.push({ ...(await summaryOf(journalFile(io, path))), journal: path });
    } catch (thrown) {
      // A journal that was asked for by itself is no row among others.
      if (!isReckonerError(thrown) || path === folder) throw thrown;
      unreadable.push({ journal: path, code: thrown.code, message: thrown.message });
    }
  }
  return printRuns(io, { runs, unreadable }, flags);
}

function printRuns(
  io: Io,
  { runs, unreadable }: { readonly runs: RunSummary[]; readonly unreadable: readonly Unreadable[] },
  flags: ListFlags,
): number {
  runs.sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.lastAt - a.lastAt);
  if (flags.json === true) printJson(io, { runs, unreadable });
  else {
    for (const run of runs) print(io, lineOf(run));
    for (const { journal, code, message } of unreadable)
      print(io, `unreadable  ${inLine(journal)}: ${oneLine(message)} [${code}]`);
  }
  return unreadable.length > 0 ? 2 : 0;
}

const isOver = ({ status }: RunSummary) =>
  status === "done" || status === "failed" || status === "cancelled";

const firstOf = ({ timers, wakeAt }: RunSummary) =>
  wakeAt === undefined ? "" : `${timers === 1 ? "" : ", the first"} at ${isoTime(wakeAt)}`;

function lineOf(run: RunSummary): string {
  const when = isoTime(run.lastAt).slice(0, 16).replace("T", " ");
  const about = run.title === undefined ? "" : ` “${slice(oneLine(run.title), 0, 60)}”`;
  const first = `${run.status.padEnd(10)}  ${inLine(run.journal)}: ${inLine(run.reasoner)}${about}`;
  const waits = [
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
  return [
    `${first}  ${styles.dim(`${when}, ${plural(run.events, "event")}, ${plural(run.usage.totalTokens, "token")}`)}`,
    ...waits,
  ].join("\n");
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
