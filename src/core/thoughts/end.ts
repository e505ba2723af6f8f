/** Ends a run: with the best thought and a reason, or with nothing. */
import { addUsage, vectorItems, vectorSize } from "../kernel/index.js";
import type { Entry, Final, Reason, ThoughtsResult } from "./context.js";
import { getThought, thoughtCount } from "./graph/graph.js";
import { compareScores } from "./graph/walk.js";
import { called } from "./policies/decide.js";
import { PolicyFault } from "./policies/policy-fault.js";
import { progressOf } from "./policies/progress.js";
import { queueItems, queueOf } from "./queue.js";
import { bestWhole, isWhole } from "./whole.js";
import { askOf, knownEntry, ROOT, seenAs, thoughtOf, type Work } from "./work.js";

/** Ends a run in which nothing is running any more, or whose time is up. */
export function end(work: Work, reason: Reason = work.cut ?? "success"): void {
  stop(work);
  const finals = finalsOf(work);
  const best = bestOf(work, reason, finals);
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
  work.reserved = { rooms: 0, tokens: 0, cost: 0 };
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

interface Candidate {
  readonly entry: Entry;
  readonly whole: boolean;
}

/** Returns the thoughts that the policy names, whole ones first, then the best; of equals the first. */
function finalsOf(work: Work): Candidate[] | undefined {
  const { policy } = work.spec;
  if (policy.finals === undefined) return undefined;
  const named = called("finals", () => policy.finals?.(progressOf(work, null)));
  if (!Array.isArray(named)) throw new PolicyFault("finals returned no list of thoughts");
  const candidates = named.flatMap((each: Entry | string): Candidate[] => {
    const id = typeof each === "string" ? each : each?.id;
    const thought = getThought(work.graph, String(id));
    if (thought === undefined) {
      throw new PolicyFault(`finals names a thought ${String(id)}, which is not there`);
    }
    if (thought.id === ROOT) return [];
    const entry = typeof each === "string" ? knownEntry(thought) : each;
    return [{ entry, whole: isWhole(work, thought) }];
  });
  return candidates.sort(
    (a, b) =>
      Number(b.whole) - Number(a.whole) || compareScores(a.entry.score, b.entry.score, work.better),
  );
}

/**
 * The best final. Of a run that was cut only what is whole counts, and where no final is scored, what
 * was made on the way counts too.
 */
function bestOf(
  work: Work,
  reason: Reason,
  finals: readonly Candidate[] | undefined,
): Entry | undefined {
  if (finals === undefined) return bestWhole(work);
  const [first] = finals;
  if (reason === "success") return first?.entry;
  const final = first?.whole === true ? first.entry : undefined;
  if (final !== undefined && final.score !== null) return final;
  const onTheWay = bestWhole(work);
  return onTheWay?.score != null ? onTheWay : (final ?? onTheWay);
}

function resultOf(
  work: Work,
  reason: Reason,
  best: Entry | undefined,
  finals: readonly Candidate[] = [],
): ThoughtsResult {
  const thought = best === undefined ? undefined : seenAs(work, best);
  const { price, prices } = work.spec;
  const isPriced = price !== undefined || prices !== undefined;
  return {
    result: thought?.content ?? null,
    reason,
    thought: thought?.id ?? null,
    state: thought?.state ?? thoughtOf(work, ROOT).state,
    score: thought?.score ?? null,
    valid: thought?.valid ?? null,
    solved: thought?.solved ?? null,
    whole: thought !== undefined && isWhole(work, thought),
    finals: finals.map(({ entry, whole }): Final => {
      const { id, score, valid, solved } = entry;
      return { thought: id, content: thoughtOf(work, id).content, score, valid, solved, whole };
    }),
    thoughts: thoughtCount(work.graph),
    modelCalls: work.modelCalls,
    totalTokens: work.usage.totalTokens,
    cost: work.usage.cost ?? (isPriced ? 0 : null),
    failures: vectorSize(work.failures),
  };
}
