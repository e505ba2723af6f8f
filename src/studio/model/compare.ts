/**
 * Compares two recorded runs for the studio's page of comparisons: the first difference as a sentence, and a
 * row for each event and request of either run.
 */
import { childPath, ROOT_RUN } from "../../core/journal/index.js";
import {
  type AlignedRow,
  type Differing,
  diffTrees,
  type Parting,
  type PartingKind,
  type RunDiff,
  RunRecord,
} from "../../time-travel/pure/index.js";
import { eventJson, isOutstanding, type RecordedRun } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";
import {
  type Asked,
  answerWords,
  askedOf,
  bothAnswers,
  bothCut,
  callWords,
  nounOf,
} from "./request-words.js";

/** A row of both runs: an event or a request, by its cause, in words. */
export interface ComparedRow extends AlignedRow {
  /** Its subject: `refund is called`, `the model answered`. */
  readonly title: string;
  /** The part of it that differs, where that is a part and both runs have it. */
  readonly part?: string;
  /** The first run's side, where it is not the same; absent where it has nothing there. */
  readonly was?: string;
  readonly is?: string;
}

/** Two runs compared. */
export interface Comparison {
  readonly same: boolean;
  /** The first difference in a sentence; that they are the same where there is none. */
  readonly words: string;
  /** The first difference: of the child run that it lies in, where it lies in one. */
  readonly parting?: Parting;
  readonly rows: readonly ComparedRow[];
  /** The place of the first row that is not the same; -1 where all are. */
  readonly first: number;
  readonly summary: RunDiff["summary"];
  readonly configuration: RunDiff["configuration"];
}

/** Compares the roots of two trees, and their children where they part by one. */
export function compareRuns(a: RecordedTree, b: RecordedTree): Comparison {
  const found = diffTrees([recordsOf(a), recordsOf(b)], ROOT_RUN) as RunDiff;
  const { same, parting, rows, summary, configuration } = found;
  const runs = [a.root, b.root] as const;
  return {
    same,
    words:
      parting === undefined
        ? "The two runs are the same, but for times, ids and costs."
        : partingWords(parting, [a, b]),
    ...(parting === undefined ? {} : { parting }),
    rows: rows.map((row) => ({ ...row, title: titleOf(row, runs), ...sidesOf(row, runs) })),
    first: rows.findIndex(({ status }) => status !== "same"),
    summary,
    configuration,
  };
}

function recordsOf(tree: RecordedTree): { of(path: string): RunRecord | undefined } {
  const records = new Map<string, RunRecord>();
  return {
    of(path) {
      const run = tree.of(path);
      if (run?.header === undefined) return undefined;
      const record = records.get(path) ?? new RunRecord(run.values.ofOtherRun());
      if (!records.has(path)) for (const line of run.lines) record.take(line);
      records.set(path, record);
      return record;
    },
  };
}

type Runs = readonly [a: RecordedRun, b: RecordedRun];
/** A place of both runs: a row of them, or where they part. */
type Place = Differing & Pick<AlignedRow, "cause" | "seqA" | "seqB">;

/** The event of a row: what settled the request that it is about, or one from outside. */
function eventAt({ effects, moments }: RecordedRun, { cause }: Place, seq: number | undefined) {
  const answer = effects.get(cause)?.answer;
  if (seq === undefined) return undefined;
  return answer?.seq === seq ? answer : moments.find((each) => each.seq === seq);
}

/** A request of a run, as it is told. */
function askedIn(run: RecordedRun, cause: string): Asked | undefined {
  const effect = run.effects.get(cause);
  return effect === undefined ? undefined : askedOf(run, effect);
}

/** A row's subject, with the names of both runs where they are not the same. */
function titleOf({ what, type, cause }: AlignedRow, runs: Runs): string {
  const asked = runs.flatMap((run) => askedIn(run, cause) ?? []);
  const [first] = asked;
  if (first === undefined) return type;
  const name = [...new Set(asked.map((each) => each.name))].join(", or ");
  const isAsked = what === "request";
  switch (first.type) {
    case "llm":
      return isAsked ? "the model is asked" : "the model answered";
    case "approval":
      return isAsked ? `a person is asked: “${name}”` : `a person decided: “${name}”`;
    case "timer":
      return isAsked ? "a timer is set" : "a timer came to its end";
    case "tool":
      return isAsked ? `${name} is called` : `${name} came back`;
    case "run":
      return isAsked ? `the child run ${name} is begun` : `the child run ${name} came back`;
    default:
      return isAsked
        ? `a ${first.type} of ${name} is asked for`
        : `a ${first.type} of ${name} came back`;
  }
}

/** The two sides of a row that is not the same. */
function sidesOf(row: AlignedRow, runs: Runs): Pick<ComparedRow, "part" | "was" | "is"> {
  const { difference, what, cause } = row;
  if (difference === undefined) return {};
  const place: Place = { ...row, ...difference };
  const [was, is] = what === "event" ? eventSides(place, runs) : requestSides(place, runs);
  const part = partWords(difference.path, cause);
  return {
    ...(part === "" || what === "event" ? {} : { part }),
    ...(was === undefined ? {} : { was }),
    ...(is === undefined ? {} : { is }),
  };
}

/** The words of both runs; absent for a run that has nothing there. */
type BothWords = readonly [was: string | undefined, is: string | undefined];

/** The event of each run, in words. */
function eventSides(place: Place, runs: Runs): BothWords {
  const [a, b] = [eventAt(runs[0], place, place.seqA), eventAt(runs[1], place, place.seqB)];
  const [left, right] = [a, b].map((each) => each && eventJson(each.event));
  if (left === undefined || right === undefined)
    return [left && answerWords(left), right && answerWords(right)];
  const sides = bothAnswers(left, right);
  return sides[0] === sides[1] ? valueSides(place) : sides;
}

