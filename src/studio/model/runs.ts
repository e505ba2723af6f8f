/**
 * The type of a run in the studio's list of runs, the filter of that list, and the words for what a run waits
 * for.
 */
import type { Labels } from "../../core/journal/for-live-runs.js";
import { spanText } from "./spans.js";

/** A run in a list. */
export interface RunItem extends Labels {
  /** The word that opens it. */
  readonly journal: string;
  readonly runId: string;
  readonly reasoner: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly status: string;
  readonly title?: string;
  readonly words?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly lastAt: number;
  readonly events: number;
  readonly approvals: readonly {
    readonly id: string;
    readonly title: string;
    readonly since?: number;
  }[];
  readonly timers: number;
  readonly children: readonly string[];
  readonly down?: string;
  readonly failure?: string;
  readonly tokens: number;
  readonly requests: number;
  /** In US dollars, where its reasoner counts it. */
  readonly cost?: number;
  /** The run that it was forked from or goes on from. */
  readonly link?: string;
}

/** A journal that cannot be read. */
export interface UnreadItem {
  readonly journal: string;
  readonly code: string;
  readonly message: string;
}

/** The conditions that a run has to meet. */
export interface RunFilter {
  readonly text?: string;
  readonly status?: string;
  readonly reasoner?: string;
  readonly fingerprint?: string;
}

/** The runs that meet all conditions: those that wait for somebody first, then the newest. */
export function filteredRuns(runs: readonly RunItem[], filter: RunFilter): readonly RunItem[] {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return runs
    .filter(
      (run) =>
        (filter.status === undefined || run.status === filter.status) &&
        (filter.reasoner === undefined || run.reasoner === filter.reasoner) &&
        (filter.fingerprint === undefined || run.fingerprint === filter.fingerprint) &&
        words.every((word) => searchText(run).includes(word)),
    )
    .sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.lastAt - a.lastAt);
}

function searchText(run: RunItem): string {
  const { journal, runId, reasoner, title, words, person, tags = [], approvals } = run;
  const all = [
    journal,
    runId,
    reasoner,
    title,
    words,
    person,
    ...tags,
    ...approvals.map((each) => each.title),
  ];
  return all.join("\n").toLowerCase();
}

/** Returns true for a run that has ended. */
export function isOver({ status }: Pick<RunItem, "status">): boolean {
  return status === "done" || status === "failed" || status === "cancelled";
}

/** Says what a run waits for, and since when; "" where it waits for nothing. @param now milliseconds since 1970 */
export function waitsFor(run: RunItem, now: number): string {
  const [first, ...more] = run.approvals;
  const also = more.length === 0 ? "" : ` and ${more.length} more`;
  if (first !== undefined) {
    const since = first.since === undefined ? "" : `, for ${spanText(now - first.since)}`;
    return `${first.title}${also}${since}`;
  }
  if (run.down !== undefined) return `its model, which is down: ${run.down}`;
  if (run.timers > 0) return run.timers === 1 ? "a timer" : `${run.timers} timers`;
  if (run.children.length > 0) return "a child run";
  if (run.status === "ready") {
    const after = run.failure === undefined ? "" : `; its last turn failed: ${run.failure}`;
    return `a message, for ${spanText(now - run.lastAt)}${after}`;
  }
  return "";
}
