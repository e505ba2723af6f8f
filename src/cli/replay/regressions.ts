/**
 * Groups the differences of many journals by what the change of the code does ("`refund` is denied, was run"),
 * with the number of journals, and values as examples. `replay`, `redrive` and the studio show them.
 */
import type { CallChange, CausedDifference } from "../../core/journal/index.js";
import { isJsonObject, type Json } from "../../core/kernel/values/index.js";
import type { DifferenceGroup } from "../../studio/live/index.js";
import { sidesOf } from "../terminal/print-difference.js";
import { fitted } from "../terminal/truncate.js";

/** Differences of one kind at one place. */
export interface Regression extends Omit<DifferenceGroup, "journals"> {
  /** In how many journals it occurs. */
  readonly journals: number;
  /** The number of pairs of values that differ from each other. */
  readonly variants: number;
  /** The first few places: `runs/a.jsonl#12`. */
  readonly examples: readonly string[];
}

/** A difference, wherever it comes from. */
export type Found = Pick<CausedDifference, "recorded" | "computed" | "seqs" | "calls"> & {
  readonly cause: { readonly what: string };
};

/** The values of a group beyond these are counted. */
const MAX_EXAMPLES = 3;

interface Gathered {
  readonly journals: Set<string>;
  places: number;
  readonly variants: Set<string>;
  readonly values: { readonly recorded?: Json; readonly computed?: Json }[];
  readonly inputs: Json[];
  readonly examples: string[];
}

/** Groups of differences, gathered journal by journal. */
export class Regressions {
  readonly #groups = new Map<string, Gathered>();

  /** Takes the differences of one journal in. */
  take(journal: string, found: readonly Found[]): void {
    // A part that a request shows otherwise is kept in the context as well, and is one fact.
    const shown = new Set(found.flatMap(({ cause, seqs }) => (isKept(cause) ? [] : seqs[0])));
    const called = new Set(
      found.flatMap(({ calls, seqs }) => (calls === undefined ? [] : seqs[0])),
    );
    for (const { cause, recorded, computed, seqs, calls = [] } of found) {
      if (isKept(cause) && shown.has(seqs[0])) continue;
      if (calls.length === 0 && called.has(seqs[0]) && isOfCalls(cause)) continue;
      const sides = { ...defined("recorded", recorded), ...defined("computed", computed) };
      const values = Object.keys(sides).length === 0 ? undefined : sides;
      if (calls.length === 0) this.#add(cause.what, journal, seqs, values);
      for (const call of calls) {
        this.#add(wordsOf(call), journal, seqs.slice(0, 1), call.result, call.input);
      }
    }
  }

  #add(
    what: string,
    journal: string,
    seqs: readonly number[],
    values: Gathered["values"][number] | undefined,
    input?: Json,
  ): void {
    const group = this.#groups.get(what) ?? {
      journals: new Set(),
      places: 0,
      variants: new Set(),
      values: [],
      inputs: [],
      examples: [],
    };
    this.#groups.set(what, group);
    const key = JSON.stringify(values ?? input ?? null);
    if (!group.variants.has(key) && group.values.length < MAX_EXAMPLES && values !== undefined) {
      group.values.push(values);
    }
    if (!group.journals.has(journal) && group.examples.length < MAX_EXAMPLES) {
      group.examples.push(`${journal}#${seqs[0] ?? 0}`);
    }
    if (input !== undefined) group.inputs.push(input);
    group.variants.add(key);
    group.journals.add(journal);
    group.places += seqs.length;
  }

  /** The groups, those of most journals first. */
  list(): readonly Regression[] {
    return [...this.#groups]
      .map(([what, { journals, places, variants, values, inputs, examples }]) => ({
        what,
        journals: journals.size,
        places,
        variants: variants.size,
        values,
        ...(inputs.length === 0 ? {} : { inputs: rangesOf(inputs) }),
        examples,
      }))
      .sort((a, b) => b.journals - a.journals || b.places - a.places || (a.what < b.what ? -1 : 1));
  }
}

/** Calls that differ show in what observers and the model read. */
const isOfCalls = ({ what }: Found["cause"]) => /^(?:data|the messages)\b/.test(what);

const isKept = ({ what }: Found["cause"]) => what.startsWith("context");

function defined<Name extends string>(name: Name, value: Json | undefined) {
  return value === undefined ? {} : { [name]: value };
}

const DONE: { readonly [status: string]: string } = {
  run: "run",
  asked: "put to a person",
  none: "not asked for",
  answered: "answered at once",
  denied: "denied by a hook",
  rejected: "rejected",
  failed: "failed",
  succeeded: "answered at once",
  "not-executed": "not executed",
  unknown: "of unknown outcome",
};

const wordOf = (status: string) => (Object.hasOwn(DONE, status) ? DONE[status] : status);

/** Says what becomes of a call now, and what became of it. */
function wordsOf({ name, was, is, said: text, result }: CallChange): string {
  if (result !== undefined) return `\`${name}\` returns otherwise`;
  const why = text === undefined ? "" : ` (${fitted(JSON.stringify(text), 80)})`;
  return `\`${name}\` is ${wordOf(is)}${why}, was ${wordOf(was)}`;
}

/** The ranges of arguments, by their names: numbers from the least to the most, other values as examples. */
function rangesOf(inputs: readonly Json[]): readonly string[] {
  const names = new Set(inputs.flatMap((input) => (isJsonObject(input) ? Object.keys(input) : [])));
  return [...names].map((name) => {
    const values = inputs.flatMap((input) =>
      isJsonObject(input) && input[name] !== undefined ? [input[name]] : [],
    );
    const numbers = values.filter((value) => typeof value === "number");
    if (numbers.length === values.length) {
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      return least === most ? `${name} ${least}` : `${name} ${least} to ${most}`;
    }
    const texts = [...new Set(values.map((value) => fitted(JSON.stringify(value), 40)))];
    const more = texts.length > MAX_EXAMPLES ? ", …" : "";
    return `${name} ${texts.slice(0, MAX_EXAMPLES).join(", ")}${more}`;
  });
}

/** The lines about a group: what it is, its values, and where it occurs. */
export function linesOf(group: Regression): readonly string[] {
  const { what, journals, places, variants, values, inputs = [], examples } = group;
  const ranges = inputs.length === 0 ? "" : `; ${inputs.join("; ")}`;
  const pairs = values.map(({ recorded, computed }) => sidesOf(recorded, computed).join(" → "));
  const left = variants - pairs.length;
  const more = pairs.length > 0 && left > 0 ? [`and ${left} other pairs of values`] : [];
  const others = journals > examples.length ? ", …" : "";
  const where = `${places === 1 ? "1 place" : `${places} places`}: ${examples.join(", ")}${others}`;
  return [
    `${journals} × ${what}${ranges}`,
    ...[...pairs, ...more, where].map((each) => `    ${each}`),
  ];
}
