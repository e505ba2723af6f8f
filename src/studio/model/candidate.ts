/**
 * Aligns the requests that changed code, or another answer, would have made with the recorded ones, by their
 * causes, for the studio's view Otherwise. The run that would have been is called the candidate.
 */
import { type Difference, idFromRoot, ROOT_RUN } from "../../core/journal/index.js";
import { canonical, isJsonObject, type Json } from "../../core/kernel/values/index.js";
import type { Redriven } from "../../time-travel/pure/index.js";
import { eventJson } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";
import {
  type Asked,
  answerWords,
  askedOf,
  bothValues,
  callWords,
  inputPart,
  valueWords,
} from "./request-words.js";

/** A request of the candidate, as `redrive` reports it. */
export interface CandidateRequest extends Omit<Redriven, "effect"> {
  readonly effect: { readonly id: string; readonly type: string };
}

/** The outcome of a run, as `redrive` reports it. */
export interface CandidateOutcome {
  readonly status: string;
  readonly output?: Json;
  readonly state?: string;
  readonly requests: number;
  readonly calls: number;
  readonly cost?: number;
}

/** A run that was driven once more: what it asks for, and what it comes to. */
export interface RedrivenRun {
  readonly requests: readonly CandidateRequest[];
  readonly recorded: CandidateOutcome;
  readonly candidate: CandidateOutcome;
}

/** The parts of a redrive's report that are shown. */
export interface CandidateReport extends RedrivenRun {
  /** The child runs that another answer was set in, by their paths, and their parents; the deepest first. */
  readonly children: readonly (RedrivenRun & { readonly run: string })[];
  readonly fresh: number;
  readonly spent: number;
  readonly replay: { readonly status: string; readonly causes: readonly Difference[] };
}

/** A request on one side. */
export interface CandidateSide extends Asked {
  readonly id: string;
  /** Of what was recorded: the event upon which it was issued. */
  readonly seq?: number;
}

/** A row of the two lanes. */
export interface CandidateRow {
  /**
   * `same`: both ask for it; `changed`: the candidate asks for something else under its id; `gone`: only the recorded
   * run asks for it; `new`: only the candidate.
   */
  readonly status: "same" | "changed" | "gone" | "new";
  readonly was?: CandidateSide;
  readonly is?: CandidateSide;
  /** The source of the candidate's answer. */
  readonly support?: CandidateRequest["support"];
  /** The recorded outcome. */
  readonly answer?: string;
  /** The answer that it is given in place of that. */
  readonly set?: string;
  /** The present code answers the event there differently: the first difference. */
  readonly differs?: string;
}

/** The two lanes. */
export interface Candidate {
  /** The first difference in a sentence; that there is none. */
  readonly words: string;
  readonly rows: readonly CandidateRow[];
  /** The place of the first row that is not the same; -1 where all are. */
  readonly first: number;
  readonly recorded: CandidateOutcome;
  readonly candidate: CandidateOutcome;
  /** The parts of the outcome that are others. */
  readonly ends: readonly { readonly part: string; readonly was: string; readonly is: string }[];
}

/** The path of a run as the report names it: the root's events have none. */
const pathOf = ({ run = ROOT_RUN }: Pick<Difference, "run">) => run;

/**
 * Lays a candidate beside what was recorded.
 * @param set the answers that it was given, by the ids by which the root knows what they settle
 * @param path of the run; the root's by default
 */
