/**
 * `Costs`: finds the costs of runs in the studio's list: by the prices in the code of `--config`, otherwise
 * as a run's newest snapshot has counted them.
 */

import type { Reasoner } from "../../core/kernel/machine/index.js";
import { dollarsOf } from "../../core/kernel/vocabulary/index.js";
import {
  headerOf,
  type JournalPort,
  snapshotsOf,
  verifiedSnapshot,
  viewOf,
} from "../../runtime/index.js";
import type { Listed } from "../../studio/live/index.js";
import { Money, type PriceBook, type RunItem } from "../../studio/model/index.js";
import { loadConfig } from "../config/config.js";
import type { StudioParts } from "./parts.js";

/** Runs whose cost is looked up for one answer: no fewer than journals are read for it. */
const MOST_READ = 200;

/** Costs, kept as long as their runs and the prices are as they were. */
export class Costs {
  readonly #kept = new Map<string, { readonly stamp: string; readonly cost: number | undefined }>();
  #prices = "";
  #hasAnswered = false;

  /** The prices of the code that was named, and of its children. @throws ReckonerError `config.invalid` */
  async book({ io, config }: StudioParts): Promise<PriceBook> {
    if (config === undefined) return {};
    return pricesIn((await loadConfig(io, config)).reasoner);
  }

  /** Adds the costs to a list of runs, as far as they are known; `pending` counts those that are looked up next. */
  async add(parts: StudioParts, { runs, unread, pending = 0 }: Listed): Promise<Listed> {
    // Code may take seconds to load: the first answer does not wait for it.
    const isFirst = !this.#hasAnswered && parts.config !== undefined;
    this.#hasAnswered = true;
    if (isFirst) return { runs, unread, pending: pending + runs.length };
    const book = await this.book(parts).catch(() => undefined);
    // Code that cannot be loaded says nothing of any run until it is mended.
    if (book === undefined) return { runs, unread, ...(pending === 0 ? {} : { pending }) };
    const prices = JSON.stringify(book);
    if (this.#prices !== prices) this.#kept.clear();
    this.#prices = prices;
    // A host would be asked for each of its runs, and gives no snapshots.
    if (parts.journals.kind === "host" && prices === "{}") return { runs, unread };
    let [read, left] = [0, pending];
    const priced: RunItem[] = [];
    for (const run of runs) {
      const stamp = `${run.events} ${run.lastAt}`;
      const cached = this.#kept.get(run.journal);
      if (cached?.stamp !== stamp && read >= MOST_READ) {
        left += 1;
        priced.push(run);
        continue;
      }
      if (cached?.stamp !== stamp) {
        read += 1;
        const cost = await costOf(parts.journals.open(run.journal), run, book).catch(
          () => undefined,
        );
        this.#kept.set(run.journal, { stamp, cost });
      }
      const { cost } = this.#kept.get(run.journal) ?? {};
      priced.push(cost === undefined ? run : { ...run, cost });
    }
    return { runs: priced, unread, ...(left === 0 ? {} : { pending: left }) };
  }
}

/** The cost of a run by prices; `undefined` where nothing says it. @throws what reading its journal throws */
export async function costOf(
  port: JournalPort,
  { events }: Pick<RunItem, "events">,
  book: PriceBook,
): Promise<number | undefined> {
  if (Object.keys(book).length === 0) return countedIn(port, events);
  const money = new Money(book);
  for await (const { line } of viewOf(port).treeLines()) money.take(line);
  return money.cost;
}

/** The cost that a run itself has counted, where a snapshot behind its last event holds it. */
async function countedIn(port: JournalPort, events: number): Promise<number | undefined> {
  if ((await headerOf(port)).configuration?.prices === undefined) return undefined;
  const newest = [...(await snapshotsOf(port))].map(({ seq }) => seq).sort((a, b) => b - a)[0];
  if (newest === undefined || newest < events - 1) return undefined;
  const state = (await verifiedSnapshot(port, newest))?.runs[0]?.state;
  const { usage } = (state?.context ?? {}) as { readonly usage?: { readonly cost?: unknown } };
  return typeof usage?.cost === "number" ? dollarsOf(usage.cost) : undefined;
}

function pricesIn(reasoner: Pick<Reasoner, "id" | "children">, found: PriceBook = {}): PriceBook {
  const { id, children } = reasoner;
  if (Object.hasOwn(found, id)) return found;
  const { spec } = reasoner as { readonly spec?: PriceBook[string] };
  const { prices, model } = spec ?? {};
  const own = typeof model === "string" ? { model } : {};
  const all = prices === undefined ? found : { ...found, [id]: { prices, ...own } };
  return Object.values(children).reduce<PriceBook>((book, child) => pricesIn(child, book), all);
}
