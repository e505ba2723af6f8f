/**
 * Ends a run of thoughts: with the best thought and the reason why it ends, or with an error where no thought
 * is left.
 */

import { vectorItems, vectorSize } from "../kernel/values/index.js";
import { addUsage, dollarsOf } from "../kernel/vocabulary/index.js";
import { NOTHING } from "./budget.js";
import type { Entry, Final, Reason, ThoughtsResult } from "./context.js";
import { queueItems, queueOf } from "./fifo.js";
import { thoughtCount } from "./graph/graph.js";
import { compareScores } from "./graph/walk.js";
import { called, entryNamed } from "./policies/decide.js";
import { PolicyFault } from "./policies/policy-fault.js";
import { progressOf } from "./policies/progress.js";
import { bestWhole, wholeThoughts } from "./whole-thoughts.js";
import { askOf, ROOT, thoughtOf, type Work } from "./work-on-context.js";

/** Ends a run in which nothing is running any more, or whose time is up. */
export function end(work: Work, reason: Reason = work.cut ?? "success"): void {
  stop(work);
  const whole = wholeThoughts(work);
  const finals = finalsOf(work, whole);
  const best = bestOf(work, reason, whole, finals);
  // A call that failed and may not be repeated says more than the budget does.
  const isBare = thoughtCount(work.graph) === 1 && vectorSize(work.failures) > 0;
  const hasFailed = reason === "modelCalls" && isBare;
  if (best === undefined && (reason === "success" || hasFailed)) {
    work.error = {
      code: "thoughts.nothingLeft",
      message: `Every branch was dropped; ${vectorSize(work.failures)} failures were counted${lastFailure(work)}.`,
    };
    return;
  }
  work.result = resultOf(work, reason, best, finals);
}

/** The last failure in words, one of a model first: where its calls fail, what follows is of that. */
function lastFailure({ failures }: Work): string {
  const all = vectorItems(failures);
  const ofModel = all.findLast(({ code }) => code === "model.failed");
  if (ofModel !== undefined) return `, the last of a model: ${ofModel.message}`;
  const last = all.at(-1);
  if (last === undefined) return "";
  const why = last.message === undefined ? "" : `: ${last.message.replace(/\.$/, "")}`;
  return `, the last of ${last.operation}, ${last.code}${why}`;
}

/** Ends a run whose policy is at fault. */
export function endWithFault(work: Work, fault: PolicyFault): void {
  stop(work);
  work.result = null;
  const { name } = work.spec.policy;
  work.error = {
    code: "thoughts.policy",
    message: `The policy ${name}: ${fault.message.replace(/\.$/, "")}.`,
  };
}

/** Stops asking; what is still outstanding is called off by the kernel. */
export function stop(work: Work): void {
  work.endedAt = work.at;
  work.running = 0;
  work.rooms = 0;
  work.reserved = NOTHING;
  const unsent = work.outbox.filter(({ type }) => type === "llm").length;
  const unanswered = queueItems(work.asked).filter((id) => askOf(work, id).status === "asked");
  // The cost of the cancelled ones is not known; that they were asked is.
  work.usage = addUsage(work.usage, { requests: unanswered.length - unsent });
  work.modelCalls -= unsent;
  work.outbox.length = 0;
  work.held = queueOf();
  work.asked = queueOf();
  work.heard = queueOf();
}

/** Returns the thoughts that the policy names, whole ones first, then the best; of equals the first. */
function finalsOf(work: Work, whole: ReadonlySet<string>): Final[] | undefined {
  const { policy } = work.spec;
  if (policy.finals === undefined) return undefined;
  const named = called("finals", () => policy.finals?.(progressOf(work, null)));
  if (!Array.isArray(named)) throw new PolicyFault("finals returned no list of thoughts");
  return named
    .map((each: Entry | string) => finalOf(work, entryNamed(work, each, "finals"), whole))
    .filter(({ thought }) => thought !== ROOT)
    .sort(
      (a, b) => Number(b.whole) - Number(a.whole) || compareScores(a.score, b.score, work.better),
    );
}

function finalOf(work: Work, { id, ...verdicts }: Entry, whole: ReadonlySet<string>): Final {
  const { content } = thoughtOf(work, id);
  return { thought: id, content, ...verdicts, whole: whole.has(id) };
}

/**
 * The best final. Of a run that was cut only what is whole counts, and where no final is scored, what
 * was made on the way counts too.
 */
function bestOf(
  work: Work,
  reason: Reason,
  whole: ReadonlySet<string>,
  finals: readonly Final[] = [],
): Final | undefined {
  const [first] = finals;
  if (reason === "success" && work.spec.policy.finals !== undefined) return first;
  if (first?.whole === true && first.score !== null) return first;
  const entry = bestWhole(work, whole);
  const onTheWay = entry && finalOf(work, entry, whole);
  return onTheWay?.score == null && first?.whole === true ? first : onTheWay;
}

function resultOf(
  work: Work,
  reason: Reason,
  best: Final | undefined,
  finals: readonly Final[] = [],
): ThoughtsResult {
  const { price, prices } = work.spec;
  const isPriced = price !== undefined || prices !== undefined;
  return {
    result: best?.content ?? null,
    reason,
    thought: best?.thought ?? null,
    state: thoughtOf(work, best?.thought ?? ROOT).state,
    score: best?.score ?? null,
    valid: best?.valid ?? null,
    solved: best?.solved ?? null,
    whole: best?.whole ?? false,
    finals,
    thoughts: thoughtCount(work.graph),
    modelCalls: work.modelCalls,
    totalTokens: work.usage.totalTokens,
    cost: isPriced ? dollarsOf(work.usage.cost ?? 0) : null,
    failures: vectorSize(work.failures),
  };
}
