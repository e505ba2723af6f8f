/**
 * An index of ids for prefix lookups: sorted arrays that are merged as they grow (log-structured),
 * so that inserts and lookups may alternate, each in a few steps.
 */
import { compareIds } from "./order.js";

/** An index of ids. Ids are only added; who asks says which of them still count. */
export class PrefixIndex {
  /** Sorted, each at least twice as long as the next. */
  readonly #runs: string[][] = [];
  /** Added since something was asked. */
  #fresh: string[] = [];

  /** Adds an id that was never added before. */
  add(id: string): void {
    this.#fresh.push(id);
  }

  /**
   * The first ids that begin with a prefix, by bytes.
   * @param counts whether an id still counts
   */
  startingWith(prefix: string, most: number, counts: (id: string) => boolean): string[] {
    const found: string[] = [];
    for (const run of this.#sorted()) {
      let taken = 0;
      for (let i = firstNotBefore(run, prefix); i < run.length && taken < most; i++) {
        const id = run[i] as string;
        if (!id.startsWith(prefix)) break;
        if (!counts(id)) continue;
        found.push(id);
        taken += 1;
      }
    }
    return found.sort(compareIds).slice(0, most);
  }

  /**
   * The shortest prefix of an id, of `least` characters or more, with which no other begins; the id
   * itself where it is shorter, or where another begins with all of it.
   */
  shortest(id: string, least: number, counts: (id: string) => boolean): string {
    let needed = least;
    for (const run of this.#sorted()) {
      const index = firstNotBefore(run, id);
      const self = run[index] === id ? 1 : 0;
      for (const step of [-1, 1]) {
        let i = step < 0 ? index - 1 : index + self;
        while (i >= 0 && i < run.length && !counts(run[i] as string)) i += step;
        const neighbour = run[i];
        if (neighbour !== undefined) needed = Math.max(needed, sharedLength(id, neighbour) + 1);
      }
    }
    return id.slice(0, needed);
  }

  #sorted(): readonly string[][] {
    if (this.#fresh.length > 0) {
      this.#runs.push(this.#fresh.sort(compareIds));
      this.#fresh = [];
      for (let last = this.#runs.length - 1; last > 0; last--) {
        const [before, after] = [this.#runs[last - 1] as string[], this.#runs[last] as string[]];
        if (before.length >= 2 * after.length) break;
        this.#runs.splice(last - 1, 2, merged(before, after));
      }
    }
    return this.#runs;
  }
}

function merged(a: readonly string[], b: readonly string[]): string[] {
  const both: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    if (right === undefined || (left !== undefined && left < right)) {
      both.push(left as string);
      i += 1;
    } else {
      both.push(right);
      j += 1;
    }
  }
  return both;
}

/** The index of the first id that is not before the given text. */
function firstNotBefore(run: readonly string[], text: string): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((run[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sharedLength(a: string, b: string): number {
  let i = 0;
  // Beyond an end is NaN, which equals nothing.
  while (a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  return i;
}
