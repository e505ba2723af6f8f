/** The usage of a run: requests, tokens, tool calls, cost. */
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
  /** Of the output tokens those of reasoning. Absent where no provider told of them. */
  readonly reasoningTokens?: number;
  /**
   * Money: in US dollars where it is handed to people (an end, a tool), in billionths of one in a state and
   * in lines. Absent where no prices are set.
   */
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

/**
 * Two usages added up. Counts are whole numbers from 0 on, so that a sum depends on no order and
 * nothing that a port says takes anything back: whatever is none is 0.
 */
export function addUsage(a: Usage, b: Partial<Usage>): Usage {
  const sum: Usage = {
    requests: plus(a.requests, b.requests),
    toolCalls: plus(a.toolCalls, b.toolCalls),
    inputTokens: plus(a.inputTokens, b.inputTokens),
    outputTokens: plus(a.outputTokens, b.outputTokens),
    totalTokens: plus(a.totalTokens, b.totalTokens),
    cacheCreationInputTokens: plus(a.cacheCreationInputTokens, b.cacheCreationInputTokens),
    cacheReadInputTokens: plus(a.cacheReadInputTokens, b.cacheReadInputTokens),
  };
  const reasons = a.reasoningTokens !== undefined || b.reasoningTokens !== undefined;
  const costs = a.cost !== undefined || b.cost !== undefined;
  if (!reasons && !costs) return sum;
  return {
    ...sum,
    ...(reasons ? { reasoningTokens: plus(a.reasoningTokens, b.reasoningTokens) } : {}),
    ...(costs ? { cost: plus(a.cost, b.cost) } : {}),
  };
}

/** A provider that gives no total has it counted: budgets are of all tokens. */
function withTotal(usage: Partial<Usage>): Partial<Usage> {
  if (usage.totalTokens !== undefined) return usage;
  return { ...usage, totalTokens: countOf(usage.inputTokens) + countOf(usage.outputTokens) };
}

/** As much of what settled a model call, or cut it off, as says what was spent. */
interface SettledCall {
  readonly usage?: Partial<Usage>;
  readonly attempts?: number;
  /** The content of the answer. */
  readonly content?: unknown;
}

/** The usage of a model call. Each attempt counts as a request, whatever a port reports. */
export function spentByCall({ usage = {}, attempts, content }: SettledCall): Partial<Usage> {
  const portCount = usage.requests ?? (attempts === undefined ? 1 : 0);
  const least = content === undefined ? 0 : 1;
  const requests = Math.max(least, countOf(attempts), countOf(portCount));
  return withTotal({ ...usage, requests });
}

/** Adds up the cost of two attempts of one call, without requests: these are counted as attempts. */
export function costTogether(a: Partial<Usage>, b: Partial<Usage>): Partial<Usage> {
  const { requests: _requests, ...sum } = addUsage(addUsage(noUsage, withTotal(a)), withTotal(b));
  return sum;
}

const COUNTS = [
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "cacheCreationInputTokens",
  "cacheReadInputTokens",
  "reasoningTokens",
] as const;

/** The tokens of a usage without those of a part of it. */
export function usageWithout(usage: Partial<Usage>, part: Partial<Usage>): Partial<Usage> {
  const counts = { ...withTotal(part) };
  const left = COUNTS.filter((name) => usage[name] !== undefined).map((name) => [
    name,
    Math.max(0, countOf(usage[name]) - countOf(counts[name])),
  ]);
  return { ...usage, ...Object.fromEntries(left) };
}

/** A whole number from 0 on; 0 where it is none. */
export function countOf(value: unknown): number {
  if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) return 0;
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
}

function plus(a = 0, b: unknown): number {
  return Math.min(a + countOf(b), Number.MAX_SAFE_INTEGER);
}
