/**
 * `redrive`: runs other code on a journal, with the recorded answers, and optionally a live model.
 */

import type { AnyReasoner } from "../../core/driver/for-live-runs.js";
import { ROOT_RUN } from "../../core/journal/index.js";
import { printStateValue, type Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import {
  addUsage,
  dollarsOf,
  type Effect,
  type LlmDirective,
  noUsage,
  type Settlement,
  type Usage,
} from "../../core/kernel/vocabulary/index.js";
import {
  askModel,
  callHook,
  checkAllOptions,
  checkArgument,
  type HostOptions,
  type JournalPort,
  linkedRuns,
  MODEL,
  type Outcome,
  type ReplayReport,
  readableAt,
  replay,
  systemClock,
  viewOf,
} from "../../runtime/index.js";
import { Redrive, type Redriven, type RunRecord } from "../pure/index.js";
import { treeOf } from "./diff.js";
import { reasonerAt, setAnswers, setsByRun, settleIn } from "./redrive-tree.js";

/** Options of a redrive. */
export interface RedriveOptions {
  /** Parts in which a request may differ from what was recorded: `system`, `tools`. */
  readonly ignore?: readonly string[] | undefined;
  /** Answers model requests that are out of support. Tools and stores are never called. */
  readonly live?:
    | {
        readonly model: NonNullable<HostOptions["model"]>;
        /** Tokens that all of it may spend; none is asked once they are spent. */
        readonly budget: number;
        /** Called with the new requests before the first live one is made. */
        readonly before?: ((open: readonly Effect[]) => void) | undefined;
      }
    | undefined;
  /**
   * Answers in place of those that were recorded, by the ids of what they settle, as `fork` takes them: what would
   * the code have done then? Of a child's request, the id by which the root knows it: the child is driven first, and
   * what it would have come to is its parent's answer.
   */
  readonly set?: { readonly [id: string]: unknown } | undefined;
  /** The rank of an outcome: the more the better. */
  readonly score?: ((outcome: Outcome) => number) | undefined;
}

/** The result of a redrive. */
export interface RedriveReport {
  readonly runId: string;
  /** The number of the candidate's requests, timers aside. */
  readonly asked: number;
  readonly reused: number;
  /** Requests that were never recorded (out of support), answered live or not. */
  readonly fresh: number;
  readonly live: number;
  /** Requests that were made before and never answered. */
  readonly open: number;
  readonly requests: readonly Redriven[];
  /** Tokens spent on live answers. */
  readonly spent: number;
  readonly recorded: Outcome;
  readonly candidate: Outcome;
  /** Of the recorded outcome and of the candidate's. */
  readonly scores?: { readonly recorded: number; readonly candidate: number };
  readonly verdict?: "same" | "better" | "worse";
  /** The check of the present code against the recorded events. */
  readonly replay: ReplayReport;
  readonly record: RunRecord;
  /** The child runs that an answer was set in, and their parents, the deepest first. */
  readonly children: readonly RedrivenChild[];
}

/** A child run that was driven once more. */
export interface RedrivenChild extends Pick<RedriveReport, "requests" | "recorded" | "candidate"> {
  /** The ids of the `run` directives that lead to it, escaped and joined by `:`. */
  readonly run: string;
}

const REDRIVE: shapes.Shapes<RedriveOptions> = {
  ignore: shapes.TEXTS,
  live: shapes.OBJECT,
  set: shapes.OBJECT,
  score: shapes.FUNCTION,
};
const LIVE: shapes.Shapes<NonNullable<RedriveOptions["live"]>> = {
  model: MODEL,
  budget: shapes.count(0),
  before: shapes.FUNCTION,
};

/**
 * Drives a run once more under other code, without calling anything but, where that is asked for, a
 * live model.
 * @throws ReckonerError `journal.*` where it cannot be read or is another reasoner's
 */
export async function redrive<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  options: RedriveOptions = {},
): Promise<RedriveReport> {
  const { ignore = [], live, set = {}, score } = checkAllOptions("redrive", options, REDRIVE);
  if (live !== undefined) {
    checkAllOptions("redrive's live", live, LIVE);
    // Neither has a default: a forgotten limit would be no limit.
    for (const name of ["model", "budget"] as const) {
      checkArgument(`${name} of redrive's live`, live[name], LIVE[name]);
    }
  }
  const port = await readableAt(journal);
  const replayed = await replay(reasoner, port, { keepGoing: true, ignore });
  const tree = await treeOf(port);
  const record = tree.root;
  const outcome = recordedOutcome(record);
  const { header, port: begun } = await viewOf(port).origin();
  const from = await linkedRuns.contextOf(reasoner, begun, header);
  const runId = globalThis.crypto.randomUUID();
  let usage: Usage = noUsage;
  let isAnnounced = false;
  const drive = async (candidate: Redrive<unknown, unknown, unknown>): Promise<void> => {
    candidate.run();
    if (live === undefined) return;
    if (candidate.open.length > 0 && !isAnnounced) {
      isAnnounced = true;
      callHook("before", () => live.before?.(candidate.open));
    }
    for (;;) {
      const next = candidate.open.find(isLlm);
      if (next === undefined || usage.totalTokens >= live.budget) return;
      const answer = await ask(next, live.model, { at: candidate.state.at, runId });
      usage = addUsage(usage, ("usage" in answer ? answer.usage : undefined) ?? {});
      candidate.answer(answer);
      candidate.run();
    }
  };
  const sets = setsByRun(tree, set);
  const children: RedrivenChild[] = [];
  for (const [path, answers] of sets) {
    if (path === ROOT_RUN) continue;
    const own = tree.of(path) as RunRecord;
    const recorded = recordedOutcome(own);
    setAnswers(own, answers);
    const child = reasonerAt(tree, reasoner as AnyReasoner, path);
    const candidate = new Redrive(child, own, undefined, { ignore });
    await drive(candidate);
    settleIn(tree, path, child, candidate.state);
    const { asked: requests } = candidate;
    children.push({ run: path, requests, recorded, candidate: outcomeOf(child, candidate) });
  }
  setAnswers(record, sets.get(ROOT_RUN) ?? {});
  const candidate = new Redrive(reasoner, record, from, { ignore });
  await drive(candidate);
  const requests = candidate.asked;
  const of = (support: Redriven["support"]) =>
    requests.filter((each) => each.support === support).length;
  const cancelled = requests.filter(({ support }) => support === "cancelled");
  const askedBefore = cancelled.filter(({ recorded }) => recorded !== undefined).length;
  const outcomes = { recorded: outcome, candidate: outcomeOf(reasoner as never, candidate) };
  return {
    runId: header.runId,
    asked: requests.length,
    reused: of("reused"),
    fresh: of("new") + of("live") + cancelled.length - askedBefore,
    live: of("live"),
    open: of("open") + askedBefore,
    requests,
    spent: usage.totalTokens,
    ...outcomes,
    ...(score === undefined ? {} : judged(score, outcomes)),
    replay: replayed,
    record,
    children,
  };
}

