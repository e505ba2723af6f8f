/**
 * All texts that the model reads in place of an ordinary tool result (unknown tool, denied, failed,
 * unknown outcome …), and the title of an approval. Several are worded as in the Nous agent.
 */
import type { AnswerFlaw, CallIdentity } from "../../kernel/vocabulary/index.js";

/** The title of the approval that a tool call needs: what a person is asked. */
export function approvalTitle(name: string): string {
  return `Run the tool ${name}?`;
}

/** The title of the question that a tool asks a person. */
export function askTitle(name: string): string {
  return `Answer what the tool ${name} asks.`;
}

/** A person was asked, and the turn goes on without the call. */
export function asked(id: string): string {
  return `A person was asked whether this call may run (${id}). It has not run. A later message says what came of it; go on without it, and do not repeat the call.`;
}

/** The beginning of the message about a call whose approval did not block: it is the library's own. */
export function cameOf(id: string, name: string, edited: string | undefined): string {
  const ran = edited === undefined ? "" : ` It ran with other arguments, ${edited}.`;
  return `[This is not from the user: it is what came of the call ${id} of ${name}, for which a person was asked.${ran}]`;
}

/** The run ended before a person had decided. */
export const NOT_DECIDED =
  "Tool call was not executed, since the run ended before it was approved.";

/** The call never started. */
export const NOT_EXECUTED = "Tool call was interrupted and not executed. Please retry if needed.";

/** The call had started, and its outcome is unknown: with what is needed to look it up. */
export function mayHaveRun({ runId, id, idempotencyKey }: CallIdentity): string {
  return `Tool call was interrupted after it had started. It may have taken effect; check before you repeat it (call ${id} of run ${runId}, idempotency key ${idempotencyKey}).`;
}

/** The journal lost its end, and the call, or the one before it, had no outcome there. */
export function mayBeLost({ runId, id, idempotencyKey }: CallIdentity): string {
  return `The record of this tool call is lost. It may have taken effect; check before you repeat it (call ${id} of run ${runId}, idempotency key ${idempotencyKey}).`;
}

/** The call was not begun, since the model has to read first that one before it is unknown. */
export function behindUnknown(name: string, { id }: CallIdentity): string {
  return `Tool call was not executed, since the call before it is unknown (${name}, ${id}). Find out what came of that one, then repeat this one if it is needed.`;
}

/** The call was not begun, since the agent's own code ended the turn. */
export const TURN_ENDED = "Tool call was not executed, since the turn was ended before it.";

/** The call was not begun, and the turn failed. */
export const TURN_FAILED = "Tool call was not executed, since the turn failed before it.";

/** The rest of a text for which a step has no room. */
export const NO_ROOM = "Error: left out, since what this step made is too large together.";

/** The arguments were no JSON. */
export const MALFORMED =
  "Error: tool arguments were not valid JSON. Please retry with a JSON object.";

/** The length to which a model's own text is quoted back to it. */
const MAX_QUOTE = 500;

function quoted(text: string): string {
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}

/** The arguments were JSON, and cannot be taken as they are meant. */
export function refusedArguments(why: string): string {
  return `Error: tool arguments were valid JSON but cannot be taken: ${quoted(why)}. Please retry without that.`;
}

/** The arguments were JSON, and no object. */
export function notAnObject(json: string): string {
  return `Error: tool arguments were valid JSON but not an object: ${quoted(json)}. Please retry with a JSON object.`;
}

/** The arguments were no text, and the tool takes nothing else. */
export function notAText(json: string): string {
  return `Error: the tool takes a text and was called with ${quoted(json)}. Please retry with a text.`;
}

/** The provider rejected a call that the model made. */
export function callRejected(message: string, written: string | undefined): string {
  const what = written === undefined ? "" : ` You wrote: ${quoted(written)}`;
  return `Error: your tool call was rejected by the provider (${quoted(message)}).${what} Nothing was executed. Please retry with a valid call, or answer without one.`;
}

/** The calls of an answer that is not believed did not run. */
export function callsNotRun(flaw: AnswerFlaw): string {
  return `Error: not executed, because ${because[flaw]}. Nothing was done.${flaw === "truncated" ? " Make the call again with shorter arguments, or in smaller parts." : " Make the call again if it is needed."}`;
}

