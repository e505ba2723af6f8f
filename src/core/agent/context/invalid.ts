/** The fault `agent.invalid`: a wrong input, or a wrong return value of a user's function. */
import { cutText, inOneLine, ReckonerError } from "../../kernel/values/index.js";

/**
 * The error for it. Of what a machine throws its place alone is recorded, so the place says it all.
 * @param what is wrong, where it is and how to mend it; without a full stop
 */
export function invalid(what: string): ReckonerError {
  return new ReckonerError("agent.invalid", `${what}.`, { place: inOneLine(cutText(what)) });
}
