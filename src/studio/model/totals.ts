/**
 * Sums up many runs for the studio's page of totals: their statuses, and the total, median and outliers of
 * time, tokens, cost, events and model calls.
 */
import { countOf } from "../../core/kernel/values/index.js";
import type { RunItem } from "./runs.js";

/** A measure of runs. */
export type Measure = "duration" | "tokens" | "cost" | "events" | "requests";

/** The totals of a measure over many runs. */
export interface MeasureTotals {
  readonly measure: Measure;
  /** The number of runs of which it is known. */
  readonly runs: number;
  readonly total: number;
  readonly median: number;
  readonly most: number;
  /** The runs that are far from the others, the farthest first. */
  readonly outliers: readonly {
    readonly journal: string;
    readonly value: number;
  }[];
}

/** Many runs together. */
export interface FolderTotals {
  readonly runs: number;
  readonly statuses: readonly { readonly status: string; readonly runs: number }[];
  readonly measures: readonly MeasureTotals[];
}

/** A run is far from the others where its deviation from the median is more than so many times the usual one. */
const FAR = 5;
const MAX_OUTLIERS = 10;

const VALUES: Readonly<Record<Measure, (run: RunItem) => number | undefined>> = {
  duration: ({ startedAt, lastAt }) => lastAt - startedAt,
  tokens: ({ tokens }) => tokens,
  cost: ({ cost }) => cost,
  events: ({ events }) => events,
  requests: ({ requests }) => requests,
};

/** The totals of runs, and their outliers. */
export function totalsOf(runs: readonly RunItem[]): FolderTotals {
  const measures = (Object.keys(VALUES) as Measure[]).flatMap((measure) => {
    const totals = measured(runs, measure);
    return totals.runs === 0 ? [] : [totals];
  });
  const statuses = counted(runs, ({ status }) => status);
  return {
    runs: runs.length,
    statuses: statuses.map(([status, count]) => ({ status, runs: count })),
    measures,
  };
}

function measured(runs: readonly RunItem[], measure: Measure): MeasureTotals {
  const points = runs.flatMap((run) => {
    const value = VALUES[measure](run);
    return value === undefined ? [] : [{ journal: run.journal, value }];
  });
  const values = points.map(({ value }) => value).sort((a, b) => a - b);
  const median = medianOf(values);
  // The median of the deviations: a mean would be drawn by the very runs that are looked for.
  const usual = medianOf(values.map((value) => Math.abs(value - median)).sort((a, b) => a - b));
  const floor = Math.max(usual, Math.abs(median) * 0.2);
  const outliers = points
    .filter(({ value }) => floor > 0 && Math.abs(value - median) > FAR * floor)
    .sort((a, b) => Math.abs(b.value - median) - Math.abs(a.value - median))
    .slice(0, MAX_OUTLIERS)
    .map(({ journal, value }) => ({ journal, value }));
  return {
    measure,
    runs: points.length,
    total: values.reduce((sum, value) => sum + value, 0),
    median,
    most: values.at(-1) ?? 0,
    outliers,
  };
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}

function counted(
  runs: readonly RunItem[],
  keyOf: (run: RunItem) => string,
): readonly (readonly [key: string, count: number])[] {
  return [...countOf(runs.map(keyOf))].sort(([, a], [, b]) => b - a);
}