/** An answer without calls is not believed, and asked for again. */
export function answerAgain(flaw: AnswerFlaw): string {
  return `Your last answer was not taken, because ${because[flaw]}. ${wanted[flaw]}`;
}

const because: { readonly [Flaw in AnswerFlaw]: string } = {
  empty: "it was empty",
  truncated: "the answer was cut off at the limit of its length",
  filtered: "the answer was stopped by a filter of the provider",
  faulty: "the provider ended the answer as faulty",
};

const wanted: { readonly [Flaw in AnswerFlaw]: string } = {
  empty: "Answer now.",
  truncated: "Give the whole answer again, and shorter.",
  filtered: "Answer in other words, or say that you cannot answer.",
  faulty: "Answer again.",
};

/** The provider's own tool was called as one of ours. */
export function providersOwn(name: string): string {
  return `Error: the tool ${name} is carried out by the provider and cannot be called here.`;
}

/** A person said no. */
export function rejected(reason: string | undefined): string {
  return reason === undefined
    ? "Tool call was rejected by approval handler."
    : `Tool call was rejected by approval handler: ${reason}`;
}

/** A person edited the call before it ran: its arguments are now those with which it ran. */
export function edited(by: string | undefined): string {
  return `[The arguments of this call were edited by ${by ?? "a person"} before it ran. It ran as it stands above.]`;
}

/** A hook said no. */
export function denied(reason: string | undefined): string {
  return reason === undefined
    ? "Tool call was denied by hook."
    : `Tool call was denied by hook: ${reason}`;
}

/**
 * A call's result is kept from the model, since a hook failed over it. The reason is not said:
 * an error of a hook may quote the text that it was to hide.
 */
export function withheld(state: string, hook: string): string {
  return `${state}, and its outcome is withheld: the hook ${hook} failed.`;
}

/** The text for an answer of `afterTool` or `afterNoResult` that is no outcome. */
export const NO_OUTCOME =
  "it must return nothing, or the outcome with another output or text, and its type as it was";

/** `beforeTool` returned something that is not a verdict. */
export const NO_VERDICT =
  'its verdict is invalid; beforeTool must return nothing, or { type: "allow", "modify" or "deny" }';

/** `beforeRequest` returned something that is not a verdict. */
export const NO_REQUEST_VERDICT =
  'its verdict is invalid; beforeRequest must return nothing, or { type: "deny", reason: a string }';

/** There is no such tool. */
export function notFound(name: string): string {
  return `Tool not found: ${name}`;
}

/** The tool failed, in words that were written for the model. */
export function failed(message: string): string {
  return `Tool execution failed: ${message}`;
}

/** The tool threw. The error is not for the model: it may quote a text that the model must not read. */
export function threw(name: string): string {
  return failed(`${name} threw an error.`);
}

/** The tool ran, and its result cannot be used. */
export function ranInVain(message: string): string {
  return `The tool ran, and its result is lost: ${message}`;
}

/** The arguments do not match the tool's schema. */
export function invalidArguments(issues: string): string {
  return `Error: tool arguments did not match the schema (${issues}). Please retry with valid arguments.`;
}

/** A limit is reached, and the model is asked for what it has. */
export const BEST_ANSWER =
  "A limit of this run is reached. Give your best answer now, from what you know, without calling tools.";

/** The present instructions, in a turn after the one in which the system text was read. */
export function instructionsChanged(
  changed: readonly { readonly by: string; readonly text: string }[],
): string {
  const parts = changed.map(({ by, text }) =>
    text === "" ? `(Nothing is said by ${by} any more.)` : text,
  );
  return [
    "[This is not from the user: some of the instructions have changed since the system text.]",
  ]
    .concat(parts)
    .join("\n\n");
}

/** The answer's text is not the JSON that was asked for. */
export function invalidOutput(issues: string): string {
  return `Your answer does not have the required form (${issues}). Answer again, with JSON of the required form and nothing else.`;
}

/** The answer came as text where a tool had to be called. */
export function callTheTool(name: string): string {
  return `Give your answer by calling the tool ${name}.`;
}
