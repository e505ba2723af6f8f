/**
 * Collects the differences that one check of a journal (`checker.ts`) has found, one of each cause, and counts
 * those that are ignored, accepted, or follow from another. It compares nothing itself.
 */
import {
  type Cause,
  type CausedDifference,
  changesRun,
  type Difference,
  isIgnored,
} from "../../core/journal/index.js";

/** The differences that do not count. */
export interface Tolerated {
  readonly ignore: readonly string[];
  readonly accepted: ReadonlySet<string> | undefined;
}

/** The findings in the segments that are compared with one code. */
export class Findings {
  readonly #tolerated: Tolerated;
  readonly #causes = new Map<string, CausedDifference & { readonly seqs: number[] }>();
  /** The first difference that counts. */
  first: Difference | undefined;
  /** Events that were compared. */
  compared = 0;
  /** Counts of differences that were ignored or accepted, and that may follow from others. */
  accepted = 0;
  consequences = 0;
  readonly #following = new Map<string, Cause>();
  /** True when anything differed since the state was last known, so that the digest of the state does. */
  differed = false;
  /** True when a difference may follow from an earlier one. */
  #changed = false;

  constructor(tolerated: Tolerated) {
    this.#tolerated = tolerated;
  }

  /** The state is known again: what differs from here on follows from nothing before. */
  begin(): void {
    this.differed = false;
    this.#changed = false;
  }

  take(difference: Difference): void {
    const { ignore, accepted } = this.#tolerated;
    const { key } = difference.cause;
    this.differed = true;
    const same = this.#causes.get(key);
    if (isIgnored(difference, ignore) || accepted?.has(key) === true) this.accepted += 1;
    else {
      this.first ??= difference;
      if (same !== undefined) same.seqs.push(difference.seq);
      else if (this.#changed) {
        this.consequences += 1;
        this.#following.set(key, difference.cause);
      } else this.#causes.set(key, { ...difference, seqs: [difference.seq] });
    }
    if (changesRun(difference)) this.#changed = true;
  }

  get causes(): readonly CausedDifference[] {
    return [...this.#causes.values()];
  }

  /** The causes of differences that may follow from others, once each. */
  get following(): readonly Cause[] {
    return [...this.#following.values()];
  }
}

/** The findings in several runs of a tree, as those of one. */
export function together(
  all: readonly Findings[],
): Pick<Findings, "first" | "compared" | "causes" | "accepted" | "consequences" | "following"> {
  const causes = new Map<string, CausedDifference>();
  for (const each of all.flatMap((found) => found.causes)) {
    const same = causes.get(each.cause.key);
    const seqs = [...(same?.seqs ?? []), ...each.seqs].sort((a, b) => a - b);
    causes.set(each.cause.key, { ...(same ?? each), seqs });
  }
  const firsts = all.flatMap(({ first }) => first ?? []).sort((a, b) => a.seq - b.seq);
  const sum = (of: (found: Findings) => number) => all.reduce((n, each) => n + of(each), 0);
  return {
    first: firsts[0],
    causes: [...causes.values()],
    compared: sum(({ compared }) => compared),
    accepted: sum(({ accepted }) => accepted),
    consequences: sum(({ consequences }) => consequences),
    following: all.flatMap(({ following }) => following),
  };
}
