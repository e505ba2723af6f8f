/** Validates the options of `check` and `explore`: a misspelt `laws` would check nothing. */

import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { type Json, messageOf, ReckonerError, toJson } from "../../core/kernel/values/index.js";
import { checkAllOptions, checkIsReasoner } from "../../runtime/index.js";
import { lawNames } from "./law-names.js";
import { defaultSettlers } from "./settlers.js";
import { defaultWeights, type Weights } from "./what-may-happen.js";

interface AnyOptions {
  readonly values?: readonly Json[];
  readonly without?: readonly string[];
  readonly laws?: readonly { readonly name: string }[];
  readonly weights?: shapes.Options<Partial<Weights>>;
}

const all = (names: object, shape: shapes.Shape) =>
  shapes.optionsOf(Object.fromEntries(Object.keys(names).map((name) => [name, shape])));

const isLaw = (law: unknown) => typeof law === "object" && law !== null && "formula" in law;

/** One object may be given to both `check` and `explore`, as `reckoner check` does. */
export const optionShapes: { readonly [name: string]: shapes.Shape } = {
  input: shapes.ANYTHING,
  laws: [
    (laws) => Array.isArray(laws) && laws.every(isLaw),
    "a list of what law(name, holds) gives",
  ],
  without: shapes.TEXTS,
  mayLose: shapes.FUNCTION,
  values: [Array.isArray, "a list of JSON values"],
  config: shapes.TEXT,
  tree: shapes.FLAG,
  waits: shapes.FUNCTION,
  upgrade: shapes.ANYTHING,
  settlers: all(defaultSettlers, shapes.FUNCTION),
  outside: shapes.FUNCTION,
  stores: shapes.TEXTS,
  weights: all(defaultWeights, shapes.whole(0)),
  bound: shapes.whole(0),
  answersOnly: shapes.FLAG,
  runs: shapes.whole(0),
  seed: shapes.WHOLE,
  events: shapes.whole(0),
  failures: shapes.count(1),
  progress: shapes.FUNCTION,
  alphabet: shapes.optionsOf({
    answers: shapes.whole(0),
    calls: shapes.whole(0),
    outside: shapes.whole(0),
    cancel: shapes.FLAG,
    interrupt: shapes.FLAG,
    messages: shapes.TEXTS,
    again: shapes.FLAG,
  }),
  depth: shapes.count(0),
  states: shapes.count(0),
  seconds: shapes.atLeast(0),
  reduce: shapes.FLAG,
  confluent: shapes.FLAG,
  beyond: shapes.optionsOf({
    runs: shapes.whole(0),
    bugDepth: shapes.whole(1),
    events: shapes.whole(0),
    seed: shapes.WHOLE,
  }),
};

/** @throws ReckonerError `option.invalid` where something in it cannot be, by its name */
export function checkSettings(reasoner: Pick<Reasoner<never>, "start">, options: object): void {
  checkIsReasoner(reasoner);
  checkAllOptions("the check", options, optionShapes);
  const { values = [], without = [], laws = [], weights }: AnyOptions = options;
  if (
    Object.values({ ...defaultWeights, ...shapes.defined(weights ?? {}) }).every(
      (each) => each === 0,
    )
  ) {
    throw invalid(
      "weights of the check leave nothing that may happen; give one of them more than 0.",
    );
  }
  const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");
  const unknown = without.find((name) => !lawNames.includes(name));
  if (unknown !== undefined) {
    const remedy = `which is not a law of every machine; those are ${quoted(lawNames)}`;
    throw invalid(`without of the check names ${quoted([unknown])}, ${remedy}.`);
  }
  const names = [...lawNames, ...laws.map(({ name }) => String(name))];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const needed = "each law needs a name of its own";
    throw invalid(`laws of the check has two of the name ${quoted([twice])}; ${needed}.`);
  }
  try {
    toJson<Json>(values, "the check's values");
  } catch (thrown) {
    throw invalid(messageOf(thrown));
  }
}

const invalid = (message: string) => new ReckonerError("option.invalid", message);
