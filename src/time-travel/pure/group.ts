/**
 * Groups the differences between many journals and the present code by cause, so that one change of the code
 * is one group, for `reckoner replay` and the studio. It also reads a baseline of accepted groups.
 */

import type { Cause, CausedDifference, Difference } from "../../core/journal/index.js";
import { isJsonObject, type Json } from "../../core/kernel/values/index.js";

/** Differences of one cause, with the values of the first. */
export interface Group extends Cause, Pick<Difference, "recorded" | "computed"> {
  /** In how many journals it occurs. */
  readonly journals: number;
  /** At how many events in all. */
  readonly places: number;
  /** The first few of them: `runs/a.jsonl#12`. */
  readonly examples: readonly string[];
}

/** The groups of a corpus, gathered journal by journal. */
export class Groups {
  readonly #groups = new Map<string, Group>();

  /** Takes the differences of one journal in, one of each cause. */
  take(journal: string, causes: readonly CausedDifference[]): void {
    for (const { seqs, cause, recorded, computed } of causes) {
      const own = {
        ...cause,
        ...(recorded === undefined ? {} : { recorded }),
        ...(computed === undefined ? {} : { computed }),
      };
      const group = this.#groups.get(own.key) ?? { ...own, journals: 0, places: 0, examples: [] };
      const example = `${journal}#${seqs[0] ?? 0}`;
      this.#groups.set(own.key, {
        ...group,
        journals: group.journals + 1,
        places: group.places + seqs.length,
        examples: group.examples.length < 3 ? [...group.examples, example] : group.examples,
      });
    }
  }

  /** Takes what may follow from differences of one journal, each once and without its places. */
  follow(causes: readonly Cause[]): void {
    for (const cause of causes) {
      if (this.#groups.has(cause.key)) continue;
      this.#groups.set(cause.key, { ...cause, journals: 0, places: 0, examples: [] });
    }
  }

  /** The groups, those of most journals first. */
  list(): readonly Group[] {
    return [...this.#groups.values()].sort(
      (a, b) => b.journals - a.journals || b.places - a.places || (a.key < b.key ? -1 : 1),
    );
  }
}

/** Differences that somebody has accepted, by their content. */
export interface Baseline {
  readonly accepted: readonly (Pick<Group, "key" | "what"> & {
    readonly recorded?: Json;
    readonly computed?: Json;
  })[];
}

/** The keys of a baseline. @returns in words what is wrong, where it is none */
export function baselineKeys(value: Json): ReadonlySet<string> | string {
  if (!isJsonObject(value) || !Array.isArray(value.accepted)) return "it has no list `accepted`";
  const keys = value.accepted.map((each: Json) => (isJsonObject(each) ? each.key : undefined));
  const all = keys.filter((key): key is string => typeof key === "string");
  return all.length === keys.length ? new Set(all) : "one that is accepted has no key";
}
