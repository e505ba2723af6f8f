/**
 * `redrive`: runs other code on a journal, with the recorded answers, and optionally a live model.
 */

import {
  addUsage,
  type Effect,
  type Json,
  type LlmDirective,
  noUsage,
  printStateValue,
  type Reasoner,
  type Settlement,
  type Usage,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import {
  askModel,
  callHook,
  checkAllOptions,
  checkGiven,
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
}

const REDRIVE: shapes.Shapes<RedriveOptions> = {
  ignore: shapes.TEXTS,
  live: shapes.OBJECT,
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
  const { ignore = [], live, score } = checkAllOptions("redrive", options, REDRIVE);
  if (live !== undefined) {
    checkAllOptions("redrive's live", live, LIVE);
    // Neither has a default: a forgotten limit would be no limit.
    for (const name of ["model", "budget"] as const) {
      checkGiven(`${name} of redrive's live`, live[name], LIVE[name]);
    }
  }
  const port = await readableAt(journal);
  const replayed = await replay(reasoner, port, { keepGoing: true, ignore });
  const record = (await treeOf(port)).root;
  const { header, port: begun } = await viewOf(port).origin();
  const from = await linkedRuns.contextOf(reasoner, begun, header);
  const candidate = new Redrive(reasoner, record, from, { ignore });
  candidate.run();
  const runId = globalThis.crypto.randomUUID();
  let usage: Usage = noUsage;
  if (live !== undefined && candidate.open.length > 0)
    callHook("before", () => live.before?.(candidate.open));
  for (;;) {
    const next = live === undefined ? undefined : candidate.open.find(isLlm);
    if (live === undefined || next === undefined || usage.totalTokens >= live.budget) break;
    const answer = await ask(next, live.model, { at: candidate.state.at, runId });
    if (answer === undefined) break;
    usage = addUsage(usage, ("usage" in answer ? answer.usage : undefined) ?? {});
    candidate.answer(answer);
    candidate.run();
  }
  const requests = candidate.asked;
  const of = (support: Redriven["support"]) =>
    requests.filter((each) => each.support === support).length;
  const cancelled = requests.filter(({ support }) => support === "cancelled");
  const askedBefore = cancelled.filter(({ recorded }) => recorded !== undefined).length;
  const output = reasoner.output(candidate.state) as Json | undefined;
  const outcomes = {
    recorded: recordedOutcome(record),
    candidate: {
      status: candidate.state.status,
      ...(output === undefined ? {} : { output }),
      requests: requests.filter(({ effect }) => isLlm(effect)).length,
      calls: requests.filter(({ effect }) => effect.type === "tool").length,
      state: printStateValue(candidate.state.value),
      ...costOf(candidate.state.context),
    },
  };
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
  return typeof usage?.cost === "number" ? { cost: usage.cost } : {};
}

function judged(
  score: (outcome: Outcome) => number,
  { recorded, candidate }: { readonly recorded: Outcome; readonly candidate: Outcome },
): Pick<RedriveReport, "scores" | "verdict"> {
  const scored = (outcome: Outcome) => {
    const given = callHook("score", () => score(outcome));
    checkGiven("What score returns", given, shapes.NUMBER);
    return given;
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
