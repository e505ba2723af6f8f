/**
 * Finds the newest event up to a given one at which a run was in each state of its chart, so that the nodes
 * of the drawn chart lead to these events.
 */
import type { RunChart, StateValue } from "../../core/kernel/machine/index.js";
import { chartPicture } from "../../pictures/index.js";
import type { RecordedMoment } from "./recorded-run.js";

/** A value that the machine's state had, and the events after which it had it. */
interface Visited {
  readonly value: StateValue;
  readonly seqs: number[];
  /** The lit nodes of a chart. A machine has few values, however many events. */
  readonly lit: Map<RunChart, readonly string[]>;
}

/** The states of one run. */
export class VisitedStates {
  readonly #visited: readonly Visited[];

  constructor(moments: readonly RecordedMoment[]) {
    const found = new Map<string, Visited>();
    for (const { value, seq } of moments) {
      const key = JSON.stringify(value);
      const state: Visited = found.get(key) ?? { value, seqs: [], lit: new Map() };
      found.set(key, state);
      state.seqs.push(seq);
    }
    this.#visited = [...found.values()];
  }

  /**
   * The newest event up to one at which the run was in each state, by the ids of the chart's nodes.
   * @throws what drawing the chart throws
   */
  newest(seq: number, chart: RunChart): ReadonlyMap<string, number> {
    const before = this.#visited.flatMap((each) => {
      const at = newestUpTo(each.seqs, seq);
      return at === undefined ? [] : [{ each, at }];
    });
    const found = new Map<string, number>();
    for (const { each, at } of before.sort((a, b) => a.at - b.at)) {
      for (const id of litIn(each, chart)) found.set(id, at);
    }
    return found;
  }
}

function litIn({ value, lit }: Visited, chart: RunChart): readonly string[] {
  const cached = lit.get(chart);
  if (cached !== undefined) return cached;
  const { nodes } = chartPicture(chart, { active: value as never });
  const ids = nodes.flatMap(({ id, borderTone }) => (borderTone === "blue" ? [id] : []));
  lit.set(chart, ids);
  return ids;
}

/** The last of ascending numbers that is not above another. */
function newestUpTo(seqs: readonly number[], seq: number): number | undefined {
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seqs[middle] as number) <= seq) low = middle + 1;
    else high = middle;
  }
  return seqs[low - 1];
}