export function candidateOf(
  tree: RecordedTree,
  report: CandidateReport,
  set: { readonly [id: string]: Json } = {},
  path: string = ROOT_RUN,
): Candidate {
  const { replay } = report;
  const own: RedrivenRun = report.children.find((each) => each.run === path) ?? report;
  const { requests } = own;
  const [recorded, candidate] = [sortedOutput(own.recorded), sortedOutput(own.candidate)];
  const run = tree.run(path);
  const keyOf = (id: string) => (path === ROOT_RUN ? id : idFromRoot(path, id));
  const byRecorded = new Map(requests.map((each) => [each.recorded, each]));
  const differences = new Map<number, Difference>();
  for (const each of replay.causes) {
    if (pathOf(each) === path && !differences.has(each.seq)) differences.set(each.seq, each);
  }
  const byId = new Map(requests.map((each) => [each.effect.id, each]));
  const wordsById: WordsById = {
    recorded(id) {
      const effect = run.effects.get(id);
      return effect && sideWords({ id, ...askedOf(run, effect) });
    },
    computed(id) {
      const request = byId.get(id);
      return request && sideWords(sideOf(request));
    },
  };
  const rows: CandidateRow[] = [];
  const placed = new Set<CandidateRequest>();
  const changed = new Map(
    requests
      .filter((each) => each.recorded === undefined && run.effects.has(each.effect.id))
      .map((each) => [each.effect.id, each]),
  );
  /** The candidate's own requests stand behind the recorded one that it asked before. */
  const asked = (before: CandidateRequest | undefined) => {
    const from = before === undefined ? 0 : requests.indexOf(before) + 1;
    for (const each of requests.slice(from)) {
      if (each.recorded !== undefined || changed.has(each.effect.id)) return;
      if (placed.has(each)) continue;
      placed.add(each);
      rows.push({ status: "new", is: sideOf(each), support: each.support });
    }
  };
  asked(undefined);
  for (const effect of run.effects.values()) {
    if (effect.type === "timer") continue;
    const { id, seq } = effect;
    const asks = askedOf(run, effect);
    const was = { ...asks, id, input: sorted(asks.input), seq };
    const found = byRecorded.get(id);
    const difference = differences.get(seq);
    const part =
      effect.answer === undefined ? {} : { answer: answerWords(eventJson(effect.answer.event)) };
    const key = keyOf(id);
    const answer = Object.hasOwn(set, key) ? { ...part, set: setWords(set[key] as Json) } : part;
    const differs =
      difference === undefined ? {} : { differs: differenceWords(difference, wordsById) };
    const other = found === undefined ? changed.get(id) : undefined;
    if (other !== undefined) {
      const { support } = other;
      placed.add(other);
      rows.push({ status: "changed", was, is: sideOf(other), support, ...answer, ...differs });
      asked(other);
    } else if (found === undefined) rows.push({ status: "gone", was, ...answer, ...differs });
    else {
      const { support } = found;
      rows.push({ status: "same", was, is: sideOf(found), support, ...answer, ...differs });
      asked(found);
    }
  }
  for (const each of requests) {
    if (each.recorded === undefined && !placed.has(each)) {
      rows.push({ status: "new", is: sideOf(each), support: each.support });
    }
  }
  const ends = endsOf(recorded, candidate);
  const first = rows.findIndex(({ status }) => status !== "same");
  return { words: wordsOf(rows, first, ends, candidate), rows, first, recorded, candidate, ends };
}

function wordsOf(
  rows: readonly CandidateRow[],
  first: number,
  ends: Candidate["ends"],
  { status }: CandidateOutcome,
): string {
  const row = rows[first];
  const [end] = ends;
  const same = status === "active" ? "Neither is over." : "It ends the same.";
  const outcome = end === undefined ? same : endWords(end);
  if (row === undefined) {
    const words = rows.find(({ differs }) => differs !== undefined)?.differs;
    if (end === undefined && words === undefined && status !== "active")
      return "It asks for the same, and ends the same.";
    return `It asks for the same.${words === undefined ? "" : ` ${words}`} ${outcome}`;
  }
  const { was, is, differs } = row;
  const why = differs === undefined ? "" : ` ${differs}`;
  if (was !== undefined && is !== undefined) {
    const now = is.type === "llm" ? "" : ` It asks for ${callWords(is)}.`;
    return `The first difference: ${sideWords(was)} is asked for differently.${now}${why} ${outcome}`;
  }
  if (was !== undefined) {
    const next = rows.slice(first).find(({ status }) => status === "new")?.is;
    const instead = next === undefined ? "" : ` It asks for ${callWords(next)} instead.`;
    return `The first difference: ${sideWords(was)} is not asked for any more.${instead}${why} ${outcome}`;
  }
  const asked = is === undefined ? "something" : `${sideWords(is)}`;
  return `The first difference: ${asked} is asked for, and was not.${why} ${outcome}`;
}

