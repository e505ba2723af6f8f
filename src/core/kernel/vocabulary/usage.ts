/** What a run has cost so far. */
export interface Usage {
  /** Model calls, also failed, repeated, cut off and cancelled ones. */
  readonly requests: number;
  /** Tool calls that came to a result, whatever it was. */
  readonly toolCalls: number;
  /** All of them, what came from a cache and what went into one included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
  /** Money, in billionths of the prices' currency, rounded per call. Absent where no prices are set. */
  readonly cost?: number;
}

/** Nothing spent. */
export const noUsage: Usage = Object.freeze({
  requests: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
});

const counters = Object.keys(noUsage) as (keyof typeof noUsage)[];

/**
 * Two usages added up. Counts are whole numbers from 0 on, so that a sum depends on no order and
 * nothing that a port says takes anything back: whatever is none is 0.
 */
export function addUsage(a: Usage, b: Partial<Usage>): Usage {
  const sum: { -readonly [Counter in keyof Usage]: Usage[Counter] } = { ...a };
  for (const key of counters) {
    const more = countOf(b[key]);
    if (more > 0) sum[key] = plus(a[key] ?? 0, more);
  }
  if (b.cost !== undefined) sum.cost = plus(a.cost ?? 0, countOf(b.cost));
  return sum;
}

/** A provider that gives no total has it counted: budgets are of all tokens. */
export function withTotal(usage: Partial<Usage>): Partial<Usage> {
  if (usage.totalTokens !== undefined) return usage;
  return { ...usage, totalTokens: countOf(usage.inputTokens) + countOf(usage.outputTokens) };
}

/** A whole number from 0 on; 0 where it is none. */
export function countOf(value: unknown): number {
  if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) return 0;
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
}

const plus = (a: number, b: number) => Math.min(a + b, Number.MAX_SAFE_INTEGER);
