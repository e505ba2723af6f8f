/**
 * Asks the model once more for an answer that cannot be used (`answerFlaw`: empty, cut off, filtered or
 * faulty), and tells it why. After a limited number of such answers in a turn, the turn ends with an error.
 */
import type { AnswerFlaw, EffectError, NotifyDirective } from "../../kernel/vocabulary/index.js";
import { reachedLimit } from "../budget/limits.js";
import type { AgentContext } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { addMessage } from "../extend/context-functions.js";
import * as texts from "../transcript/texts.js";

/** The states of the chart in which a run ends for an answer that is not believed. */
export const flawedEnds: { readonly [Flaw in AnswerFlaw]: `${Flaw}Answer` } = {
  empty: "emptyAnswer",
  truncated: "truncatedAnswer",
  filtered: "filteredAnswer",
  faulty: "faultyAnswer",
};

/** The flaws, as the chart goes through them. */
export const flaws: readonly AnswerFlaw[] = Object.keys(flawedEnds) as AnswerFlaw[];

/** The flaw of the last answer, where it is not believed. */
export function disbelieved({ flaw }: AgentContext): AnswerFlaw | null {
  return flaw === "output" || flaw === "rejected" ? null : flaw;
}

/**
 * The context with a word to the model about an answer without calls that is not believed, and one try
 * less; `error` is set where no try is left.
 * @param again whether the model may be asked again
 */
export function sendBack(spec: AgentSpec, context: AgentContext, again: boolean): AgentContext {
  const flaw = disbelieved(context);
  if (flaw === null) return context;
  const counted = again
    ? countFlaw(spec, context)
    : { ...context, error: flawError(context, flaw) };
  if (counted.error !== null) return counted;
  return addMessage(counted, { role: "user", content: texts.answerAgain(flaw) });
}

/** The context with one try less for the flaw of its last answer; `error` is set where none is left. */
export function countFlaw(spec: AgentSpec, context: AgentContext): AgentContext {
  const flaw = disbelieved(context);
  if (flaw === null) return context;
  const isOver = context.answerTries >= spec.limits.answerRetries;
  // At a limit that ends the turn this is why there is no answer.
  const isLast = reachedLimit(context) !== null && spec.limits.onLimit === "error";
  if (isOver || isLast) return { ...context, error: flawError(context, flaw) };
  return { ...context, answerTries: context.answerTries + 1, error: null };
}

/** A word to observers that the last answer is asked for again, and why; none where it is not. */
export function againNotices({
  flaw,
  error,
  iteration,
  answerTries,
}: AgentContext): readonly NotifyDirective[] {
  if (flaw === null || error !== null) return [];
  const data = { iteration: iteration - 1, flaw, times: answerTries };
  return [{ type: "notify", topic: "answer.again", data }];
}

function flawError({ answerTries, finishReason }: AgentContext, flaw: AnswerFlaw): EffectError {
  const times = answerTries === 0 ? "" : `, also when it was asked again (${answerTries} times)`;
  const stopped = `(finish reason ${finishReason})`;
  switch (flaw) {
    case "empty":
      return {
        code: "agent.emptyAnswer",
        message: `The model answered without a text or a call ${stopped}${times}; look at what it was asked, or ask another model.`,
      };
    case "truncated":
      return {
        code: "agent.truncatedAnswer",
        message: `The model's answer was cut off at the limit of its length ${stopped}${times}; raise settings.maxOutputTokens, or ask for less.`,
      };
    case "filtered":
      return {
        code: "agent.filteredAnswer",
        message: `A filter of the provider stopped the model's answer ${stopped}${times}; change what it was asked, or ask another model.`,
      };
    case "faulty":
      return {
        code: "agent.faultyAnswer",
        message: `The provider ended the model's answer as faulty ${stopped}${times}; try again later, or ask another model.`,
      };
    default:
      throw new Error(`No error for ${flaw satisfies never}`);
  }
}
