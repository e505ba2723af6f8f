/**
 * Refuses promises that a machine's functions return: `answered` passes a return value on, and throws where
 * it is a promise, which XState would take for true or for no change. `callPart` calls a function that a user
 * gave an agent, and names it in the error where it throws.
 */
import { isUnawaited } from "../values/thenable.js";
import { AnsweredLater, PartThrew } from "./fault.js";

/**
 * Returns what a function of a machine answered.
 * @param part the function, as a fault names it
 * @throws AnsweredLater where it answered with a promise
 */
export function answered<T>(answer: T, part: string): T {
  // Most answers are a guard's or a list of directives.
  if (typeof answer === "boolean" || Array.isArray(answer) || !isUnawaited(answer)) return answer;
  throw new AnsweredLater(part);
}

/**
 * Calls a function that a machine's own calls, so that a fault names it.
 * @param part the function, as a fault names it
 * @throws PartThrew, AnsweredLater
 */
export function callPart<T>(part: string, work: () => T): T {
  let answer: T;
  try {
    answer = work();
  } catch (cause) {
    throw new PartThrew(part, cause);
  }
  return answered(answer, part);
}

/** The name of a function in a fault, behind what it is: ` later`; nothing where it has none of its own. */
export function nameIn(part: unknown): string {
  if (typeof part !== "function" || part.name === "" || part.name === "guard") return "";
  return ` ${part.name}`;
}
