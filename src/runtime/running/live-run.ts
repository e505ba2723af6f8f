/** A run in this process: hands what its caller says to its loop, and what happens to its observers. */
import {
  type AnyReasoner,
  type Arrived,
  type DriverSource,
  usageOf,
} from "../../core/driver/live.js";
import {
  type ApprovalDecision,
  addUsage,
  cutText,
  messageOf,
  owedBy,
  type Reasoner,
  ReckonerError,
  type RunEvent,
  tableHas,
  type UserPart,
} from "../../core/kernel/index.js";
import type { ChildRuns } from "../children/child-runs.js";
import { ABANDONED } from "../children/children.js";
import type { JournalSession } from "../journals/session.js";
import type { Clock, JournalPort } from "../ports.js";
import { ownApprovals, type RoutedDecision, routed, whyNoChild } from "./answers.js";
import { Broadcast } from "./broadcast.js";
import {
  checkDuration,
  checkEvent,
  checkGrace,
  checkReason,
  checkSettled,
  type SettledByHand,
} from "./check-event.js";
import { systemClock } from "./clock.js";
import { type End, endOfRun } from "./end.js";
import type { InterruptOptions, Run } from "./handle.js";
import { Loop } from "./loop.js";
import type { Observation } from "./observation.js";
import { onAbort } from "./on-abort.js";
import type { HostOptions } from "./options.js";
import {
  idFromRoot,
  NEVER_ASKED,
  notSettled,
  refusedBy,
  runEnded,
  type Stale,
  staleApproval,
} from "./refusals.js";
import { arrivedOf, decidedIn, type Said, staleOf } from "./said.js";
import type { SlotPool } from "./slot-pool.js";

const NOT_INTERRUPTIBLE =
  "The run cannot be interrupted: its machine has no transition for `interrupt` where it is. Add one, or cancel the run.";

/** The part that the runs of a tree share, and the place of this one in it. */
export interface Tree {
  readonly slots: SlotPool;
  /** The `run` directives that lead to this one, from the outermost. */
  readonly path: readonly string[];
  /** Where runs are upgraded: since when, and the code of this run that was given, newest first. */
  readonly upgrading?: { readonly at: number; readonly versions: readonly AnyReasoner[] };
}

/** The parts that a loop is begun with. */
export interface Beginning<Output, Context> {
  readonly reasoner: Reasoner<never, Output, Context>;
  readonly port: JournalPort;
  readonly session: JournalSession;
  readonly source: DriverSource<Context>;
  readonly children: ChildRuns;
  /** What `resume` was given: decisions first, since what is said may end the run. */
  readonly said?: readonly Said[];
  /**
   * Settlements that a fork's past has, with their times.
   * @param decided the approvals, and the children, on which something is decided anew
   */
  inherited?(decided: ReadonlySet<string>): readonly RunEvent[];
}

type Work<Output, Context> = (live: LiveRun<Output, Context>) => Promise<End<Output, Context>>;

/** A run in this process. */
export class LiveRun<Output, Context> implements Run<Output, Context> {
  readonly tree: Tree;
  readonly #options: HostOptions;
  readonly #end: Promise<End<Output, Context>>;
  readonly #broadcast: Broadcast<Context>;
  /** The words that came before the loop exists. */
  #undelivered: Said[] = [];
  #loop: Loop<never, Output, Context> | undefined;
  readonly #clock: Clock;
  #over = false;
  #abandoned: { readonly thrown: unknown } | undefined;

  constructor(options: HostOptions, tree: Tree, work: Work<Output, Context>) {
    this.tree = tree;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#broadcast = new Broadcast(options, (thrown) => this.#letGo(thrown));
    // A turn later, so that whoever iterates or sends right away misses nothing.
    this.#end = Promise.resolve()
      .then(() => work(this))
      .then(
        (end) => {
          this.#close();
          return end;
        },
        (thrown) => {
          this.#close({ thrown });
          throw thrown;
        },
      );
  }

