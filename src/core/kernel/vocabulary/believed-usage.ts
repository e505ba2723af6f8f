/**
 * Corrects the token usage that a model port reports for a call, by the sizes of the request and the
 * answer. Ports report nothing, zeros, texts or other names; a budget that believed them would bound
 * nothing.
 */
import { tokensOf } from "./prices.js";
import { countOf, type Usage } from "./usage.js";

/** The sizes of request and answer, in Latin letters ({@link lettersOfText}). */
export interface Exchange {
  /** Of the request's texts. */
  readonly asked: number;
  /** Of its media, of which a provider may see less. */
  readonly media: number;
  readonly answered: number;
  /** The request's bound on its answer, hidden reasoning included. */
  readonly maxOutputTokens?: number | undefined;
}

/** A usage that can be reckoned with, and how it differs from what the port said, in words. */
export interface Believed {
  readonly usage: Partial<Usage>;
  readonly doubt?: string;
}

/**
 * Fewer tokens than one to so many letters are not believed: repeated letters and indentation come to
 * a sixteenth of the estimate, words never do.
 */
export const MOST_LETTERS = 64;
/** More tokens than letters, and so many beside them, are not believed, of a request: a provider's own words. */
const HIDDEN_INPUT = 1_000_000;
/** The same of an answer without a bound: what a model thinks is counted and need not be shown. */
const HIDDEN_OUTPUT = 1_000_000;

/**
 * A usage bounded by what happened. Where a port says nothing that can be, the estimate takes its place.
 * - input: at least a token to 64 letters of the request, at most one a letter and a million
 * - output: likewise of the answer; at most one a letter and `maxOutputTokens`, or a million
 * - what came from a cache is part of the input; the total is both together at least
 * - what a model thought is part of the output
 */
export function believedUsage(claim: Partial<Usage>, exchange: Exchange): Believed {
  const { asked, media, answered, maxOutputTokens = HIDDEN_OUTPUT } = exchange;
  const counts = countsIn(claim, tokensOf(answered));
  const input = bounded(counts.input, asked, media, HIDDEN_INPUT);
  const output = bounded(counts.output, answered, 0, maxOutputTokens);
  const inputTokens = input.tokens;
  // A total beyond both counts the model's thinking.
  const most = output.most - output.tokens;
  const beyond = Math.min(most, Math.max(0, counts.total - inputTokens - output.tokens));
  const outputTokens = output.tokens + (input.isDoubted ? 0 : beyond);
  const cached = Math.min(counts.cached, inputTokens);
  const written = Math.min(counts.written, inputTokens - cached);
  const thought = Math.min(countOf(claim.reasoningTokens), outputTokens);
  const usage: Partial<Usage> = {
    ...(claim.requests === undefined ? {} : { requests: claim.requests }),
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(claim.cacheReadInputTokens === undefined ? {} : { cacheReadInputTokens: cached }),
    ...(claim.cacheCreationInputTokens === undefined ? {} : { cacheCreationInputTokens: written }),
    ...(claim.reasoningTokens === undefined ? {} : { reasoningTokens: thought }),
  };
  if (!input.isDoubted && !output.isDoubted) return { usage };
  const text = `${counts.input} tokens in and ${counts.output} out`;
  const doubt = `told ${text}, which cannot be; charged are ${inputTokens} in and ${outputTokens} out`;
  return { usage, doubt };
}

/** The numbers in what a port told; what is none is 0. */
function countsIn(claim: Partial<Usage>, answer: number) {
  const cached = countOf(claim.cacheReadInputTokens);
  const written = countOf(claim.cacheCreationInputTokens);
  const fresh = countOf(claim.inputTokens);
  const output = countOf(claim.outputTokens);
  const total = countOf(claim.totalTokens);
  // A total alone is parted by what the answer comes to.
  if (fresh === 0 && output === 0 && total > 0) {
    const answerTokens = Math.min(answer, total);
    return { cached, written, input: total - answerTokens, output: answerTokens, total };
  }
  // Some leave out of the input what came from a cache.
  const input = cached + written > fresh ? fresh + cached + written : fresh;
  return { cached, written, input, output, total };
}

/** A count between what so many letters come to at least, and what they and what is hidden may at most. */
function bounded(count: number, letters: number, media: number, hidden: number) {
  const most = Math.ceil(letters + media) + hidden;
  if (count > most) return { tokens: most, most, isDoubted: true };
  if (count * MOST_LETTERS >= letters) return { tokens: count, most, isDoubted: false };
  return { tokens: tokensOf(letters + media), most, isDoubted: true };
}
