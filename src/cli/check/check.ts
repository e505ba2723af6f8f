/**
 * `reckoner check`: checks laws of a config's reasoner on random runs, on all runs within a bound,
 * and on recorded runs.
 */
import { join } from "node:path";
import { isAgent } from "../../core/agent/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import type { RunConfig } from "../../runtime/index.js";
import {
  type CheckConfig,
  type CheckReport,
  type Counterexample,
  check,
  checkRecordedRun,
  type ExploreReport,
  explore,
  ownLaws,
} from "../../testing/checking/index.js";
import { loadConfig } from "../config/config.js";
import { expandJournals, journalFile } from "../files/journal-files.js";
import { products, refuseOverwrite } from "../files/refuse-overwrite.js";
import { makeFolder, writeOut } from "../files/write-out.js";
import { exitCodes } from "../terminal/exit-codes.js";
import { describe, usageError } from "../terminal/failure.js";
import { type Io, print, printJson, say } from "../terminal/io.js";
import { junitOf } from "../terminal/junit.js";
import { MovingLine } from "../terminal/moving-line.js";
import { plural } from "../terminal/plural.js";
import { inLine } from "../terminal/visible.js";
import { checkCases } from "./check-cases.js";
import type { CheckResults, JudgedJournal } from "./check-results.js";

