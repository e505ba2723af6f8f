/** What a check or a search is told, looked at before it begins: a misspelt `laws` would judge nothing. */
import { ReckonerError, unknownPart } from "../../core/kernel/index.js";

/** One object may be given to both `check` and `explore`, as `reckoner check` does. */
export const optionParts = {
  input: true,
  laws: true,
  without: true,
  values: true,
  config: true,
  rests: true,
  upgrade: true,
  settlers: true,
  outside: true,
  stores: true,
  weights: true,
  bound: true,
  answersOnly: true,
  runs: true,
  seed: true,
  events: true,
  failures: true,
  progress: true,
  alphabet: true,
  depth: true,
  states: true,
  seconds: true,
  reduce: true,
  confluent: true,
  beyond: true,
} as const;

const counts = ["runs", "events", "failures", "depth", "states", "seconds"] as const;

/** @throws ReckonerError `option.invalid` where something in it cannot be, by its name */
export function checkOptions(options: object): void {
  const invalid = (what: string) => new ReckonerError("option.invalid", `The check: ${what}.`);
  const unknown = unknownPart(options, optionParts);
  if (unknown !== undefined) throw invalid(unknown);
  const given = options as { readonly [name in keyof typeof optionParts]?: unknown };
  for (const name of counts) {
    const value = given[name];
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw invalid(`${name} must be a number, 0 or more, not ${String(value)}`);
  }
  const laws: unknown = given.laws ?? [];
  const isLaw = (law: unknown) => typeof law === "object" && law !== null && "formula" in law;
  if (!Array.isArray(laws) || !laws.every(isLaw)) {
    throw invalid("laws must be a list of what law(name, holds) gives");
  }
}
