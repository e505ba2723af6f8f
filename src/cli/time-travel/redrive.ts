/**
 * `reckoner redrive`: runs recorded runs again under changed code, with the recorded answers. It calls no
 * tool and no store, and asks a model only with `--live`, within a budget.
 */

import type { Json } from "../../core/kernel/values/index.js";
import type { Effect } from "../../core/kernel/vocabulary/index.js";
import { viewOf } from "../../runtime/index.js";
import { type RedriveOptions, type RedriveReport, redrive } from "../../time-travel/live/index.js";
import type { LoadedConfig } from "../config/config.js";
import { Configs } from "../config/config-of-journal.js";
import { expandJournals, journalFile } from "../files/journal-files.js";
import { checkReports, type ReportFlags, writeReports } from "../files/report-files.js";
import { markdownOf } from "../replay/markdown.js";
import { Regressions } from "../replay/regressions.js";
import { printGroups } from "../replay/replay-print.js";
import { modelOf } from "../run/model.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { FactsOnce } from "../terminal/facts-once.js";
import { errorOf, report, usageError } from "../terminal/failure.js";
import { type Io, print, printJson, say, styles } from "../terminal/io.js";
import { junitOf } from "../terminal/junit.js";
import { plural } from "../terminal/plural.js";
import { fitted } from "../terminal/truncate.js";
import { differencesOf, endOf, type RedrivenJournal, redriveCases, tableOf } from "./redriven.js";

/** Flags of `redrive`. */
export interface RedriveFlags extends Omit<ReportFlags, "baseline"> {
  readonly config?: string;
  readonly ignore?: readonly string[];
  readonly live?: boolean;
  readonly budget?: number;
  readonly model?: string;
  readonly lanes?: boolean;
  readonly json?: boolean;
}

/** Drives each journal once more. @returns 0 in support and not worse, 1 otherwise, 2 refused */
export async function redriveCommand(
  io: Io,
  paths: readonly string[],
  flags: RedriveFlags,
): Promise<number> {
  if (flags.live === true && flags.budget === undefined) {
    throw usageError("--live asks a model, which costs; say how much it may: --budget TOKENS.");
  }
  checkReports(io, flags);
  const journals = paths.flatMap((path) => expandJournals(io, path));
  const once = new FactsOnce(io, journals);
  const configs = new Configs(io, flags);
  const documents: object[] = [];
  const all: RedrivenJournal[] = [];
  const groups = new Regressions();
  const sums = { asked: 0, reused: 0, fresh: 0, better: 0, worse: 0 };
  let code: number = exitCodes.ok;
  let left = flags.budget ?? 0;
  for (const journal of journals) {
    try {
      const config = await configs.for(await viewOf(journalFile(io, journal)).header());
      const options = await optionsOf(io, config, flags, journal, left);
      const done = await redrive(config.reasoner, journalFile(io, journal), options);
      left -= done.spent;
      sums.asked += done.asked;
      sums.reused += done.reused;
      sums.fresh += done.fresh;
      if (done.verdict === "better") sums.better += 1;
      if (done.verdict === "worse") sums.worse += 1;
      if (done.fresh > 0 || done.verdict === "worse") code = Math.max(code, exitCodes.failed);
      const { record: _record, ...document } = done;
      documents.push({ journal, ...document });
      all.push({ journal, done });
      groups.take(journal, differencesOf(done));
      if (flags.json !== true) printOne(io, journal, done, flags.lanes ?? journals.length === 1);
    } catch (thrown) {
      report(once.io, thrown, journal);
      documents.push({ journal, status: "refused", error: errorOf(thrown) });
      all.push({ journal, refused: errorOf(thrown).message });
      code = exitCodes.refused;
    }
  }
  once.end();
  const { better, worse } = sums;
  const scored = better + worse === 0 ? "" : `; ${better} better, ${worse} worse`;
  const sum = `${plural(journals.length, "journal")}: ${reusedOf(sums)}${scored}`;
  if (flags.json !== true && journals.length > 1) {
    printGroups(io, groups.list());
    print(io, sum);
  }
  writeReports(io, flags, {
    junit: () => junitOf("reckoner redrive", redriveCases(all)),
    markdown: () => markdownOf("reckoner redrive", sum, groups.list(), tableOf(all)),
  });
  if (flags.json === true) {
    printJson(io, { journals: documents, groups: groups.list(), summary: sums });
  }
  return code;
}

