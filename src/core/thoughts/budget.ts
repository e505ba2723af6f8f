/**
 * Budgets of calls, tokens and money. A call reserves its estimate before it begins: its prompt's
 * length and the longest answer of its kind so far, or `maxOutputTokens` if given. The first call
 * of a kind runs alone. A call that does not fit waits until all running calls are done; then it
 * begins or is dropped, in the order of asking. So nothing depends on the order of arrival.
 */
import {
  addUsage,
  costOf,
  countOf,
  emptyVector,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  lettersAround,
  lettersOfMessages,
  type ModelPrice,
  priceOf as priceOfModel,
  pushItem,
  sealOwn,
  spentByCall,
  tableGet,
  tableSet,
  tokensOf,
  type Usage,
  vectorItem,
  vectorItems,
  vectorSize,
} from "../kernel/index.js";
import type { Ask, Reason, Size } from "./context.js";
import type { Operation } from "./operation.js";
import { PolicyFault } from "./policy-fault.js";
import type { ThoughtsSpec } from "./spec.js";
import { compareIds } from "./walk.js";
import { operationOf, putState, stateOf, type Work } from "./work.js";

/**
 * The factor by which parallel calls of unknown length reserve more than the longest answer so far.
 */
const MARGIN = 1.25;

/**
 * How many answers to a kind show how long they may be. Until then, calls of it that go side by side are
 * given half of what is left: the longest of a few says little of the rest.
 */
const SHOWN = 8;

/** What a call is expected to come to; cost in billionths. */
interface Need {
  /** How far it is known how long its answer may be: not at all, by a few, or well enough. */
  readonly known: "not" | "hardly" | "well";
  readonly tokens: number;
  readonly cost: number;
}

/** What a run may spend: its own limit, or its share of a parent's where that is less. */
export function least(own: number | null, share: number | undefined): number | null {
  return own === null || share === undefined ? (own ?? share ?? null) : Math.min(own, share);
}

/** Whether any budget bounds what is spent on calls. */
export function isMetered({ budgets }: Work): boolean {
  return budgets.modelCalls !== null || budgets.tokens !== null || budgets.cost !== null;
}

/** The price of an operation's calls; `undefined` if not given. */
export function priceOf(
  { price, prices, model }: ThoughtsSpec,
  operation: Operation,
): ModelPrice | undefined {
  const asked = "price" in operation ? operation : undefined;
  const name = ("model" in operation ? operation.model : undefined) ?? model;
  const known = name === undefined || prices === undefined ? undefined : priceOfModel(prices, name);
  return asked?.price ?? known ?? price;
}

/** The budget that is spent already, where one is: no call begins any more. */
export function spentBudget({ budgets, modelCalls, usage }: Work): Reason | undefined {
  if (budgets.modelCalls !== null && modelCalls >= budgets.modelCalls) return "modelCalls";
  if (budgets.tokens !== null && usage.totalTokens >= budgets.tokens) return "tokens";
  if (budgets.cost !== null && (usage.cost ?? 0) >= budgets.cost) return "cost";
  return undefined;
}

/** Begins a call, holds it back until it is known what is left, or says which budget is in its way. */
export function request(work: Work, directive: LlmDirective): Reason | undefined {
  const spent = spentBudget(work);
  if (spent !== undefined) return spent;
  const waiting = vectorSize(work.held) > 0 || vectorSize(work.repeats) > 0;
  const may = waiting ? "later" : permit(work, directive);
  if (may === "now") send(work, directive);
  else if (may === "later") work.held = pushItem(work.held, directive);
  else return may;
  return undefined;
}

/** Has a call repeated: at once where nothing is metered, else when all that is under way is in. */
export function repeat(work: Work, directive: LlmDirective): void {
  if (isMetered(work)) work.repeats = pushItem(work.repeats, directive);
  else send(work, directive);
}

/** Whether calls wait, and may begin now. */
export function canRelease({ inFlight, held, repeats }: Work): boolean {
  return inFlight === 0 && (vectorSize(held) > 0 || vectorSize(repeats) > 0);
}

/**
 * Begins what waits, as far as it fits; what failed before comes first.
 * @returns the ids of the calls for which no budget is left
 */
export function release(work: Work): string[] {
  const left: string[] = [];
  const begin = (directive: LlmDirective): boolean => {
    const may = spentBudget(work) ?? permit(work, directive);
    if (may === "later") return false;
    if (may === "now") send(work, directive);
    else {
      work.cut ??= may;
      left.push(directive.id);
    }
    return true;
  };
  // In the order of asking, not in that of failing.
  const repeats = vectorItems(work.repeats).sort((a, b) => compareIds(a.id, b.id));
  work.repeats = emptyVector();
  while (repeats.length > 0 && begin(repeats[0] as LlmDirective)) repeats.shift();
  for (const directive of repeats) work.repeats = pushItem(work.repeats, directive);
  while (repeats.length === 0 && work.released < vectorSize(work.held)) {
    if (!begin(vectorItem(work.held, work.released) as LlmDirective)) return left;
    work.released += 1;
  }
  if (work.released === vectorSize(work.held)) {
    work.held = emptyVector();
    work.released = 0;
  }
  return left;
}

/**
 * Leaves out all that waits.
 * @returns the ids of those calls
 */
export function forgetHeld(work: Work): string[] {
  const held = vectorItems(work.held).slice(work.released);
  const left = [...vectorItems(work.repeats), ...held].map(({ id }) => id);
  work.held = emptyVector();
  work.repeats = emptyVector();
  work.released = 0;
  return left;
}

