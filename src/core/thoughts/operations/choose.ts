/**
 * The operations KeepBest, KeepValid, GroundTruth and Select, which filter or mark thoughts, without a model.
 */
import type { Entry } from "../context.js";
import { compareScores } from "../graph/walk.js";
import { A_BOOLEAN, attempt, fail, judge, problemOf, ROOT, seenAs } from "../work-on-context.js";
import type { Kind } from "./kind.js";

const A_LIST = { is: Array.isArray, otherwise: "notAList" };

/** An operation that asks the model nothing. */
const silent = { asks: () => false, begin: () => {}, answer: () => {} };

export const keepBestKind: Kind<"keepBest"> = {
  ...silent,
  // The sort is stable: of equals the first in the order of the operations before.
  close: (work, { n = 1, better = work.better }, inputs) =>
    [...inputs].sort((a, b) => compareScores(a.score, b.score, better)).slice(0, n),
};

export const keepValidKind: Kind<"keepValid"> = {
  ...silent,
  close: (_work, _operation, inputs) => inputs.filter(({ valid }) => valid !== false),
};

export const groundTruthKind: Kind<"groundTruth"> = {
  ...silent,
  close: (work, operation, inputs) =>
    inputs.map((entry) => {
      const call = () => operation.by(seenAs(work, entry), problemOf(work));
      const outcome = attempt(work, operation, entry.id, "groundTruth", call, A_BOOLEAN);
      const solved = outcome?.answer === true;
      judge(work, entry.id, { solved });
      return { ...entry, solved };
    }),
};

export const selectKind: Kind<"select"> = {
  ...silent,
  close(work, operation, inputs) {
    const thoughts = inputs.map((entry) => seenAs(work, entry));
    const about = inputs[0]?.id ?? ROOT;
    // By the very value that the selector was given, since one thought may come in two ways; a copy is
    // the first of its id.
    const entries = new Map<unknown, Entry>();
    const named = new Map<unknown, Entry>();
    inputs.forEach((entry, i) => {
      entries.set(thoughts[i], entry);
      if (!named.has(entry.id)) named.set(entry.id, entry);
    });
    const call = () => operation.where(thoughts, problemOf(work));
    const outcome = attempt(work, operation, about, "selector", call, A_LIST);
    return (outcome?.answer ?? []).flatMap((thought) => {
      const entry = entries.get(thought) ?? named.get(thought?.id);
      if (entry === undefined) fail(work, operation.id, about, "selector.unknown");
      return entry ?? [];
    });
  },
};
