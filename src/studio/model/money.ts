/**
 * Computes the cost of model calls by the prices of reasoners, up to each event of a tree, and writes amounts
 * in words. Journals hold usage, and no prices.
 */
import { isEventLine, isHeaderLine, type Line, ROOT_RUN } from "../../core/journal/index.js";
import {
  costOfCall,
  dollarsOf,
  type Prices,
  type RunEvent,
  type Usage,
} from "../../core/kernel/vocabulary/index.js";
import type { RecordedTree } from "./recorded-tree.js";

/** The prices of reasoners, by their ids. */
export interface PriceBook {
  readonly [reasoner: string]: { readonly prices: Prices; readonly model?: string };
}

/**
 * The cost of a settled model call, in US dollars.
 * @param reasoner the id of the one that asked; `undefined` where it has no prices
 */
export function costOfAnswer(...call: Parameters<typeof billionthsOfAnswer>): number | undefined {
  const cost = billionthsOfAnswer(...call);
  return cost === undefined ? undefined : dollarsOf(cost);
}

function billionthsOfAnswer(
  book: PriceBook,
  reasoner: string | undefined,
  event: RunEvent | undefined,
): number | undefined {
  const own = reasoner !== undefined && Object.hasOwn(book, reasoner) ? book[reasoner] : undefined;
  if (own === undefined || event === undefined || !/^llm\./.test(event.type)) return undefined;
  const { usage, ...settled } = event as { readonly usage?: Partial<Usage> };
  return usage === undefined ? undefined : costOfCall(own.prices, settled, usage, [own.model]);
}

/** Adds up the cost of a tree's model calls, of its lines in their order. */
export class Money {
  readonly #book: PriceBook;
  readonly #reasoners = new Map<string, string>();
  #cost: number | undefined;

  constructor(book: PriceBook) {
    this.#book = book;
  }

  /** In US dollars; `undefined` where nothing that was asked has a price. */
  get cost(): number | undefined {
    return this.#cost === undefined ? undefined : dollarsOf(this.#cost);
  }

  take(line: Line): void {
    if (isHeaderLine(line)) this.#reasoners.set(ROOT_RUN, line.reasoner.id);
    if (!isEventLine(line)) return;
    const { run = ROOT_RUN, begin, event } = line;
    if (begin !== undefined) this.#reasoners.set(run, begin.reasoner.id);
    const cost = billionthsOfAnswer(this.#book, this.#reasoners.get(run), event);
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
  }
}

/** The cost of a tree's model calls up to each of its events, by their numbers; none before the first that has one. */
export function costsOf(book: PriceBook, tree: RecordedTree): ReadonlyMap<number, number> {
  const money = new Map<number, number>();
  let sum: number | undefined;
  for (const { seq, run, event } of tree.moments) {
    const cost = billionthsOfAnswer(book, tree.of(run)?.header?.reasoner.id, event);
    if (cost !== undefined) sum = (sum ?? 0) + cost;
    if (sum !== undefined) money.set(seq, dollarsOf(sum));
  }
  return money;
}

/** An amount in words. @param amount in US dollars */
export function moneyText(amount: number): string {
  const digits = amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6;
  return amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: digits });
}
