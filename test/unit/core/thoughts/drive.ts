/**
 * A small synchronous driver for runs of thoughts: it answers model calls by a function of their id and
 * request, in any order, and passes the state through JSON between any two steps.
 */
import { owedBy } from "../../../../src/core/kernel/machine/index.js";
import type {
  Directive,
  FinishReason,
  LlmDirective,
  RunState,
  Step,
  Usage,
} from "../../../../src/index.js";
import type {
  Thoughts,
  ThoughtsContext,
  ThoughtsInput,
  ThoughtsResult,
} from "../../../../src/thoughts.js";

/** What a model says to a call, and why it stopped where that is not a stop; an error where it fails. */
export type Answers = (
  call: LlmDirective,
) =>
  | string
  | { readonly text: string; readonly finishReason: FinishReason }
  | { readonly error: string; readonly transient?: boolean };

export interface DriveOptions {
  /** Picks the next of the calls that are outstanding. Default: the first. */
  readonly pick?: (outstanding: number) => number;
  readonly seed?: string;
  /** Time of the start; each event is a millisecond later than the one before. */
  readonly at?: number;
  /** What a call costs, a failed one too. Default: 10 tokens in, 5 out; nothing where it fails. */
  readonly usage?: (call: LlmDirective) => Partial<Usage>;
  /** Called after each step. */
  readonly watch?: (step: Step<ThoughtsContext>) => void;
  /** Steps at most. */
  readonly bound?: number;
  /** States pass through JSON between steps. Default true. */
  readonly json?: boolean;
}

export interface Driven {
  readonly state: RunState<ThoughtsContext>;
  readonly output: ThoughtsResult | undefined;
  readonly directives: readonly Directive[];
  readonly calls: readonly LlmDirective[];
  readonly steps: number;
}

/** Drives a run to its end. A deadline ends it as a host does: its timer goes off before what comes later. */
export function drive(
  reasoner: Thoughts,
  input: ThoughtsInput,
  answers: Answers,
  options: DriveOptions = {},
): Driven {
  const { pick = () => 0, seed, at = 1_000, watch, bound = 100_000, json = true } = options;
  const { usage } = options;
  const origin = { at, runId: "run", ...(seed === undefined ? {} : { seed }) };
  let step = reasoner.start(input, origin);
  const directives: Directive[] = [...step.directives];
  watch?.(step);
  let steps = 1;
  for (; step.state.status === "active" && steps < bound; steps++) {
    const owed = owedBy(step.state);
    const calls = owed.filter((each) => each.type === "llm");
    const due = owed.find((each) => each.type === "timer" && Number(each.until) <= at + steps);
    if (due !== undefined) {
      step = reasoner.step(step.state, { type: "timer.fired", id: due.id, at: at + steps });
      directives.push(...step.directives);
      watch?.(step);
      continue;
    }
    if (calls.length === 0) throw new Error(`Nothing to answer in ${String(step.state.value)}`);
    const call = calls[pick(calls.length) % calls.length]!;
    const state = json ? JSON.parse(JSON.stringify(step.state)) : step.state;
    step = reasoner.step(state, answer(call, answers, at + steps, usage?.(call)));
    directives.push(...step.directives);
    watch?.(step);
  }
  return {
    state: step.state,
    output: reasoner.output(step.state),
    directives,
    calls: directives.filter((each) => each.type === "llm"),
    steps,
  };
}

/** The settlement of a call. */
export function answer(call: LlmDirective, answers: Answers, at: number, spent?: Partial<Usage>) {
  const said = answers(call);
  const { id } = call;
  if (typeof said !== "string" && "error" in said) {
    const { error: message, ...more } = said;
    const error = { code: "llm.failed", message, ...more };
    const cost = spent === undefined ? {} : { usage: spent };
    return { type: "llm.failed" as const, id, at, error, ...cost };
  }
  const usage = spent ?? { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const { text, finishReason } =
    typeof said === "string" ? { text: said, finishReason: "stop" as const } : said;
  const content = [{ type: "text" as const, text }];
  return { type: "llm.succeeded" as const, id, at, content, finishReason, usage };
}

/** What the user says in a call. */
export function promptOf({ messages }: LlmDirective): string {
  const [first] = messages as readonly { readonly content: string }[];
  return first?.content ?? "";
}

/** A number from texts, the same everywhere. */
export function hashOf(...parts: readonly unknown[]): number {
  let bits = 7;
  for (const letter of parts.join("|")) bits = Math.imul(bits ^ letter.charCodeAt(0), 16_777_619);
  bits = Math.imul(bits ^ (bits >>> 15), 2_246_822_519);
  return (bits ^ (bits >>> 13)) >>> 0;
}
