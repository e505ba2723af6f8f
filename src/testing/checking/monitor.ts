/**
 * Evaluates laws after each step of a run, for `check`, `explore` and recorded runs, and counts how often
 * each law applied and was broken.
 */

import type { RunState } from "../../core/kernel/machine/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import { noFault } from "./built-in-laws.js";
import { judged, type Law, seenAt, type Verdict } from "./law.js";
import type { HistoryStep } from "./world.js";

/** A law that does not hold, and why. */
export interface Breach {
  /** The law's name. */
  readonly law: string;
  readonly what: string;
}

/** The laws' memories, in their order. */
export type Memories = readonly Json[];

/** Some laws, and how often each had something to say. */
export class Monitor<Context> {
  readonly #laws: readonly Law<Context, never>[];
  readonly #applied: number[];
  readonly #broken: number[];

  constructor(laws: readonly Law<Context, never>[]) {
    this.#laws = laws;
    this.#applied = laws.map(() => 0);
    this.#broken = laws.map(() => 0);
  }

  /** Returns the laws' memories before a run. */
  get begin(): Memories {
    return this.#laws.map(({ formula }) => formula.memory ?? null);
  }

  /** Returns the number of times that each law applied, and was broken. */
  get counts(): readonly {
    readonly name: string;
    readonly applied: number;
    readonly broken: number;
  }[] {
    return this.#laws.map(({ name }, i) => ({
      name,
      applied: this.#applied[i] as number,
      broken: this.#broken[i] as number,
    }));
  }

  /** Judges a step by the laws. */
  next(
    memories: Memories,
    taken: HistoryStep<Context>,
  ): { memories: Memories; breaches: Breach[] } {
    const seen = seenAt(taken);
    const { state } = taken.step;
    return this.#all(memories, (law, memory) =>
      mayJudge(law, state) ? law.formula.next(memory, seen) : { memory, applies: false },
    );
  }

  /** Judges the end by the laws. */
  end(memories: Memories, state: RunState<Context>): Breach[] {
    return this.#all(memories, (law, memory) =>
      law.formula.end === undefined || !mayJudge(law, state)
        ? { memory, applies: false }
        : law.formula.end(memory, state),
    ).breaches;
  }

  #all(memories: Memories, look: (law: Law<Context, never>, memory: Json) => Verdict) {
    const breaches: Breach[] = [];
    const next = this.#laws.map((law, i) => {
      const verdict = judged(() => look(law, memories[i] ?? null));
      if (verdict.applies) this.#applied[i] = (this.#applied[i] as number) + 1;
      if (verdict.broken !== undefined) {
        this.#broken[i] = (this.#broken[i] as number) + 1;
        breaches.push({ law: law.name, what: verdict.broken });
      }
      return verdict.memory;
    });
    return { memories: next, breaches };
  }
}

/** A run that fails as it begins has no context: only why it failed is of interest. */
function mayJudge(law: Law<never, never>, { seq, fault }: RunState<unknown>): boolean {
  return seq > 0 || fault === undefined || law === noFault;
}