async function optionsOf(
  io: Io,
  config: LoadedConfig,
  flags: RedriveFlags,
  journal: string,
  budget: number,
): Promise<RedriveOptions> {
  const { ignore = [] } = flags;
  const { score } = config;
  const options = { ignore, ...(score === undefined ? {} : { score }) };
  if (flags.live !== true) return options;
  const { model } = await modelOf(io, config, flags.model);
  if (model === undefined) throw usageError("--live needs a model: --model PROVIDER:MODEL.");
  const before = (open: readonly Effect[]) => {
    say(io, `reckoner: ${journal}: ${open.length} out of support, asked live:`);
    for (const each of open) say(io, `  ${shown(each)}`);
  };
  return { ...options, live: { model, budget, before } };
}

function reusedOf({
  asked,
  reused,
  fresh,
}: Pick<RedriveReport, "asked" | "reused" | "fresh">): string {
  return `reused ${reused} of ${plural(asked, "answer")}, ${fresh} new`;
}

function printOne(io: Io, journal: string, done: RedriveReport, lanes: boolean): void {
  const { scores, verdict, live, open, requests } = done;
  const answered = live === 0 ? "" : ` (${live} answered live, ${plural(done.spent, "token")})`;
  const never = open === 0 ? "" : `, ${open} never answered`;
  const judged =
    scores === undefined ? "" : `; ${verdict} (${scores.recorded} → ${scores.candidate})`;
  print(io, `${journal}: ${reusedOf(done)}${answered}${never}${judged}`);
  print(io, `  ends ${endOf(done.candidate)}; ended ${endOf(done.recorded)}`);
  if (lanes) printLanes(io, done);
  else {
    for (const each of requests) {
      if (each.support === "new") print(io, `  new: ${shown(each.effect)}`);
    }
  }
}

/** The words in the lane of the replay where the present code asks for something else. */
const DIFFERS = "differs";

/** Prints the recorded events, the present code's answer to them, and the candidate's. */
function printLanes(
  io: Io,
  { record, replay, requests, recorded, candidate }: RedriveReport,
): void {
  const width = Math.max(24, Math.floor(((io.stdout.columns ?? 120) - 8) / 3));
  const row = (happened: string, replayed: string, asked: string) => {
    const cells = [happened, replayed, asked].map((text) => fitted(text, width).padEnd(width));
    // A style counts as characters: it goes on what is cut and padded already.
    if (replayed === DIFFERS) cells[1] = styles.red(cells[1] as string);
    print(io, `  ${cells.join(" │ ")}`.trimEnd());
  };
  row("what happened", "replay", "candidate");
  const differs = new Set(replay.causes.flatMap(({ seqs }) => seqs));
  const rest = new Map(requests.map((each) => [each.recorded ?? `new ${each.effect.id}`, each]));
  for (const { id, type, seq, answer } of record.effects.values()) {
    if (type === "timer") continue;
    const own = rest.get(id);
    rest.delete(id);
    const beyond = replay.stopped !== undefined && seq >= replay.stopped.seq;
    row(
      `${type} ${id}: ${answer === undefined ? "no answer" : answer.event.type}`,
      beyond ? "not compared" : differs.has(seq) ? DIFFERS : "same",
      own === undefined ? "not asked" : `${type} ${own.effect.id}: ${own.support}`,
    );
  }
  for (const { effect, support } of rest.values()) {
    row("", "", `${effect.type} ${effect.id}: ${support}`);
  }
  row(
    `${recorded.status} ${outputText(recorded.output)}`,
    replay.status,
    `${candidate.status} ${outputText(candidate.output)}`,
  );
  for (const { effect, support } of requests) {
    if (support === "new") print(io, `  new: ${shown(effect)}`);
  }
}

function outputText(output: Json | undefined): string {
  return output === undefined ? "" : JSON.stringify(output);
}

function shown({ type, id, ...parts }: Effect): string {
  const name = "name" in parts ? ` ${parts.name}` : "";
  const what = "input" in parts ? ` ${JSON.stringify(parts.input)}` : "";
  return `${type} ${id}${name}${fitted(what, 200)}`;
}
