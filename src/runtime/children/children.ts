/**
 * The child runs of one live run: which are live, which wait and for what, and how they are
 * stopped. It knows neither their journals nor the parent's machine.
 */
import type { Settling } from "../../core/driver/live.js";
import type { ChildMark } from "../../core/journal/index.js";
import {
  type ApprovalDecision,
  addUsage,
  type Effect,
  noUsage,
  pairKey,
  type RunDirective,
} from "../../core/kernel/index.js";
import type { Clock } from "../ports.js";
import type { End, Waiting } from "../running/end.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import { idFromRoot } from "../running/refusals.js";
import type { ChildRun, ChildRuns } from "./child-runs.js";
import { approvalsOf, settlementOf } from "./effect-run.js";

/** Reasons of aborts: the machine cancelled the effect, or this process abandons the run. */
export const CANCELLED: Error = /* @__PURE__ */ new Error("cancelled");
export const ABANDONED: Error = /* @__PURE__ */ new Error("the run ended");

/** What resting children wait for, and their usage so far, which no settlement contains yet. */
export type ChildrenWait = Pick<Waiting<unknown, unknown>, "approvals" | "wakeAt" | "usage">;

/** A decision, and the id by which the child knows its approval. */
type Decided = readonly [id: string, decision: ApprovalDecision];

/** A child that is live or rests. */
interface LiveChild {
  readonly id: string;
  readonly child: ChildRun;
  /** Decisions that arrived when the child accepted no more events and was not at rest yet. */
  readonly undelivered: Decided[];
  /** From its rest on until it goes on. */
  rest?: Resting;
}

/** A child that rests, or was woken and has not gone on yet. */
interface Resting {
  readonly end: Waiting<unknown, unknown>;
  /** The approvals that wait, by the ids by which the child knows them. */
  readonly open: Set<string>;
  /** The decisions with which it continues. */
  readonly decided: Decided[];
  woken: boolean;
  /** The run was told that it rests. */
  told: boolean;
  wake(): void;
}

/** What the children of a run are made of. */
export interface ChildrenParts {
  readonly runs: ChildRuns;
  readonly clock: Clock;
  /** The `run` directives that lead to the run, from the outermost. */
  readonly path: readonly string[];
  /** Whether a child that rests is woken when its first timer is due. */
  readonly sleeps: boolean;
  /** A child has come to rest, or goes on. */
  onRest(id: string, rests: boolean): void;
  /** Something that a person should know, with the code `approval.stale`. */
  notice(message: string): void;
  /** Resolves when the mark is durable. */
  mark(mark: ChildMark): Promise<void>;
  /** A journal failed, the run's own or a child's: the run cannot continue. */
  fail(thrown: unknown): void;
}

/** The children of one live run. */
export class Children {
  readonly #parts: ChildrenParts;
  readonly #live = new Map<string, LiveChild>();
  /** Decisions for children that have not gone on yet. */
  readonly #pending = new Map<string, Decided[]>();
  readonly #ends = new Set<Promise<unknown>>();
  /** The time until which effects of children may settle, once the run is drained. */
  #drainedAt: number | undefined;

  constructor(parts: ChildrenParts) {
    this.#parts = parts;
  }

  /** What the children among these effects wait for, in their order. */
  waits(effects: readonly Effect[]): ChildrenWait {
    const ends = effects.flatMap(({ id }) => {
      const end = this.#live.get(id)?.rest?.end;
      return end === undefined ? [] : [{ id, end }];
    });
    const times = ends.flatMap(({ end }) => (end.wakeAt === undefined ? [] : [end.wakeAt]));
    return {
      approvals: ends.flatMap(({ id, end }) => approvalsOf(id, end)),
      usage: ends.reduce((sum, { end }) => addUsage(sum, end.usage), noUsage),
      ...(times.length === 0 ? {} : { wakeAt: times.reduce((a, b) => Math.min(a, b)) }),
    };
  }