  async drive(beginning: Beginning<Output, Context>): Promise<End<Output, Context>> {
    const { reasoner, port, session, source, children, said = [] } = beginning;
    const early = this.#undelivered.splice(0);
    const told = [...said, ...early];
    const inherited = beginning.inherited?.(decidedIn(told)) ?? [];
    const loop = new Loop<never, Output, Context>({
      reasoner,
      session,
      source: { ...source, inherited },
      options: { ...this.#options, clock: this.#clock },
      children,
      slots: this.tree.slots,
      path: this.tree.path,
      observe: (observation) => this.observe(observation),
      observed: () => this.#broadcast.isSeen,
    });
    const { signal } = this.#options;
    const aborted = () => {
      try {
        this.cancel(messageOf(signal?.reason ?? "aborted"));
      } catch (thrown) {
        // The clock failed; what a listener throws would go unnoticed.
        this.#letGo(thrown);
      }
    };
    let leave = () => {};
    try {
      this.#loop = loop;
      if (this.#abandoned !== undefined) loop.abandon(this.#abandoned.thrown);
      const cancelled = signal?.aborted === true;
      const reason = cutText(messageOf(signal?.reason ?? "aborted"));
      this.#tellFirst(loop, told, cancelled ? reason : undefined);
      if (!cancelled) leave = onAbort(signal, aborted);
      const { state: last, inChildren, ...rest } = await loop.drive();
      const spent = addUsage(usageOf(last, source.log.usage), inChildren.usage);
      return endOfRun(reasoner, last, port, spent, inChildren, rest);
    } finally {
      leave();
      await session.settled();
    }
  }

  /** Takes the words that came before the run began; tells of a decision on nothing that waits. */
  #tellFirst(
    loop: Loop<never, Output, Context>,
    told: readonly Said[],
    cancelled: string | undefined,
  ): void {
    const stale = new Map<Said, Stale>();
    for (const each of told) {
      if (!("route" in each) || "own" in each.route) continue;
      const { child, inner, decision } = each.route;
      const why = this.#decideInChild(child, inner, decision);
      if (why !== undefined) stale.set(each, why);
    }
    const arrived = new Map(told.map((each) => [arrivedOf(each), each]));
    const cancel = cancelled === undefined ? [] : [{ type: "cancel", reason: cancelled } as const];
    const own = [...arrived.keys()].filter((each) => each !== undefined);
    const { refused } = loop.take([...cancel, ...own]);
    for (const each of refused) {
      const said = arrived.get(each.arrived);
      if (said !== undefined) stale.set(said, staleOf(each));
    }
    for (const each of told) this.#tellOfRefusal(each, stale.get(each));
    for (const each of told) {
      if ("arrived" in each && each.arrived.type === "drain") loop.children.drain(each.arrived.ms);
    }
  }

  #tellOfRefusal(said: Said, stale: Stale | undefined): void {
    if (stale === undefined) return;
    if ("route" in said) {
      const { path } = this.tree;
      const open = this.approvals().map((each) => idFromRoot(path, each));
      const error = staleApproval(idFromRoot(path, said.route.id), stale, open);
      this.#notice("approval.stale", error.message);
    } else if (said.arrived.type === "settle") {
      const { message } = stale.error ?? notSettled(said.arrived.settlement.id);
      this.#notice("late", message);
    } else if (said.arrived.type === "event") {
      const { type } = said.arrived.event;
      const why = stale.error?.message ?? "It came after the run had ended.";
      this.#notice("late", `${type} was dropped: ${why}`);
    } else this.#notice("late", NOT_INTERRUPTIBLE);
  }