/** Flags of `check`. */
export interface CheckFlags {
  readonly runs?: number;
  readonly seed?: number;
  readonly depth?: number;
  readonly states?: number;
  readonly seconds?: number;
  readonly journals?: string;
  readonly out?: string;
  readonly junit?: string;
  readonly unreached?: boolean;
  /** Dead parts of the chart, and laws that never applied, are failures. */
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** Flags that say nothing of runs that were recorded. */
const ONLY_OF_RUNS = [
  "runs",
  "seed",
  "depth",
  "states",
  "seconds",
  "out",
  "unreached",
  "strict",
] as const;

/** Checks. @returns 0 where every law holds, 1 where one is broken or nothing was judged, 2 where a journal is refused */
export async function checkCommand(io: Io, path: string, flags: CheckFlags): Promise<number> {
  if (flags.journals !== undefined) {
    const idle = ONLY_OF_RUNS.find((flag) => flags[flag] !== undefined);
    if (idle !== undefined) {
      const remedy = "leave one of them out";
      throw usageError(
        `--${idle} is for runs that are made, --journals for those that were; ${remedy}.`,
      );
    }
  }
  const { reasoner, ...config } = await loadConfig(io, path);
  if (flags.out !== undefined) makeFolder(io, "--out", flags.out);
  if (flags.junit !== undefined) refuseOverwrite(io, "--junit", flags.junit, products.junit);
  const checkConfig = { config: config.hint, ...config.check, ...definedOf(flags) } as CheckConfig;
  const checked =
    flags.journals === undefined
      ? checkRuns(io, reasoner, inputFor(path, reasoner, config, checkConfig))
      : await checkJournals(io, reasoner, checkConfig, flags.journals);
  const counterexamples = [
    ...new Map(
      // If both broke the same law, the search's counterexample, which is the shortest.
      [...(checked.check?.counterexamples ?? []), ...(checked.explore?.counterexamples ?? [])].map(
        (each) => [each.law, each],
      ),
    ).values(),
  ];
  // Findings are told first, they may have taken minutes; but of JSON there is one document.
  if (flags.json !== true) printChecked(io, checked, flags.unreached === true);
  if (flags.out !== undefined) save(io, flags.out, counterexamples);
  if (flags.junit !== undefined) {
    writeOut(io, "--junit", flags.junit, junitOf(path, checkCases(checked)), products.junit);
  }
  if (flags.json === true) printJson(io, documentOf(checked));
  const refused = checked.journals?.some((each) => "refused" in each) === true;
  if (refused) return exitCodes.refused;
  const idle = flags.strict === true ? idleIn(checked) : [];
  if (idle.length > 0) say(io, `reckoner: --strict: ${idle.map(inLine).join("; ")}`);
  return isWhole(checked) && idle.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/** The parts of a chart that are proven to be dead, and the laws that had nothing to say. */
function idleIn({ check, explore }: CheckResults): readonly string[] {
  const silent = (explore?.warnings ?? []).filter(
    (each) => check?.warnings.includes(each) === true,
  );
  return [...(explore?.dead ?? []).map((each) => `dead: ${each}`), ...silent];
}

function isWhole({ check, explore, journals }: CheckResults): boolean {
  if (check?.ok === false || explore?.ok === false) return false;
  if (journals === undefined) return true;
  // If nothing was checked, for example because other code wrote all of it, nothing was shown to
  // hold.
  const isJudged = journals.some((each) => !("refused" in each) && each.events > 0);
  return isJudged && journals.every((each) => !("refused" in each) && each.breaches.length === 0);
}

/** Returns the flags that the command line sets, and nothing else. */
function definedOf({ runs, seed, depth, states, seconds }: CheckFlags): object {
  return JSON.parse(JSON.stringify({ runs, seed, depth, states, seconds }));
}

type CheckInput = CheckConfig & { readonly input: unknown };

/** Returns the input that runs start from: an agent can be told anything, other machines have to say. */
function inputFor(
  path: string,
  reasoner: Reasoner,
  config: Omit<RunConfig, "reasoner">,
  checkConfig: CheckConfig,
): CheckInput {
  const isPrompted = isAgent(reasoner);
  // `null` is a valid input: that of machines without one.
  const ownInput = checkConfig.input === undefined ? config.input : checkConfig.input;
  const input = ownInput === undefined && isPrompted ? "Hello." : ownInput;
  if (input === undefined) {
    throw usageError(
      `${path} does not say what runs start from; give it input, or check: { input }.`,
    );
  }
  const waits = isPrompted ? { waits: ({ value }: { value: unknown }) => value === "ready" } : {};
  return { ...waits, ...checkConfig, input };
}

function checkRuns(io: Io, reasoner: Reasoner, options: CheckInput): CheckResults {
  const line = new MovingLine(io.stderr);
  const random = check(reasoner, {
    ...options,
    progress: ({ runs, of, broken }) => line.show(`${runs} of ${of} runs, ${broken} broken`),
  });
  // It may take a minute; without a terminal there is no progress line.
  if (io.stderr.isTTY !== true) say(io, "reckoner: looking for all runs within a bound");
  const searched = explore(reasoner, {
    ...options,
    progress: ({ states, depth, broken }) =>
      line.show(`${states} states, depth ${depth}, ${broken} broken`),
  });
  line.stop();
  return { check: random, explore: searched };
}

async function checkJournals(
  io: Io,
  reasoner: Reasoner,
  { laws = [] }: CheckConfig,
  folder: string,
): Promise<CheckResults> {
  const journals: JudgedJournal[] = [];
  const line = new MovingLine(io.stderr);
  const paths = expandJournals(io, folder);
  for (const [i, journal] of paths.entries()) {
    line.show(`${i} of ${paths.length} journals`);
    try {
      const judged = await checkRecordedRun(
        reasoner,
        [...ownLaws, ...laws],
        journalFile(io, journal),
      );
      journals.push({ journal, ...judged });
    } catch (thrown) {
      journals.push({ journal, refused: describe(thrown) });
    }
  }
  line.stop();
  return { journals };
}

function printChecked(io: Io, { check, explore, journals }: CheckResults, isAll: boolean): void {
  const unreached = (report: CheckReport | ExploreReport) =>
    isAll ? report.unreached.map((each) => `\nunreached: ${each}`).join("") : "";
  if (check !== undefined) print(io, `random runs\n${check.text}${unreached(check)}\n`);
  if (explore !== undefined) {
    print(io, `all runs within a bound\n${explore.text}${unreached(explore)}`);
    const { states, seconds } = explore;
    say(io, `${Math.round(states / Math.max(seconds, 0.001))} states a second`);
  }
  if (journals !== undefined) printJournals(io, journals);
}

function printJournals(io: Io, journals: readonly JudgedJournal[]): void {
  const broken = new Map<string, string[]>();
  let [events, refused, diverged] = [0, 0, 0];
  for (const each of journals) {
    if ("refused" in each) {
      refused += 1;
      print(io, `${inLine(each.journal)}: refused: ${each.refused}`);
      continue;
    }
    events += each.events;
    for (const notice of each.notices) say(io, `reckoner: ${inLine(each.journal)}: ${notice}`);
    if (each.diverged !== undefined) {
      diverged += 1;
      print(io, `${inLine(each.journal)}: diverged at ${inLine(each.diverged)}`);
    }
    for (const { law, seq, what } of each.breaches) {
      broken.set(law, [
        ...(broken.get(law) ?? []),
        `${inLine(each.journal)}: event ${seq}: ${inLine(what)}`,
      ]);
    }
  }
  for (const [law, places] of broken) {
    const judged = plural(journals.length - refused, "journal");
    print(io, `Broken in ${places.length} of ${judged}: ${inLine(law)}`);
    for (const place of places) print(io, `  ${place}`);
  }
  for (const law of neverMet(journals)) {
    print(
      io,
      `warning: ${JSON.stringify(inLine(law))} never met what it speaks of in these journals`,
    );
  }
  const left = [
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(diverged > 0 ? [`${diverged} judged up to where the code differs`] : []),
  ];
  const holds = `every law holds${left.length === 0 ? "" : " in what was judged"}`;
  const verdict =
    events === 0 ? "nothing was judged" : broken.size === 0 ? holds : `${broken.size} broken`;
  const all = [plural(journals.length, "journal"), ...left, plural(events, "event")].join(", ");
  print(io, `${all}: ${verdict}`);
}

/** A law of every machine: where no answer came, none was lost. */
const isOwn = (law: string) => ownLaws.some(({ name }) => name === law);

/** Laws that had nothing to say of any journal: what is not met is not judged. */
function neverMet(journals: readonly JudgedJournal[]): readonly string[] {
  const applied = new Map<string, number>();
  for (const each of journals) {
    if ("refused" in each) continue;
    for (const law of each.laws) applied.set(law.name, (applied.get(law.name) ?? 0) + law.applied);
  }
  return [...applied].flatMap(([law, times]) => (times === 0 && !isOwn(law) ? [law] : []));
}

/** Each counterexample as a journal, named after its law; laws that are spelt alike are counted. */
function save(io: Io, folder: string, found: readonly Counterexample[]): void {
  const taken = new Set<string>();
  for (const { law, journal } of found) {
    const plain = law.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    const name = [...plain].slice(0, 60).join("") || "law";
    let file = name;
    for (let i = 2; taken.has(file.toLowerCase()); i++) file = `${name}-${i}`;
    taken.add(file.toLowerCase());
    const path = join(folder, `${file}.jsonl`);
    writeOut(io, "--out", path, journal, products.counterexample);
    say(io, `reckoner: ${path}: ${inLine(law)}`);
  }
}

/** The document: reports without the states that they went through. */
function documentOf(checked: CheckResults): object {
  const plain = (report: CheckReport | ExploreReport) => ({
    ...report,
    counterexamples: report.counterexamples.map(({ law, what, input, events, found }) => ({
      law,
      what,
      input,
      events,
      found,
    })),
  });
  return {
    ok: isWhole(checked),
    ...(checked.check === undefined ? {} : { check: plain(checked.check) }),
    ...(checked.explore === undefined ? {} : { explore: plain(checked.explore) }),
    ...(checked.journals === undefined ? {} : { journals: checked.journals }),
  };
}
