/**
 * Checks the options of a definition: unknown names (a misspelt option would be ignored silently)
 * and wrong values.
 */
import { type ErrorCode, ReckonerError } from "./errors.js";
import { misfit, type Shape } from "./shapes.js";

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
  parts?: { readonly [name: string]: true | Shape },
  required?: readonly string[],
): void {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    const given = Array.isArray(definition) ? "a list" : nameOf(definition);
    throw new ReckonerError(code, `${what} takes an object that defines it, not ${given}.`);
  }
  const fault = parts && partFault(definition, parts, required);
  if (fault !== undefined) throw new ReckonerError(code, `${what.split(",")[0]}: ${fault}.`);
}

function nameOf(value: unknown): string {
  return value === null || value === undefined ? "nothing" : `a ${typeof value}`;
}

/** The parts that a definition may have: what each has to be, or `true` where that is seen elsewhere. */
export type Parts<T> = { readonly [Name in keyof Required<T>]: true | Shape };

/**
 * The first name in an object that it may not have; `undefined` where there is none. An object of a
 * class may have fields of its own.
 * @param counts whether a name counts that it may not have
 */
export function unknownName(
  definition: object,
  parts: object,
  counts: (name: string) => boolean = () => true,
): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(definition);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  return Object.keys(definition).find((name) => !Object.hasOwn(parts, name) && counts(name));
}

/**
 * Describes the first part of a definition that it may not have, that is missing, or that is not what it
 * has to be; `undefined` where there is none.
 * @param required the parts that may not be left out
 */
export function partFault(
  definition: object,
  parts: { readonly [name: string]: true | Shape },
  required: readonly string[] = [],
): string | undefined {
  const unknown = unknownName(definition, parts);
  if (unknown !== undefined) {
    const known = Object.keys(parts);
    return `${unknown} is not a part of it; ${known.join(", ")} ${known.length === 1 ? "is" : "are"}`;
  }
  for (const [name, shape] of Object.entries(parts)) {
    const value = (definition as { readonly [name: string]: unknown })[name];
    if (value === undefined && required.includes(name)) return `${name} is missing`;
    if (shape === true || value === undefined) continue;
    const fault = misfit(value, shape);
    if (fault !== undefined) return `${name} ${fault}`;
    const inner = shape[2] && partFault(value as object, shape[2]);
    if (inner !== undefined) return `${name}: ${inner}`;
  }
  return undefined;
}
