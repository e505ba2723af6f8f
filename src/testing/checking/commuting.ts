/**
 * Learns which settlements commute (either order gives the same state), for the partial-order
 * reduction of a search. Of each kind of pair the first are tried in both orders, and later ones
 * now and then; once a kind was seen to differ, all its orders are tried, also those that were
 * skipped.
 */
import type { Possible } from "./alphabet.js";

/** Pairs of a kind that are taken in both orders before any is left out, and of those later one in so many. */
const FIRST = 24;
const THEN_EVERY = 8;

interface Kind {
  seen: number;
  commutes: boolean;
}

/** The knowledge about pairs of answers. */
export class Commuting {
  readonly #kinds = new Map<string, Kind>();

  /** The kind of a pair of answers to two directives; absent where they cannot commute. */
  kindOf(place: string, one: Possible, other: Possible): string | undefined {
    if (one.effect === undefined || other.effect === undefined) return undefined;
    if (one.effect.id === other.effect.id) return undefined;
    const [a, b] = one.kind < other.kind ? [one.kind, other.kind] : [other.kind, one.kind];
    return `${place} ${a} ${b}`;
  }

  /** Returns true when a pair of this kind should be taken in both orders, to see whether it commutes. */
  asks(kind: string): boolean {
    const entry = this.#kinds.get(kind) ?? { seen: 0, commutes: true };
    this.#kinds.set(kind, entry);
    if (!entry.commutes) return false;
    entry.seen += 1;
    return entry.seen <= FIRST || entry.seen % THEN_EVERY === 0;
  }

  /** Returns true when pairs of this kind were tried, and never seen to differ. */
  commutes(kind: string): boolean {
    const found = this.#kinds.get(kind);
    return found?.commutes === true && found.seen > 0;
  }

  /** Two orders were seen to differ. @returns whether it was thought otherwise before */
  differs(kind: string): boolean {
    const entry = this.#kinds.get(kind) as Kind;
    const before = entry.commutes;
    entry.commutes = false;
    return before;
  }

  /** Returns the number of kinds of pairs that commute. */
  get kinds(): number {
    return [...this.#kinds.keys()].filter((kind) => this.commutes(kind)).length;
  }
}