function endWords({ part, was, is }: Candidate["ends"][number]): string {
  if (part !== "status") return `Its ${part} is ${is}; it was ${was}.`;
  return `It would ${is === "not over" ? "not be over" : `be ${is}`}; it was ${was}.`;
}

/** A request with its arguments; of a model's answers, which are many, the one that it is. */
function sideWords(side: CandidateSide): string {
  return side.type === "llm" ? `${callWords(side)} (${side.id})` : callWords(side);
}

/** The words of a request by its id: of the recorded run's, and of the candidate's. */
interface WordsById {
  recorded(id: string): string | undefined;
  computed(id: string): string | undefined;
}

function differenceWords(difference: Difference, { recorded, computed }: WordsById): string {
  const { path, event, cause } = difference;
  const what = cause.what === "" ? path : cause.what;
  // Of what is asked the words say themselves upon which event.
  const upon = what.includes(event) ? what : `upon ${event}, ${what}`;
  const [was, is] =
    path === "directives"
      ? [askedWords(difference.recorded, recorded), askedWords(difference.computed, computed)]
      : bothValues(difference.recorded, difference.computed);
  return `${upon.slice(0, 1).toUpperCase()}${upon.slice(1)} is ${is}, and was ${was}.`;
}

/** A list of directives, each of its type and id, as a person knows them. */
function askedWords(value: Json | undefined, of: WordsById["recorded"]): string {
  if (!Array.isArray(value)) return valueWords(value);
  const asked = value.map((each) => of(String(each).replace(/^\S+ /, "")) ?? valueWords(each));
  return asked.length === 0 ? "nothing" : asked.join(" and ");
}

function endsOf(was: CandidateOutcome, is: CandidateOutcome): Candidate["ends"] {
  // A journal does not say what its run has cost.
  return (["status", "output", "state"] as const).flatMap((part) => {
    if (JSON.stringify(was[part]) === JSON.stringify(is[part])) return [];
    const [left, right] =
      part === "status"
        ? [statusWords(was.status), statusWords(is.status)]
        : bothValues(was[part], is[part]);
    return [{ part, was: left, is: right }];
  });
}

/** A value with its parts in one order: a journal may have them in another one than the code has made them in. */
function sorted(value: Json): Json {
  return JSON.parse(canonical(value)) as Json;
}

function sortedOutput(outcome: CandidateOutcome): CandidateOutcome {
  return outcome.output === undefined ? outcome : { ...outcome, output: sorted(outcome.output) };
}

/** The status of an outcome: a candidate that asks for what nobody has answered is not over. */
export function statusWords(status: string): string {
  return status === "active" ? "not over" : status;
}

function sideOf({ effect }: CandidateRequest): CandidateSide {
  const { id, type } = effect;
  const parts = effect as { readonly [part: string]: unknown };
  const named = parts.name ?? parts.store ?? parts.reasoner ?? parts.title ?? type;
  const input = sorted((parts[inputPart(type)] ?? null) as Json);
  return { id, type, name: String(named), input };
}

function setWords(value: Json): string {
  const { approve, ...parts } = isJsonObject(value) ? value : {};
  if (typeof approve !== "boolean") return valueWords(value);
  const more = Object.keys(parts).length === 0 ? "" : ` with ${valueWords(parts)}`;
  return `${approve ? "approved" : "rejected"}${more}`;
}
