/** What a model reads where a tool call has no ordinary result. The literals are the seed's. */

/** The call never started. */
export const NOT_EXECUTED = "Tool call was interrupted and not executed. Please retry if needed.";

/** The call had started, and nobody knows what came of it. */
export const MAY_HAVE_RUN =
  "Tool call was interrupted after it had started. It may have taken effect; check before you repeat it.";

/** The arguments were not a JSON object. */
export const MALFORMED =
  "Error: tool arguments were not valid JSON. Please retry with a JSON object.";

/** A person said no. */
export function rejected(reason: string | undefined): string {
  return reason === undefined
    ? "Tool call was rejected by approval handler."
    : `Tool call was rejected by approval handler: ${reason}`;
}

/** A policy said no. */
export function denied(reason: string | undefined): string {
  return reason === undefined
    ? "Tool call was denied by hook."
    : `Tool call was denied by hook: ${reason}`;
}

/** There is no such tool. */
export function notFound(name: string): string {
  return `Tool not found: ${name}`;
}

/** The tool failed. */
export function failed(message: string): string {
  return `Tool execution failed: ${message}`;
}

/** The arguments do not match the tool's schema. */
export function invalidArguments(issues: string): string {
  return `Error: tool arguments did not match the schema (${issues}). Please retry with valid arguments.`;
}

/** A limit is reached, and the model is asked for what it has. */
export const BEST_ANSWER =
  "A limit of this run is reached. Give your best answer now, from what you know, without calling tools.";

/** The answer's text is not the JSON that was asked for. */
export function invalidOutput(issues: string): string {
  return `Your answer does not have the required form (${issues}). Answer again, with JSON of the required form and nothing else.`;
}

/** The answer came as text where a tool had to be called. */
export function callTheTool(name: string): string {
  return `Give your answer by calling the tool ${name}.`;
}