/** The request of each run, in words: of the same thing the part of it that differs. */
function requestSides(place: Place, runs: Runs): BothWords {
  const [left, right] = runs.map((run) => askedIn(run, place.cause));
  if (left !== undefined && right !== undefined) return valueSides(place);
  // Of what has no arguments the row's title says all.
  const words = (asked: typeof left) =>
    asked === undefined || callWords(asked) === nounOf(asked) ? undefined : callWords(asked);
  return [words(left), words(right)];
}

function valueSides({ a, b }: Differing): BothWords {
  const [left, right] = [a, b].map((each) =>
    each === undefined ? undefined : JSON.stringify(each),
  );
  return left === undefined || right === undefined ? [left, right] : bothCut(left, right);
}

/** A path within a request or an answer, without the id of that. */
function partWords(path: string, cause: string): string {
  return path.startsWith(cause) ? path.slice(cause.length).replace(/^\./, "") : path;
}

/** A difference in one sentence, with both values. @param trees of the two runs @param path of the run in both */
export function partingWords(
  parting: Parting,
  trees: readonly [a: RecordedTree, b: RecordedTree],
  path: string = ROOT_RUN,
): string {
  const { kind, cause, seqA, seqB, child } = parting;
  const at = [seqA === undefined ? "" : `event ${seqA}`, seqB === undefined ? "" : `event ${seqB}`];
  const where = at[0] === at[1] ? at[0] : at.filter((each) => each !== "").join(" and ");
  const runs = trees.map((tree) => tree.run(path)) as unknown as Runs;
  const begun = `The runs part${where === "" ? "" : ` at ${where}`}: ${kindWords(parting, runs)}.`;
  if (child !== undefined)
    return `${begun} Within it: ${partingWords(child.parting, trees, childPath(path, cause))}`;
  return `${begun} ${kind === "code" || kind === "configuration" ? ownWords(parting, runs) : cameWords(parting, runs)}`;
}

/** The kind of a difference, with the request that it is about. */
function kindWords({ kind, cause, path }: Parting, runs: Runs): string {
  const asked = runs.flatMap((run) => askedIn(run, cause) ?? []);
  const [only, ...others] = new Set(asked.map(callWords));
  const what = others.length > 0 ? undefined : only;
  if (cause === "reasoner")
    return `they are of different ${path.endsWith("id") ? "agents" : "versions of their agent"}`;
  const kinds: Readonly<Record<PartingKind, string>> = {
    input: "they were given different inputs",
    "model output": "the model answered differently",
    "tool result": `${what ?? "a tool"} came to something else`,
    decision: `“${asked[0]?.name ?? "an approval"}” was decided differently`,
    "store result": `${what ?? "a store"} came to something else`,
    "child run": `the child run ${what ?? ""} came to something else`.replace("  ", " "),
    timer: "a timer went off differently",
    code: "the same code, given the same, did something else",
    configuration: "they were under different configurations",
  };
  return kinds[kind];
}

/** Both sides of what came from outside: an answer, a decision, an input. */
function cameWords(parting: Parting, runs: Runs): string {
  const { kind, seqA, seqB } = parting;
  if (seqA === undefined && seqB === undefined) return valuesWords(parting);
  const isWhole = kind === "decision" || kind === "input";
  const subject = kind === "model output" ? "the model " : isWhole ? "" : "it ";
  const [a, b] = eventSides(parting, runs);
  if (seqA !== undefined && seqB !== undefined)
    return `In the first ${subject}${a}; in the second ${subject}${b}.`;
  const [has, other] = seqB === undefined ? ["first", "second"] : ["second", "first"];
  return `In the ${has} ${subject}${a ?? b}; ${missing(parting, runs, other)}.`;
}

/** Both values of a difference in a sentence, which may go on after words that say where. */
function valuesWords(difference: Differing): string {
  const [a, b] = valueSides(difference);
  if (a === undefined) return `Only the second has ${b}.`;
  return b === undefined ? `Only the first has ${a}.` : `The first has ${a}, the second ${b}.`;
}

/** Says why a run has no event where the other has one. */
function missing({ cause, seqA }: Parting, runs: Runs, name: string): string {
  const run = runs[seqA === undefined ? 0 : 1];
  const effect = run.effects.get(cause);
  const last = run.moments.at(-1)?.seq ?? 0;
  if (effect !== undefined && isOutstanding(effect, last)) return `the ${name} still waits for it`;
  if (effect?.cancelled !== undefined) return `the ${name} did not wait for it any more`;
  return run.end === undefined
    ? `the ${name} has not come to that`
    : `the ${name} never came to that`;
}

/** Both sides of what a run did by itself: a request, a state, its end. */
function ownWords(parting: Parting, runs: Runs): string {
  const { cause, path } = parting;
  if (cause === "reasoner") return valuesWords(parting);
  const [a, b] = runs.map((run) => askedIn(run, cause));
  const asked = a ?? b;
  if (asked !== undefined && (a === undefined || b === undefined))
    return `Only the ${b === undefined ? "first" : "second"} asks for ${callWords(asked)}.`;
  return `They differ in ${placeWords(path, cause, asked)}. ${valuesWords(parting)}`;
}

/** The place of a difference in what a run did by itself. */
function placeWords(path: string, cause: string, asked: Asked | undefined): string {
  if (path === "value") return "their states";
  const part = partWords(path, cause);
  const isModel = asked?.type === "llm";
  const of = asked === undefined ? cause : isModel ? "what the model was shown" : nounOf(asked);
  return part === "" ? of : `${of}, in ${part}`;
}
