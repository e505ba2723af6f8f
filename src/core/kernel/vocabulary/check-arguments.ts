/** Checks the arguments of exported functions before they are used. */
import { ReckonerError } from "./errors.js";
import { partFault } from "./part-fault.js";
import { misfit, type Shape } from "./shapes.js";

/**
 * Checks what a function was given; of options, what they hold as well.
 * @param of the function, as a message names it
 * @param given its arguments by name, those that may be left out with their defaults
 * @throws ReckonerError `option.invalid` for the first that is not what it has to be, or holds what is
 * misspelt; the argument's name as `place`
 */
export function checkArguments(
  of: string,
  given: { readonly [name: string]: unknown },
  shapes: { readonly [name: string]: Shape },
): void {
  for (const [name, shape] of Object.entries(shapes)) checkArgument(of, name, given[name], shape);
}

/** The same of one argument. */
export function checkArgument(of: string, name: string, given: unknown, shape: Shape): void {
  const fault = misfit(given, shape);
  const inner = fault === undefined && shape[2] ? partFault(given as object, shape[2]) : undefined;
  if (fault === undefined && inner === undefined) return;
  const what = inner === undefined ? `${name} ${fault}` : `${name}: ${inner}`;
  throw new ReckonerError("option.invalid", `${of}: ${what}.`, { place: name });
}