  #notice(code: "late" | "approval.stale", message: string): void {
    this.observe({ type: "notice", code, message });
  }

  /** The approvals that wait, its children's included, by the ids by which it is told of them. */
  approvals(): readonly string[] {
    const loop = this.#loop;
    if (loop === undefined) return [];
    return [...ownApprovals(loop.state), ...loop.children.approvals(owedBy(loop.state))];
  }

  /** @returns why the approval does not wait */
  #decide(loop: Loop<never, Output, Context>, route: RoutedDecision): Stale | undefined {
    if ("child" in route) return this.#decideInChild(route.child, route.inner, route.decision);
    const [refused] = loop.take([
      { type: "decided", id: route.own, decision: route.decision },
    ]).refused;
    return refused === undefined ? undefined : staleOf(refused);
  }

  /** Hands a decision on to the child that waits for it. @returns why none does */
  #decideInChild(owner: string, inner: string, decision: ApprovalDecision): Stale | undefined {
    const loop = this.#loop as Loop<never, Output, Context>;
    if (loop.children.decide(owner, inner, decision)) return undefined;
    return tableHas(loop.state.outstanding, owner) ? NEVER_ASKED : whyNoChild(loop.state, owner);
  }

  /** Whether an event sent now would be dropped: the run has ended or rests, or is about to. */
  get over(): boolean {
    if (this.#over || this.#loop?.closed === true) return true;
    return this.#loop !== undefined && this.#loop.state.status !== "active";
  }

  send(event: { readonly type: string; readonly [key: string]: unknown }): void {
    if (this.over) throw runEnded();
    this.#say({ arrived: { type: "event", event: checkEvent(event) } });
  }

  message(content: string | readonly UserPart[]): void {
    this.send({ type: "message", content });
  }

  decide(id: string, decision: ApprovalDecision): void {
    if (this.over) throw runEnded();
    const stale = this.tryDecide(id, decision);
    if (stale !== undefined) throw staleApproval(id, stale, this.approvals());
  }

  /** @returns why the approval does not wait; where that shows later, it is observed */
  tryDecide(id: string, decision: ApprovalDecision): Stale | undefined {
    const route = routed(id, decision);
    if (this.#over) return { why: "the run has ended or rests" };
    if (this.#loop !== undefined) return this.#decide(this.#loop, route);
    this.#undelivered.push({ route });
    return undefined;
  }

  interrupt(reason?: string, options: InterruptOptions = {}): void {
    const graceMs = checkGrace(options);
    if (this.over) return;
    const { reason: said } = checkReason("interrupt", reason);
    this.#say({ arrived: { type: "interrupt", reason: said, graceMs } });
  }

  drain(ms = 0): Promise<End<Output, Context>> {
    checkDuration("ms", ms);
    if (!this.over) {
      this.#say({ arrived: { type: "drain", ms } });
      this.#loop?.children.drain(ms);
    }
    return this.#end;
  }

  settle(path: string, id: string, settlement: SettledByHand["settlement"]): void {
    if (this.over) throw runEnded();
    this.#say({ arrived: checkSettled({ path, id, settlement }) });
  }

  /** @throws ReckonerError where it is refused */
  #say(said: Said): void {
    if (this.#loop === undefined) {
      this.#undelivered.push(said);
      return;
    }
    const [refused] = this.#loop.take([arrivedOf(said) as Arrived]).refused;
    if (refused === undefined) return;
    if (refused.why === "ended") throw runEnded();
    if (refused.error !== undefined) throw refusedBy(refused.error);
    if (refused.arrived.type === "settle") throw notSettled(refused.arrived.settlement.id);
    if (refused.why === "uninterruptible") {
      throw new ReckonerError("run.notInterruptible", NOT_INTERRUPTIBLE);
    }
  }

  cancel(reason?: string): void {
    if (this.over) return;
    this.send({ type: "cancel", ...checkReason("cancel", reason) });
  }

  /** Whoever started the run is about to cancel it: what waits for a slot does not begin. */
  hold(): void {
    this.#loop?.hold();
  }

  /** Stops the run without ending it; its promise rejects. */
  abandon(): void {
    this.#letGo(ABANDONED);
  }

  #letGo(thrown: unknown): void {
    this.#abandoned ??= { thrown };
    this.#loop?.abandon(thrown);
  }

  /** Shows an observation to the observers and to whoever iterates. */
  observe(observation: Observation<Context>): void {
    this.#broadcast.observe(observation);
  }

  #close(failure?: { readonly thrown: unknown }): void {
    this.#over = true;
    // A caller that holds a waiting run only holds its end, not the loop.
    this.#loop = undefined;
    this.#broadcast.close(failure);
  }

  [Symbol.asyncIterator](): AsyncIterator<Observation<Context>> {
    // The iterator throws what the promise rejects with; nobody has to await both.
    this.#end.catch(() => {});
    return this.#broadcast.join();
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaited for its end
  then<A = End<Output, Context>, B = never>(
    onEnd?: ((end: End<Output, Context>) => A | PromiseLike<A>) | null,
    onError?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#end.then(onEnd, onError);
  }

  catch<B = never>(
    onError?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<End<Output, Context> | B> {
    return this.#end.catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<End<Output, Context>> {
    return this.#end.finally(onEnd);
  }
}
