/** Two runs compared: where they part, in words, and what each did from there on. */
import { childPath, ROOT_RUN } from "../../core/journal/index.js";
import { cutText, type Json } from "../../core/kernel/values/index.js";
import {
  type AlignedRow,
  diffTrees,
  type Parting,
  type PartingKind,
  type RunDiff,
  RunRecord,
} from "../../time-travel/pure/index.js";
import { nameOf, type RecordedRun } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";

/** A row of both runs: an event or a request, by its cause. */
export interface ComparedRow extends AlignedRow {
  /** A request's tool, store or reasoner; both where the runs asked for different ones. */
  readonly name?: string;
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
  return {
    same,
    words:
      parting === undefined
        ? "The two runs are the same, but for times, ids and costs."
        : partingWords(parting, [a, b]),
    ...(parting === undefined ? {} : { parting }),
    rows: rows.map((row) => namedRow(row, a.root, b.root)),
    first: rows.findIndex(({ status }) => status !== "same"),
    summary,
    configuration,
  };
}

function recordsOf(tree: RecordedTree): { of(path: string): RunRecord | undefined } {
  const known = new Map<string, RunRecord>();
  return {
    of(path) {
      const run = tree.of(path);
      if (run?.header === undefined) return undefined;
      const record = known.get(path) ?? new RunRecord(run.values.ofOtherRun());
      if (!known.has(path)) for (const line of run.lines) record.take(line);
      known.set(path, record);
      return record;
    },
  };
}

function namedRow(row: AlignedRow, a: RecordedRun, b: RecordedRun): ComparedRow {
  const names = [a, b].flatMap((run) => {
    const effect = run.effects.get(row.cause);
    return effect === undefined ? [] : [nameOf(run, effect)];
  });
  return names.length === 0 ? row : { ...row, name: [...new Set(names)].join(" → ") };
}

const KINDS: Readonly<Record<PartingKind, string>> = {
  input: "they were given different inputs",
  "model output": "the model answered differently",
  "tool result": "a tool returned something else",
  decision: "a person decided differently",
  "store result": "a store answered differently",
  "child run": "a child run came to something else",
  timer: "a timer went off differently",
  code: "the same code, given the same, did something else",
  configuration: "they were under different configurations",
};

const SHOWN = 200;

/** A difference in one sentence, with both values. @param trees of the two runs @param path of the run in both */
export function partingWords(
  parting: Parting,
  trees: readonly [a: RecordedTree, b: RecordedTree],
  path: string = ROOT_RUN,
): string {
  const { kind, cause, path: part, a, b, seqA, seqB, child } = parting;
  const at = [seqA === undefined ? "" : `event ${seqA}`, seqB === undefined ? "" : `event ${seqB}`];
  const where = at[0] === at[1] ? at[0] : at.filter((each) => each !== "").join(" and ");
  const place = where === "" ? "" : `, at ${where}`;
  const what = causeWords(parting, trees, path);
  if (child !== undefined) {
    const inner = partingWords(child.parting, trees, childPath(path, cause));
    return `The runs part at ${what}${place}: ${KINDS[kind]}. Within it: ${inner}`;
  }
  const inside =
    part === cause
      ? ""
      : `, in ${part.startsWith(cause) ? part.slice(cause.length).replace(/^\./, "") : part}`;
  return `The runs part at ${what}${inside}${place}: ${KINDS[kind]}. The first has ${valueWords(a)}, the second ${valueWords(b)}.`;
}

/** The request at which two runs part, as a person knows it: the tool with its arguments, and its id. */
function causeWords(
  { cause }: Parting,
  trees: readonly [a: RecordedTree, b: RecordedTree],
  path: string,
): string {
  const asked = trees.flatMap((tree) => {
    const run = tree.of(path);
    const effect = run?.effects.get(cause);
    if (run === undefined || effect === undefined || effect.type === "llm") return [];
    const input = run.part(effect, "input");
    return [`${nameOf(run, effect)}${input === undefined ? "" : ` with ${valueWords(input)}`}`];
  });
  const [only, ...others] = new Set(asked);
  return only === undefined || others.length > 0 ? cause : `${only} (${cause})`;
}

/** A value in a sentence. */
export function valueWords(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${cutText(text, SHOWN)}…` : text;
}
