/**
 * Converts the results of `reckoner redrive` to groups of differences, to JUnit test cases and to a table.
 */
import * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import type { RedriveReport } from "../../time-travel/live/index.js";
import type { RecordedEffect } from "../../time-travel/pure/index.js";
import type { Found } from "../replay/regressions.js";
import type { JunitCase } from "../terminal/junit.js";
import { plural } from "../terminal/plural.js";
import { fitted } from "../terminal/truncate.js";

/** One journal, and what came of it. */
export type RedrivenJournal =
  | { readonly journal: string; readonly done: RedriveReport }
  | { readonly journal: string; readonly refused: string };

/** The differences of a candidate: in what it does upon the recorded events, in what it asks, and in its end. */
export function differencesOf(done: RedriveReport): readonly Found[] {
  const { replay, requests, record, recorded, candidate } = done;
  const asked = new Set(requests.flatMap(({ recorded: id }) => id ?? []));
  const found: Found[] = [...replay.causes];
  const recordedWords = ({ type, parts }: RecordedEffect) => {
    const name = parts.get("name");
    return name === undefined ? type : `${type} \`${record.values.value(name)}\``;
  };
  // A candidate waits for the answer that nobody has given: of what came behind it nothing is known.
  let last = Number.POSITIVE_INFINITY;
  for (const { effect, support, seq } of requests) {
    if (support !== "new" && support !== "live") continue;
    const what = "name" in effect ? `${effect.type} \`${effect.name}\`` : effect.type;
    const computed = "input" in effect ? { computed: effect.input as Json } : {};
    // A model that is shown other instructions is asked in the same place: not one call less and another more.
    const was = asked.has(effect.id) ? undefined : record.effects.get(effect.id);
    const isChanged = was !== undefined && recordedWords(was) === what;
    if (isChanged) {
      asked.add(effect.id);
      if (candidate.status === "active") last = Math.min(last, was.seq);
    }
    const how = isChanged ? "is asked for differently" : "is asked for, was not";
    found.push({ cause: { what: `${what} ${how}` }, seqs: [seq], ...computed });
  }
  for (const effect of record.effects.values()) {
    const { id, type, seq } = effect;
    if (type === "timer" || asked.has(id) || seq > last) continue;
    found.push({ cause: { what: `${recordedWords(effect)} is not asked for, was` }, seqs: [seq] });
  }
  const seqs = [record.events.at(-1)?.seq ?? 0];
  for (const part of ["status", "state", "output"] as const) {
    const [was, is] = [recorded[part], candidate[part]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const values = shapes.defined({ recorded: was, computed: is });
    found.push({ cause: { what: `the ${part} of the end` }, seqs, ...values });
  }
  return found;
}

/** Says how a run ends: its status and state, its calls, its cost and its output. */
export function endOf({
  status,
  state,
  requests,
  calls,
  cost,
  output,
}: RedriveReport["candidate"]) {
  const where = state === undefined || state === status ? status : `${status} in ${state}`;
  const spent = cost === undefined ? "" : `, ${cost.toFixed(4)} spent`;
  const text = output === undefined ? "" : `: ${fitted(JSON.stringify(output), 80)}`;
  return `${where} after ${plural(requests, "model call")} and ${plural(calls, "tool call")}${spent}${text}`;
}

/** Lists the journals: one that is out of support, or worse, has failed. */
export function redriveCases(all: readonly RedrivenJournal[]): readonly JunitCase[] {
  return all.map((each) => {
    const named = { suite: "reckoner.redrive", name: each.journal };
    if ("refused" in each) return { ...named, error: each.refused };
    const { done } = each;
    if (done.fresh === 0 && done.verdict !== "worse") return named;
    const why = differencesOf(done).map(({ cause }) => cause.what);
    const ends = `ends ${endOf(done.candidate)}; ended ${endOf(done.recorded)}`;
    return { ...named, failure: [...new Set(why), ends].join("\n") };
  });
}

/** The table of a report: a row for each journal. */
export function tableOf(all: readonly RedrivenJournal[]): readonly (readonly string[])[] {
  const rows = all.map((each) => {
    if ("refused" in each) return [each.journal, `refused: ${each.refused}`, "", ""];
    const { fresh, recorded, candidate, verdict = "" } = each.done;
    return [each.journal, endOf(recorded), endOf(candidate), `${fresh} new ${verdict}`.trim()];
  });
  return [["run", "ended", "ends", "requests"], ...rows];
}
