/**
 * Decides whether a model call of thoughts may be asked now, within the budgets of calls, tokens and money. A
 * call reserves an estimate, which its cost replaces when its answer is taken in. Estimates come from such
 * answers alone, so the same sequence of answers always leads to the same calls.
 */

import { toJson, withParts } from "../kernel/values/index.js";
import {
  addUsage,
  costOf,
  countOf,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  lettersAround,
  lettersOfMessages,
  type ModelPrice,
  noUsage,
  priceOf as priceOfModel,
  spentByCall,
  tokensOf,
  type Usage,
} from "../kernel/vocabulary/index.js";
import type { Amount, Ask, Reason, Size } from "./context.js";
import { queueFront, queueItems, queuePush, queueShift, queueSize } from "./fifo.js";
import type { Operation } from "./operations/operation.js";
import { PolicyFault } from "./policies/policy-fault.js";
import type { ThoughtsSpec } from "./spec.js";
import { askOf, operationOf, placeOf, putAsk, type Work } from "./work-on-context.js";

/** The factor by which parallel calls of unknown length reserve more than the longest answer so far. */
const MARGIN = 1.25;

/**
 * The number of answers to a kind that show how long its answers are. Until then parallel calls of this
 * kind share half of the remaining budget: the longest of a few answers says little about the rest.
 */
const SHOWN = 8;

/** No amount. */
export const NOTHING: Amount = /* @__PURE__ */ toJson({ tokens: 0, cost: 0 });

/** The estimate of a call, and the degree to which the length of its answer is known. */
interface Estimate {
  readonly confidence: "not" | "hardly" | "well";
  readonly need: Amount;
}

/** The less of a run's own limit and its share of a parent's. */
export function least(own: number | null, share: number | undefined): number | null {
  return own === null || share === undefined ? (own ?? share ?? null) : Math.min(own, share);
}

/** The name of the model that an operation asks, where one is chosen. */
function modelOf({ model }: ThoughtsSpec, operation: Operation): string | undefined {
  return ("model" in operation ? operation.model : undefined) ?? model;
}

/** The price of an operation's calls; `undefined` if not given. */
export function priceOf(spec: ThoughtsSpec, operation: Operation): ModelPrice | undefined {
  const name = modelOf(spec, operation);
  const modelPrice =
    name === undefined || spec.prices === undefined ? undefined : priceOfModel(spec.prices, name);
  return modelPrice ?? spec.price;
}

/** The budget that is spent, where one is: no further call is asked. */
export function spentBudget({ budgets, modelCalls, spent }: Work): Reason | undefined {
  if (budgets.modelCalls !== null && modelCalls >= budgets.modelCalls) return "modelCalls";
  if (budgets.tokens !== null && spent.tokens >= budgets.tokens) return "tokens";
  if (budgets.cost !== null && spent.cost >= budgets.cost) return "cost";
  return undefined;
}

/**
 * Decides about the call that was held back first: ask it now, wait for answers, or leave it out because a
 * budget is met or a score is good enough (`reached`). `undefined` where none is held.
 */
export function verdict(work: Work): "now" | "later" | "reached" | Reason | undefined {
  const id = queueFront(work.held);
  if (id === undefined) return undefined;
  return work.reached ? "reached" : (spentBudget(work) ?? permit(work, id));
}

function permit(work: Work, id: string): "now" | "later" | Reason {
  const { budgets, spent, reserved } = work;
  if (budgets.tokens === null && budgets.cost === null) return "now";
  const isAlone = queueSize(work.asked) === 0;
  const { confidence, need } = needOf(work, id, isAlone);
  // Nothing is known of calls of this kind: the first runs alone.
  if (confidence === "not" && !isAlone) return "later";
  const share = confidence === "hardly" && !isAlone ? 0.5 : 1;
  const misfit = (["tokens", "cost"] as const).find((what) => {
    const budget = budgets[what];
    return budget !== null && reserved[what] + need[what] > (budget - spent[what]) * share;
  });
  if (misfit === undefined) return "now";
  return isAlone ? misfit : "later";
}

/**
 * Estimates a call. Of a kind of which nothing is known it is the question alone, by what other questions
 * came to; of the first call of all, nothing: a guess leaves no call out.
 */
