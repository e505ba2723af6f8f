/** What a run has cost so far. */
export interface Usage {
  /** Model calls. */
  readonly requests: number;
  /** Tool calls that came to a result, whatever it was. */
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
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

const counters = Object.keys(noUsage) as (keyof Usage)[];

/** Two usages added up; absent and non-finite counts are 0. */
export function addUsage(a: Usage, b: Partial<Usage>): Usage {
  const sum = { ...a };
  for (const key of counters) {
    const more = b[key];
    if (typeof more === "number" && Number.isFinite(more)) sum[key] = a[key] + more;
  }
  return sum;
}
