/**
 * Chooses the model of each attempt of a call that may ask several, one after the other. A round asks each
 * model once; the model of an attempt follows from its number alone.
 */
import type { Effect, LlmDirective } from "../kernel/vocabulary/index.js";
import type { DriverOptions } from "./options.js";

type Options = Pick<DriverOptions, "models">;

/** The name of a model among several: as the directive says, or the only one, or `default`. */
export function chosenName(
  { model }: Pick<LlmDirective, "model">,
  names: readonly string[],
): string {
  return model ?? (names.length === 1 ? (names[0] as string) : "default");
}

/** The names of the models that a call may ask, in order; none where there is no list. */
function modelsOf(effect: Effect, { models }: Options): readonly string[] {
  if (effect.type !== "llm" || models === undefined) return [];
  if (isList(models)) return models;
  const name = chosenName(effect, Object.keys(models));
  return Object.hasOwn(models, name) ? (models[name] as readonly string[]) : [];
}

const isList = (models: NonNullable<Options["models"]>): models is readonly string[] =>
  Array.isArray(models);

/** The name of the model that an attempt asks; `undefined` where there is no list. @param attempt counted from 1 */
export function modelOfAttempt(
  effect: Effect,
  attempt: number,
  options: Options,
): string | undefined {
  const models = modelsOf(effect, options);
  return models[(attempt - 1) % models.length];
}

/** The rounds that so many attempts make, and whether the last of them is whole. */
export function roundOf(
  effect: Effect,
  attempts: number,
  options: Options,
): { readonly round: number; readonly isWhole: boolean } {
  const size = Math.max(1, modelsOf(effect, options).length);
  return { round: Math.ceil(attempts / size), isWhole: attempts % size === 0 };
}
