/**
 * Rebuilds the Lists of a journal's runs from the lines alone, for readers of an upgraded journal that do not
 * have the code from before the upgrade.
 */
import { type Json, type List, listHead, listOf, toArray } from "../kernel/values/index.js";
import type { DecodedLine } from "./decode-line.js";
import type { Line } from "./line.js";
import type { LineFold } from "./line-fold.js";
import { RecordedValues } from "./recorded-values.js";
import { ROOT_RUN, runOf } from "./run-lines.js";
import { headIn, listAmong, listsIn } from "./state-lists.js";
import { type TreeUpgrade, UpgradeReader } from "./upgrade.js";

/** The Lists of one run. */
interface RunLists {
  readonly values: RecordedValues;
  /** Of its last upgrade's state. */
  carried: readonly List<Json>[];
  /** The ids that it has issued. */
  ids: string[];
}

/** The Lists of the runs of a journal; its lines are taken in one by one, from the header on. */
export class RecordedLists implements LineFold {
  readonly #root: RunLists = { values: new RecordedValues(), carried: [], ids: [] };
  readonly #runs = new Map<string, RunLists>([[ROOT_RUN, this.#root]]);
  readonly #upgrades = new UpgradeReader((run, reference) => this.of(run, reference));

  take(decoded: DecodedLine): void {
    const { line, number } = decoded;
    const upgraded = this.#upgraded(line, number);
    if (upgraded !== undefined) {
      for (const { run, to } of [...upgraded.children, { run: ROOT_RUN, to: upgraded.to }]) {
        if (to === undefined) continue;
        const own = this.#of(run);
        own.carried = listsIn(to.state);
        own.ids = [...toArray(to.state.issued)];
      }
      return;
    }
    const own = this.#of(runOf(decoded));
    if ("begin" in line && line.begin !== undefined) own.values.begin(line.begin.input);
    own.values.take(line);
    if (!("event" in line)) return;
    for (const { id } of line.do ?? []) if (id !== undefined) own.ids.push(id);
  }

  /** One whose references cannot be followed says nothing. */
  #upgraded(line: Line, number: number): TreeUpgrade | undefined {
    try {
      return this.#upgrades.take(line, number);
    } catch {
      return undefined;
    }
  }

  #of(run: string): RunLists {
    const found = this.#runs.get(run);
    if (found !== undefined) return found;
    const begun = { values: this.#root.values.ofOtherRun(), carried: [], ids: [] };
    this.#runs.set(run, begun);
    return begun;
  }

  /** Returns the List of a run that a reference names, where the lines hold it. */
  of(run: string, reference: string): List<Json> | undefined {
    const { values, carried, ids } = this.#of(run);
    const carriedList = listAmong(carried, reference);
    if (carriedList !== undefined) return carriedList;
    const { size = 0, head } = headIn(reference) ?? {};
    const issued: List<Json> = listOf<Json>(ids.slice(0, size));
    if (listHead(issued) === head) return issued;
    const items = values.itemsSoFar(reference);
    return items && listOf(items);
  }
}
