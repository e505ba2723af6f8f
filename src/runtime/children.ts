/**
 * The children of one live run: which are live, which rest, what has to be decided in them, and how
 * they are stopped. It knows neither their journals nor the parent's machine.
 */
import type { Decision, Effect, RunDirective } from "../core/kernel/index.js";
import type { ChildRun, ChildRuns, Settling } from "./effect-host.js";
import { approvalsOf, settlementOf } from "./effect-run.js";
import type { End, Waiting } from "./end.js";
import type { Clock } from "./ports.js";

/** Reasons of aborts: the machine no longer wants an effect, or this process lets go of it. */
export const CANCELLED: Error = new Error("cancelled");
export const ABANDONED: Error = new Error("the run ended");

/** What children that rest wait for. */
export type ChildrenWait = Pick<Waiting<unknown, unknown>, "approvals" | "wakeAt">;

/** A decision and the id by which the child knows its approval. */
type Word = readonly [id: string, decision: Decision];

/** A child that is live or rests. */
interface Here {
  child: ChildRun;
  /** Decisions that came when the child took nothing any more and did not rest yet. */
  between: Word[];
  rest?: { readonly end: Waiting<unknown, unknown>; wake(words: readonly Word[]): void };
}

/** What the children of a run are made of. */
export interface ChildrenParts {
  readonly runs: ChildRuns;
  readonly clock: Clock;
  /** Whether a child that rests is woken when its first timer is due. */
  readonly sleeps: boolean;
  /** A child came to rest. */
  onRest(): void;
}

/** The children of one live run. */
export class Children {
  readonly #parts: ChildrenParts;
  readonly #here = new Map<string, Here>();
  /** Decisions for children that are about to go on. */
  readonly #early = new Map<string, Word[]>();
  readonly #ends = new Set<Promise<unknown>>();

  constructor(parts: ChildrenParts) {
    this.#parts = parts;
  }

  /** Whether a child rests. */
  rests(id: string): boolean {
    return this.#here.get(id)?.rest !== undefined;
  }

  /** What the children among these effects wait for, in their order. */
  waits(effects: readonly Effect[]): ChildrenWait {
    const ends = effects.flatMap(({ id }) => {
      const end = this.#here.get(id)?.rest?.end;
      return end === undefined ? [] : [{ id, end }];
    });
    const times = ends.flatMap(({ end }) => (end.wakeAt === undefined ? [] : [end.wakeAt]));
    return {
      approvals: ends.flatMap(({ id, end }) => approvalsOf(id, end)),
      ...(times.length === 0 ? {} : { wakeAt: Math.min(...times) }),
    };
  }

  /**
   * Runs a child for as long as its parent is live, rests included.
   * @returns its settlement, or `undefined` where the signal stopped it
   */
  run(directive: RunDirective, signal: AbortSignal): Promise<Settling | undefined> {
    const settled = this.#run(directive, signal)
      .catch((thrown) => {
        if (signal.aborted) return undefined;
        throw thrown;
      })
      .finally(() => this.#here.delete(directive.id));
    this.#track(settled);
    return settled;
  }

  async #run(directive: RunDirective, signal: AbortSignal): Promise<Settling | undefined> {
    const { id } = directive;
    let words: readonly Word[] = this.#early.get(id) ?? [];
    this.#early.delete(id);
    for (;;) {
      const child = this.#parts.runs.open(directive);
      if ("code" in child) return { type: "run.failed", id, error: child };
      const here: Here = { child, between: [] };
      this.#here.set(id, here);
      for (const [inner, decision] of words) child.decide(inner, decision);
      const end = await endOf(child, signal);
      if (!signal.aborted) {
        const settlement = settlementOf(id, end);
        if (settlement !== undefined) return settlement;
        words = await this.#rest(here, end as Waiting<unknown, unknown>, signal);
      }
      if (signal.aborted) {
        return end.status === "waiting" ? this.#stopResting(directive, signal) : undefined;
      }
    }
  }

  /** Resolves when somebody decides, when a timer of the child is due, or when it is stopped. */
  #rest(here: Here, end: Waiting<unknown, unknown>, signal: AbortSignal): Promise<readonly Word[]> {
    const { clock, sleeps, onRest } = this.#parts;
    const said = here.between.filter(([id]) => end.approvals.some((each) => each.id === id));
    if (said.length > 0) return Promise.resolve(said);
    return new Promise((resolve) => {
      let takeBack = () => {};
      const wake = (words: readonly Word[]) => {
        delete here.rest;
        takeBack();
        signal.removeEventListener("abort", stop);
        resolve(words);
      };
      const stop = () => wake([]);
      here.rest = { end, wake };
      signal.addEventListener("abort", stop, { once: true });
      if (end.wakeAt !== undefined && sleeps) {
        takeBack = clock.setTimer(Math.max(0, end.wakeAt - clock.now()), stop);
      }
      onRest();
    });
  }

  /** A child at rest is woken to be cancelled, so that its journal says so too. */
  async #stopResting(directive: RunDirective, signal: AbortSignal): Promise<undefined> {
    if (signal.reason === ABANDONED) return;
    const child = this.#parts.runs.open(directive);
    if ("code" in child) return;
    child.cancel();
    await child.end;
  }

  /**
   * Hands a decision on to the child whose approval it is about.
   * @returns whether there is such a child; where it rests, whether that approval waits
   */
  decide(id: string, decision: Decision): boolean {
    for (const [owner, here] of this.#here) {
      const inner = within(owner, id);
      if (inner === undefined) continue;
      const { child, rest, between } = here;
      if (rest === undefined) {
        if (!child.decide(inner, decision)) between.push([inner, decision]);
        return true;
      }
      if (!rest.end.approvals.some((each) => each.id === inner)) return false;
      rest.wake([[inner, decision]]);
      return true;
    }
    for (const owner of this.#parts.runs.owed()) {
      const inner = within(owner, id);
      if (inner === undefined) continue;
      this.#early.set(owner, [...(this.#early.get(owner) ?? []), [inner, decision]]);
      return true;
    }
    return false;
  }

  /** Cancels a child that had begun in another process and has not gone on in this one. */
  cancelOwed(id: string): void {
    this.#cancel(this.#parts.runs.take(id));
  }

  /** Brings children to their end that were cancelled by a process that died over it. */
  cancelOrphans(): void {
    for (const id of this.#parts.runs.orphans()) this.#cancel(this.#parts.runs.take(id));
  }

  #cancel(child: ChildRun | undefined): void {
    if (child === undefined) return;
    child.cancel();
    this.#track(child.end);
  }

  /** Resolves when no child does anything any more. */
  async ended(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }

  #track(end: Promise<unknown>): void {
    const over: Promise<unknown> = end.then(
      () => this.#ends.delete(over),
      () => this.#ends.delete(over),
    );
    this.#ends.add(over);
  }
}

/** A child's end; a signal that aborts cancels the child, or lets go of it. */
async function endOf(child: ChildRun, signal: AbortSignal): Promise<End> {
  const stop = () => (signal.reason === ABANDONED ? child.abandon() : child.cancel());
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await child.end;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The id of a child's approval, from the id by which the parent knows it. */
function within(owner: string, id: string): string | undefined {
  return id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : undefined;
}