/** The outcome of a run that was driven once more. */
function outcomeOf<Context>(
  reasoner: AnyReasoner,
  { state, asked }: Pick<Redrive<never, unknown, Context>, "state" | "asked">,
): Outcome {
  const output = reasoner.output(state as never) as Json | undefined;
  return {
    status: state.status,
    ...(output === undefined ? {} : { output }),
    requests: asked.filter(({ effect }) => isLlm(effect)).length,
    calls: asked.filter(({ effect }) => effect.type === "tool").length,
    state: printStateValue(state.value),
    ...costOf(state.context),
  };
}

function isLlm(effect: Effect): effect is LlmDirective {
  return effect.type === "llm";
}

function recordedOutcome(record: RunRecord): Outcome {
  const { end } = record;
  const of = (wanted: string) =>
    [...record.effects.values()].filter(({ type }) => type === wanted).length;
  const last = record.events.at(-1);
  const state = last === undefined ? {} : { state: printStateValue(last.value) };
  const counts = { requests: of("llm"), calls: of("tool"), ...state };
  if (end === undefined) return { status: "active", ...counts };
  const output = end.output === undefined ? {} : { output: record.values.value(end.output) };
  return { status: end.status, ...output, ...counts };
}

/** The cost that a context counts, where it does. */
function costOf(context: unknown): Pick<Outcome, "cost"> {
  const { usage } = (context ?? {}) as { readonly usage?: { readonly cost?: unknown } | null };
  return typeof usage?.cost === "number" ? { cost: dollarsOf(usage.cost) } : {};
}

function judged(
  score: (outcome: Outcome) => number,
  { recorded, candidate }: { readonly recorded: Outcome; readonly candidate: Outcome },
): Pick<RedriveReport, "scores" | "verdict"> {
  const scored = (outcome: Outcome) => {
    const points = callHook("score", () => score(outcome));
    checkArgument("What score returns", points, shapes.NUMBER);
    return points;
  };
  const scores = { recorded: scored(recorded), candidate: scored(candidate) };
  const { recorded: was, candidate: is } = scores;
  return { scores, verdict: is > was ? "better" : is < was ? "worse" : "same" };
}

/**
 * Asks a model as a live run would.
 * @param runId of this redrive: its calls are not those of the recorded run
 */
async function ask(
  directive: LlmDirective,
  model: NonNullable<HostOptions["model"]>,
  { at, runId }: { readonly at: number; readonly runId: string },
): Promise<Settlement> {
  return { ...(await askModel(directive, model, { at, runId }, systemClock)), at } as Settlement;
}