function needOf(work: Work, id: string, isAlone: boolean): Estimate {
  const operation = operationOf(work, placeOf(id).operation);
  const directive = askOf(work, id).directive as LlmDirective;
  const size = work.sizes[operation.kind];
  const bound = directive.settings?.maxOutputTokens;
  const outputTokens = bound ?? Math.ceil((size?.outputTokens ?? 0) * (isAlone ? 1 : MARGIN));
  const sizes = size === undefined ? Object.values(work.sizes) : [size];
  const isShown = bound !== undefined || countOf(size?.answers) >= SHOWN;
  const extent = isShown ? "well" : size === undefined ? "not" : "hardly";
  if (extent === "not" && sizes.length === 0) return { confidence: extent, need: NOTHING };
  const inputTokens = Math.ceil(lettersOf(directive) * rateOf(sizes));
  const price = priceOf(work.spec, operation);
  const cost = price === undefined ? 0 : costOf(price, { inputTokens, outputTokens });
  return { confidence: extent, need: { tokens: inputTokens + outputTokens, cost } };
}

/** The number of tokens to a letter of a question, by what was asked so far. */
function rateOf(sizes: readonly Size[]): number {
  const letters = sizes.reduce((sum, size) => sum + size.letters, 0);
  const tokens = sizes.reduce((sum, size) => sum + size.inputTokens, 0);
  return letters > 0 ? tokens / letters : tokensOf(1_000) / 1_000;
}

/** Letters of a question, other scripts by their tokens: the rate of one may be used of another. */
function lettersOf(directive: LlmDirective): number {
  const { messages } = directive;
  return lettersAround(directive) + (Array.isArray(messages) ? lettersOfMessages(messages) : 0);
}

/** Asks the call that was held back first. */
export function send(work: Work): void {
  const id = queueFront(work.held) as string;
  const operation = operationOf(work, placeOf(id).operation);
  const { spec, budgets } = work;
  if (budgets.cost !== null && priceOf(spec, operation) === undefined) {
    throw new PolicyFault(
      `operation ${operation.id} asks the model ${modelOf(spec, operation) ?? "default"}, of which no price is known; costBudget needs one`,
    );
  }
  const isMetered = budgets.tokens !== null || budgets.cost !== null;
  const need = isMetered ? needOf(work, id, queueSize(work.asked) === 0).need : NOTHING;
  const ask = askOf(work, id);
  putAsk(
    work,
    operation.id,
    withParts(ask, { status: "asked" as const, need: reserve(work, ask, need) }),
  );
  work.held = queueShift(work.held);
  work.asked = queuePush(work.asked, id);
  work.modelCalls += 1;
  work.outbox.push(ask.directive as LlmDirective);
}

/** Reserves another amount for a question. */
function reserve(work: Work, { need: before }: Ask, need: Amount): Amount {
  const { tokens, cost } = work.reserved;
  work.reserved = {
    tokens: tokens + need.tokens - before.tokens,
    cost: cost + need.cost - before.cost,
  };
  return need;
}

/** Returns what a settled call came to, at the price of its model. */
export function chargeOf(
  { spec }: Work,
  operation: Operation,
  answer: Parameters<typeof spentByCall>[0],
): Usage {
  const { cost: _reported, ...counts } = spentByCall(answer);
  const price = priceOf(spec, operation);
  const cost = price === undefined ? {} : { cost: costOf(price, counts) };
  return addUsage(noUsage, { ...counts, ...cost });
}

/** Replaces a call's estimate with what it came to, and learns from its answer, when it is heard. */
export function account(work: Work, operation: Operation, ask: Ask): void {
  const answer = ask.answer as LlmSucceeded | LlmFailed;
  const { spent, sizes } = work;
  const { inputTokens, totalTokens, cost = 0 } = chargeOf(work, operation, answer);
  reserve(work, ask, NOTHING);
  work.spent = { tokens: spent.tokens + totalTokens, cost: spent.cost + cost };
  if (answer.type === "llm.failed") return;
  const { kind } = operation;
  const sizeBefore = sizes[kind] ?? { answers: 0, letters: 0, inputTokens: 0, outputTokens: 0 };
  const size = {
    answers: sizeBefore.answers + 1,
    letters: sizeBefore.letters + lettersOf(ask.directive as LlmDirective),
    inputTokens: sizeBefore.inputTokens + inputTokens,
    outputTokens: Math.max(sizeBefore.outputTokens, totalTokens - inputTokens),
  };
  work.sizes = { ...sizes, [kind]: size };
  if (size.outputTokens > sizeBefore.outputTokens) reserveMore(work, kind);
}

/** Raises what is reserved for open questions of a kind: its answers are longer than was known. */
function reserveMore(work: Work, kind: Operation["kind"]): void {
  if (work.budgets.tokens === null && work.budgets.cost === null) return;
  for (const id of queueItems(work.asked)) {
    const { operation } = placeOf(id);
    if (operationOf(work, operation).kind !== kind) continue;
    const ask = askOf(work, id);
    const { need } = needOf(work, id, false);
    putAsk(work, operation, withParts(ask, { need: reserve(work, ask, need) }));
  }
}