  /**
   * Runs a child for as long as its parent is live, rests included.
   * @returns its settlement, or `undefined` where it was stopped, or a journal failed
   */
  run(directive: RunDirective, stop: LazyAbort): Promise<Settling | undefined> {
    return this.#track(this.#run(directive, stop).finally(() => this.#live.delete(directive.id)));
  }

  async #run(directive: RunDirective, stop: LazyAbort): Promise<Settling | undefined> {
    const { id } = directive;
    let decided: readonly Decided[] = this.#pending.get(id) ?? [];
    this.#pending.delete(id);
    for (;;) {
      const child = this.#open(directive);
      if ("code" in child) {
        for (const each of decided) this.#undeliverable(id, each);
        return { type: "run.failed", id, error: child };
      }
      const live: LiveChild = { id, child, undelivered: [] };
      this.#live.set(id, live);
      // One that has not begun takes all of them, and tells itself of what does not wait.
      for (const each of decided) child.decide(...each);
      this.#drain(child);
      const end = await endOf(child, stop);
      decided = [];
      if (!stop.aborted) {
        const settlement = settlementOf(id, end);
        if (settlement !== undefined) {
          for (const each of live.undelivered) this.#undeliverable(id, each);
          return settlement;
        }
        decided = await this.#rest(live, end as Waiting<unknown, unknown>, stop);
        delete live.rest;
      }
      if (stop.aborted) {
        for (const each of [...decided, ...live.undelivered]) this.#undeliverable(id, each);
        if (end.status === "waiting") await this.#stopResting(directive, stop);
        else if (stop.reason !== ABANDONED) await this.#over(id, end);
        return undefined;
      }
    }
  }

  #open(directive: RunDirective): ReturnType<ChildRuns["open"]> {
    const { id } = directive;
    return this.#parts.runs.open(directive, () => this.#parts.mark({ id, child: "begun" }));
  }

  /** Reports a decision that came too late. */
  #undeliverable(child: string, [inner]: Decided): void {
    const id = idFromRoot(this.#parts.path, pairKey(child, inner));
    this.#parts.notice(
      `The decision on ${JSON.stringify(id)} came when that approval no longer waited, and was dropped.`,
    );
  }

  /**
   * Resolves when somebody decides, when a timer of the child is due, or when it is stopped.
   * @returns the decisions with which it goes on, those included that come until then
   */
  #rest(
    live: LiveChild,
    end: Waiting<unknown, unknown>,
    stop: LazyAbort,
  ): Promise<readonly Decided[]> {
    const { clock, sleeps, onRest } = this.#parts;
    const open = new Set(end.approvals.map(({ id }) => id));
    const rest: Resting = { end, open, decided: [], woken: false, told: false, wake: () => {} };
    for (const each of live.undelivered.splice(0)) {
      if (open.delete(each[0])) rest.decided.push(each);
      else this.#undeliverable(live.id, each);
    }
    live.rest = rest;
    return new Promise((resolve) => {
      let cancelTimer = () => {};
      let unlisten = () => {};
      rest.wake = () => {
        rest.woken = true;
        cancelTimer();
        unlisten();
        if (rest.told) onRest(live.id, false);
        resolve(rest.decided);
      };
      unlisten = stop.onAbort(rest.wake);
      if (rest.decided.length > 0) rest.wake();
      if (rest.woken) return;
      if (end.wakeAt !== undefined && sleeps && this.#drainedAt === undefined) {
        cancelTimer = clock.setTimer(Math.max(0, end.wakeAt - clock.now()), rest.wake);
      }
      rest.told = true;
      onRest(live.id, true);
    });
  }

  /** A child at rest is woken to be cancelled, so that its journal says so too. */
  async #stopResting(directive: RunDirective, stop: LazyAbort): Promise<void> {
    if (stop.reason === ABANDONED) return;
    const child = this.#open(directive);
    if ("code" in child) return;
    child.cancel();
    await this.#over(directive.id, await child.end);
  }

  /** A cancelled child has ended: no later resume needs to look after it. */
  async #over(id: string, end: End): Promise<void> {
    await this.#parts.mark({ id, child: "ended", usage: end.usage });
  }

  /**
   * Hands a decision on to the child whose approval it is about.
   * @returns whether there is such a child, and where it rests, whether that approval waits
   */
  decide(owner: string, inner: string, decision: ApprovalDecision): boolean {
    const live = this.#live.get(owner);
    if (live !== undefined) {
      const { child, rest, undelivered } = live;
      if (rest === undefined) {
        const said = child.decide(inner, decision);
        if (said === "over") undelivered.push([inner, decision]);
        return said !== "stale";
      }
      if (!rest.open.delete(inner)) return false;
      rest.decided.push([inner, decision]);
      rest.wake();
      return true;
    }
    if (!this.#parts.runs.owed(owner)) return false;
    const pending = this.#pending.get(owner);
    if (pending === undefined) this.#pending.set(owner, [[inner, decision]]);
    else pending.push([inner, decision]);
    return true;
  }

  /** The approvals that wait in the children among these effects, by the ids by which they are decided. */
  approvals(effects: readonly Effect[]): readonly string[] {
    return effects.flatMap(({ id }) => {
      const { child, rest } = this.#live.get(id) ?? {};
      const open = rest?.open ?? child?.approvals() ?? this.#parts.runs.approvals(id);
      return [...open].map((inner) => pairKey(id, inner));
    });
  }

  /** A child is about to be cancelled: what waits in it for a slot does not begin. */
  hold(id: string): void {
    this.#live.get(id)?.child.hold();
  }

  /** Does something with each child that is live. */
  each(work: (child: ChildRun) => void): void {
    for (const { child } of this.#live.values()) work(child);
  }

  /** Lets what runs in children settle within a time; none that rests is woken by its timers any more. */
  drain(ms: number): void {
    const until = this.#parts.clock.now() + ms;
    this.#drainedAt = Math.min(this.#drainedAt ?? until, until);
    this.each((child) => this.#drain(child));
  }

  /** A child that continues while the run is drained accepts events and starts no effects. */
  #drain(child: ChildRun): void {
    if (this.#drainedAt === undefined) return;
    child.drain(Math.max(0, this.#drainedAt - this.#parts.clock.now()));
  }

  /** Cancels a child that had begun in another process and has not gone on in this one. */
  cancelOwed(id: string): void {
    this.#dropPending(id);
    if (!this.#live.has(id)) this.#cancel(id, this.#parts.runs.take(id));
  }

  /** Ends children whose cancellation was interrupted by a crash. */
  cancelOrphans(): void {
    for (const id of this.#parts.runs.orphans()) this.#cancel(id, this.#parts.runs.take(id));
  }

  #cancel(id: string, child: ChildRun | undefined): void {
    if (child === undefined) return;
    child.cancel();
    void this.#track(child.end.then((end) => this.#over(id, end)));
  }

  /** Resolves when no child does anything any more; none goes on from now on. */
  async ended(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
    for (const id of [...this.#pending.keys()]) this.#dropPending(id);
  }

  /** The child will not continue in this process: its pending decisions are reported. */
  #dropPending(id: string): void {
    for (const each of this.#pending.get(id) ?? []) this.#undeliverable(id, each);
    this.#pending.delete(id);
  }

  /** What a child does until it ends; a failure is the run's own, but for the letting go of it. */
  #track<T>(work: Promise<T>): Promise<T | undefined> {
    const over: Promise<T | undefined> = work
      .catch((thrown) => {
        if (thrown !== ABANDONED) this.#parts.fail(thrown);
        return undefined;
      })
      .finally(() => this.#ends.delete(over));
    this.#ends.add(over);
    return over;
  }
}

/** A child's end; a stop cancels the child, or lets go of it. */
async function endOf(child: ChildRun, stop: LazyAbort): Promise<End> {
  const unlisten = stop.onAbort(() =>
    stop.reason === ABANDONED ? child.abandon() : child.cancel(),
  );
  try {
    return await child.end;
  } finally {
    unlisten();
  }
}
