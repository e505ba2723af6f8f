/**
 * Checks definitions (of agents, tools, plans) and the arguments of exported functions by their shapes, and
 * throws a `ReckonerError` that says what does not fit.
 */
import { type ErrorCode, ReckonerError } from "../values/errors.js";
import { ANYTHING, misfit, optionsOf, type Shape } from "./shapes.js";

type Parts = { readonly [name: string]: Shape };

/**
 * Checks a definition: that it is an object, and its parts where they are given.
 * @param what takes it, as a message names it: "plan", or "plan, behind its operations,"
 * @param parts the parts that it may have
 * @param required the parts that may not be left out
 * @throws ReckonerError of that code
 */
export function checkDefinition(
  code: ErrorCode,
  what: string,
  definition: unknown,
  parts?: Parts,
  required?: readonly string[],
): void {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    const kind = Array.isArray(definition) ? "a list" : nameOf(definition);
    throw new ReckonerError(code, `${what} takes an object that defines it, not ${kind}.`);
  }
  const fault = parts && partFault(definition, parts, required);
  if (fault !== undefined) throw new ReckonerError(code, `${what.split(",")[0]}: ${fault}.`);
}

function nameOf(value: unknown): string {
  return value === null || value === undefined ? "nothing" : `a ${typeof value}`;
}

/**
 * Describes the first part of a definition that it may not have, that is missing, or that is not what it
 * has to be; `undefined` where there is none.
 * @param required the parts that may not be left out
 */
export function partFault(
  definition: object,
  parts: Parts,
  required: readonly string[] = [],
): string | undefined {
  return misfit(definition, optionsOf(parts, ...required));
}

/** The same of an object that may have parts of these names, each of which is looked at elsewhere. */
export function nameFault(value: object, ...names: readonly string[]): string | undefined {
  return partFault(value, Object.fromEntries(names.map((name) => [name, ANYTHING])));
}

/**
 * Checks what a function was given; of options, what they hold as well.
 * @param of the function, as a message names it
 * @param args its arguments by name, those that may be left out with their defaults
 * @throws ReckonerError `option.invalid` for the first that is not what it has to be, or holds what is
 * misspelt; the argument's name as `place`
 */
export function checkArguments(
  of: string,
  args: { readonly [name: string]: unknown },
  shapes: Parts,
): void {
  for (const [name, shape] of Object.entries(shapes)) checkArgument(of, name, args[name], shape);
}

/** The same of one argument. */
export function checkArgument(of: string, name: string, argument: unknown, shape: Shape): void {
  const fault = misfit(argument, shape, name);
  if (fault === undefined) return;
  throw new ReckonerError("option.invalid", `${of}: ${fault}.`, { place: name });
}