/** Takes a settled call off what is under way, and its usage into account. */
export function settle(work: Work, asked: Ask): void {
  const { rooms, tokens, cost } = work.reserved;
  work.reserved = { rooms, tokens: tokens - asked.tokens, cost: cost - asked.cost };
  work.inFlight -= 1;
}

/** Adds what a settled call came to, whether it was answered or not, to what was spent. */
export function spend(
  work: Work,
  operation: Operation,
  event: LlmSucceeded | LlmFailed,
): Partial<Usage> {
  const { cost: _told, ...counts } = spentByCall(event);
  const price = priceOf(work.spec, operation);
  const cost = price === undefined ? {} : { cost: costOf(price, counts) };
  work.usage = addUsage(work.usage, { ...counts, ...cost });
  return counts;
}

/** Adds what an answer came to to what was spent, and to what is known of its kind. */
export function account(
  work: Work,
  operation: Operation,
  { directive, ...event }: LlmSucceeded & { readonly directive: LlmDirective },
): void {
  const counts = spend(work, operation, event);
  const known = work.sizes[operation.kind] ?? {
    answers: 0,
    letters: 0,
    inputTokens: 0,
    outputTokens: 0,
  };
  const { inputTokens, totalTokens, outputTokens } = counts;
  const answered = outputTokens ?? countOf(totalTokens) - countOf(inputTokens);
  const size = {
    answers: known.answers + 1,
    letters: known.letters + lettersOf(directive),
    inputTokens: known.inputTokens + countOf(inputTokens),
    outputTokens: Math.max(known.outputTokens, countOf(answered)),
  };
  work.sizes = { ...work.sizes, [operation.kind]: size };
}

function permit(work: Work, directive: LlmDirective): "now" | "later" | Reason {
  const { budgets, usage, reserved, inFlight } = work;
  if (budgets.tokens === null && budgets.cost === null) return "now";
  const need = needOf(work, directive);
  // Nothing is known of calls of this kind: the first runs alone, the others when it is done.
  if (need.known === "not" && inFlight > 0) return "later";
  const share = need.known === "hardly" && inFlight > 0 ? 0.5 : 1;
  const fits = (budget: number | null, used: number, kept: number, more: number): boolean =>
    budget === null || kept + more <= (budget - used) * share;
  const misfit = !fits(budgets.tokens, usage.totalTokens, reserved.tokens, need.tokens)
    ? "tokens"
    : !fits(budgets.cost, usage.cost ?? 0, reserved.cost, need.cost)
      ? "cost"
      : undefined;
  if (misfit === undefined) return "now";
  return inFlight === 0 ? misfit : "later";
}

/**
 * What a call is expected to come to. Of a kind of which nothing is known it is the question alone, by
 * what other questions came to; of the first call of all, nothing: a guess leaves no call out.
 */
function needOf(work: Work, directive: LlmDirective): Need {
  const operation = operationOf(work, placeOf(directive.id).operation);
  const known = work.sizes[operation.kind];
  const bound = directive.settings?.maxOutputTokens;
  const margin = work.inFlight === 0 ? 1 : MARGIN;
  const outputTokens = bound ?? Math.ceil((known?.outputTokens ?? 0) * margin);
  const sizes = known === undefined ? Object.values(work.sizes) : [known];
  const isShown = bound !== undefined || countOf(known?.answers) >= SHOWN;
  const extent = isShown ? "well" : known === undefined ? "not" : "hardly";
  if (extent === "not" && sizes.length === 0) return { known: extent, tokens: 0, cost: 0 };
  const rate = rateOf(sizes);
  const inputTokens = Math.ceil(lettersOf(directive) * rate);
  const price = priceOf(work.spec, operation);
  const cost = price === undefined ? 0 : costOf(price, { inputTokens, outputTokens });
  return { known: extent, tokens: inputTokens + outputTokens, cost };
}

/** How many tokens there are to a letter of a question, by what was asked so far. */
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

function send(work: Work, directive: LlmDirective): void {
  const { operation: id, path } = placeOf(directive.id);
  const state = stateOf(work, id);
  const asked = tableGet(state.asks, path) as Ask;
  const operation = operationOf(work, id);
  if (work.budgets.cost !== null && priceOf(work.spec, operation) === undefined) {
    const model =
      ("model" in operation ? operation.model : undefined) ?? work.spec.model ?? "default";
    throw new PolicyFault(
      `operation ${id} asks the model ${model}, of which no price is known; costBudget needs one`,
    );
  }
  const metered = work.budgets.tokens !== null || work.budgets.cost !== null;
  const { tokens, cost } = metered ? needOf(work, directive) : { tokens: 0, cost: 0 };
  const open = sealOwn<Ask>({ ...asked, status: "open", tokens, cost });
  const asks = tableSet(state.asks, path, open);
  putState(work, { ...state, asks });
  const { reserved } = work;
  work.reserved = { ...reserved, tokens: reserved.tokens + tokens, cost: reserved.cost + cost };
  work.inFlight += 1;
  work.modelCalls += 1;
  work.outbox.push(directive);
}

/** The operation and the path in a call's id. */
export function placeOf(id: string): { readonly operation: string; readonly path: string } {
  const from = id.indexOf("/") + 1;
  const middle = id.indexOf("/", from);
  const again = id.indexOf("/again/", middle);
  const path = id.slice(middle + 1, again < 0 ? undefined : again);
  return { operation: id.slice(from, middle), path };
}
