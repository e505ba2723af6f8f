/**
 * A driver of a run with its children: what arrived goes in; lines, effects to begin and to stop, deadlines
 * come out. It decides all that a run decides, and has no effect: no promise, no clock, no I/O.
 */
import type { DownError } from "../journal/for-live-runs.js";
import type { Reasoner, RunState } from "../kernel/machine/index.js";
import type { Description, Usage } from "../kernel/vocabulary/index.js";
import type { Arrived, Attempt, Call, Incoming, InFlight, Path } from "./arrived.js";
import { beginNext, isBegunMarked, markBegun } from "./begin-attempts.js";
import { type DriverSource, Inheritance, type Inherited } from "./continue-from.js";
import { arrivedFault, checkNow } from "./door-shapes.js";
import type { DrivenRun } from "./driven-run.js";
import { Effects, type Live } from "./effects.js";
import type { DriverOptions } from "./options.js";
import type { Owed, Stands } from "./owed-by-host.js";
import { Kinship, ROOT } from "./parents-and-children.js";
import { partialsOf } from "./partials.js";
import { type Following, noDebts, type Shared } from "./shared-by-runs.js";
import { type Down, firstDown, pollsOf, standing, wakeAt } from "./status-and-wake.js";
import { arrive } from "./take-arrival.js";
import { RunTree, type TreeRun } from "./tree.js";
import { WindingDown } from "./winding-down.js";

/** The maximal number of steps that follow in one take; a constant of the format. */
const BOUND = 64;

/** Drives a run and its children. */
export class Driver<Input, Output, Context> {
  readonly #shared: Shared<Context>;
  readonly #tree: RunTree<Input, Output, Context>;
  #start: DriverSource<Context>["start"];
  /** True while effects that were owed at the opening wait for the first arrivals. */
  #opening: boolean;
  /** The number of steps that followed in the present take. */
  #steps = 0;
  readonly #inherited: Inheritance;
  /** The time of the newest event of the tree. */
  #at: number;

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    source: DriverSource<Context>,
    options: DriverOptions,
  ) {
    const { inFlight, interrupt, tree, start, seed } = source;
    this.#shared = {
      options,
      log: source.log,
      winding: new WindingDown(),
      kin: tree?.kin ?? new Kinship(),
      effects: new Effects(),
      news: [],
      now: 0,
      offset: inFlight?.behind ?? 0,
      slots: options.slots ?? Number.POSITIVE_INFINITY,
      out: noDebts(),
      bury: (gone) => this.#tree.bury(gone),
      pace: (run) => this.#tree.pace(run),
    };
    const { winding, kin } = this.#shared;
    if (tree === undefined && start === undefined) kin.goOn(source.state);
    const { children = [], left } = tree ?? {};
    this.#tree = new RunTree(reasoner, source, { seed, left }, children, this.#shared);
    winding.turn = this.#root;
    if (interrupt !== undefined) winding.goOn(interrupt);
    if (inFlight !== undefined) winding.drainAgain(inFlight);
    this.#at = this.#tree.newestAt(source.state.at);
    this.#opening = start === undefined && inFlight === undefined;
    if (inFlight !== undefined) this.#tree.goOnWith(inFlight.attempts);
    this.#start = start;
    this.#inherited = new Inheritance(source.inherited);
  }

  get #root(): DrivenRun<Input, Output, Context> {
    return this.#tree.root;
  }

  /** The newest state of the root. */
  get state(): RunState<Context> {
    return this.#root.state;
  }

  /** The newest state of a run, where it is not over. */
  stateOf(run: Path): RunState | undefined {
    return this.#tree.of(run)?.state;
  }

  /** The usage of the root and of all its children so far. */
  get usage(): Usage {
    return this.#tree.usage;
  }

  /** All that the next driver of the run needs beside the lines, where this one is dropped. */
  get inFlight(): InFlight {
    const { offset, winding } = this.#shared;
    const behind = offset === 0 ? {} : { behind: offset };
    return { attempts: this.#tree.inFlight, ...behind, ...winding.inFlight };
  }

  /** The runs that are not over, the root first. */
  get runs(): readonly TreeRun[] {
    return this.#tree.runs;
  }

  /** The error of a model that the tree waits for, and the next attempt, as events have times. */
  get down(): Down | undefined {
    return firstDown(this.#tree.livesInOrder);
  }

  /** The description of the root in words, where anything is said of it. */
  get says(): Description | undefined {
    return this.#shared.log.says;
  }

  /** The errors of all models that the tree waits for, in the order of their calls. */
  get downs(): readonly DownError[] {
    return this.#tree.livesInOrder.flatMap(({ live }) => live.down ?? []);
  }

  /**
   * The moment of the first timer that does not stand still, or at which the first port that has nothing to look for
   * now looks again, as events have times.
   */
  get dueAt(): number | undefined {
    const { effects, now } = this.#shared;
    const [poll, timer] = [pollsOf(effects, now).next, effects.timers.first];
    return poll === undefined || timer === undefined ? (poll ?? timer) : Math.min(poll, timer);
  }

  /** Milliseconds by which the host's clock is behind the times of events. */
  get behind(): number {
    return this.#shared.offset;
  }

  /** Returns true if an attempt was handed out and is neither reported nor stopped. */
  carries(call: Call): boolean {
    return this.#tree.of(call.run)?.carriedOut(call)?.phase === "running";
  }

  /**
   * Returns true if an attempt that was handed out and has not begun is held back: the turn, or the run, has
   * been wound down since. The host reports it as stopped. One that is marked begins while a drain has time.
   */
  holds(call: Call): boolean {
    const { winding, now, effects } = this.#shared;
    const run = this.#tree.of(call.run);
    const live = run?.carriedOut(call);
    if (run === undefined || live === undefined) return winding.holds;
    if (!winding.holdsBack(run)) return false;
    if (winding.interrupts && run === winding.turn) return true;
    return !isBegunMarked(live) || winding.leaves(effects, now);
  }

  /**
   * Takes what has arrived.
   * @param now the host's clock, in milliseconds since 1970
   * @throws ReckonerError `event.invalid` where `now` is no time; then nothing is taken
   */
  take(arrived: readonly Arrived[], now: number): Owed<Context> {
    checkNow(now);
    // The run's time never goes back, and flows at the host's pace, also behind a clock that was set back.
    const shared = this.#shared;
    const at = this.#at;
    if (now + shared.offset < at) shared.offset = at - now;
    shared.now = now + shared.offset;
    shared.out = noDebts();
    let more = false;
    let broken: Owed["broken"];
    try {
      more = this.#takeAll(arrived.filter((each) => this.#fits(each)));
    } catch (thrown) {
      broken = { thrown };
    }
    return this.#owed(more, broken);
  }

  /** @returns whether something that follows was left for the next take */
  #takeAll(arrived: readonly Arrived[]): boolean {
    // Whoever goes on with what is in no line gives a slot that becomes free to the same effect, too.
    this.#shared.effects.endDelays(this.#shared.now);
    const wound = this.#windFirst(arrived);
    this.#steps = 0;
    this.#takeStart();
    this.#takeOutcomes();
    this.#followAll();
    this.#takeInherited();
    const due = this.#fireTimers(arrived);
    for (const each of wound) {
      this.#hear(each, due);
      this.#followAll();
    }
    do {
      this.#beginOwed();
      this.#takeLimits();
      this.#followAll();
      for (const live of beginNext(this.#shared)) {
        if (isBegunMarked(live)) markBegun(this.#shared, live);
      }
      this.#takeNews();
    } while (this.#endTurn());
    // One that ends the turn at once needs no mark.
    const { winding, log, kin } = this.#shared;
    const asked = winding.takeUnmarked();
    if (asked !== undefined) log.mark({ interrupt: asked });
    return this.#nextNews >= 0 || kin.follows || this.#isDue || !this.#inherited.isEmpty;
  }

  /** An outcome that a fork sets comes before the one that follows of the child by itself. */
  #takeOutcomes(): void {
    const isSet = ({ run, event }: Inherited) => this.#tree.of(run)?.get(event.id) !== undefined;
    const outcomes = this.#inherited.outcomes(isSet);
    for (const { run, event } of outcomes) this.#tree.of(run)?.step(event, event.at);
  }

  #takeInherited(): void {
    for (; this.#steps < BOUND && !this.#shared.kin.follows; this.#steps++) {
      const next = this.#inherited.next();
      if (next === undefined) return;
      const { run, event } = next;
      const heir = this.#tree.of(run);
      if (heir?.get(event.id) === undefined) continue;
      heir.step(event, event.at);
      this.#followAll();
    }
  }

  /** Returns true if a timer is due: the bound of a take left it for the next one. */
  get #isDue(): boolean {
    const { effects, now } = this.#shared;
    return (effects.timers.first ?? Number.POSITIVE_INFINITY) <= now;
  }

  /** The place of the settlement that follows, or -1; none does of a run that is wound down. */
  get #nextNews(): number {
    const { news, winding } = this.#shared;
    return news.findIndex(({ live }) => !winding.holdsBack(live.owner));
  }

  /** Effects that were owed when the run was opened begin, as far as they may, after what was said first. */
  #beginOwed(): void {
    if (!this.#opening || this.#shared.winding.holds) return;
    this.#opening = false;
    for (const { run, live } of this.#tree.livesInOrder) if (live.phase === "owed") run.enter(live);
  }

  /** Takes the settlements that follow and are in no line: unknown outcomes, denied approvals. */
  #takeNews(): void {
    const { news } = this.#shared;
    for (; this.#steps < BOUND; this.#steps++) {
      const at = this.#nextNews;
      if (at < 0) return;
      const [{ run, live, settlement }] = news.splice(at, 1) as [Following];
      if (live.phase === "over") continue;
      run.step(settlement);
      this.#followAll();
    }
  }

  // Children.

  /** Takes what follows between the runs of the tree: it has the time of what it follows from. */
  #followAll(): void {
    const { kin } = this.#shared;
    for (; this.#steps < BOUND; this.#steps++) {
      const follow = kin.next;
      if (follow === undefined) return;
      this.#tree.follow(follow);
      // It does not follow again, even where nothing came of it.
      if (kin.next === follow) kin.drop(follow);
    }
  }

  /** A run that is wound down before it begins starts nothing. @returns what is to be taken later */
  #windFirst(arrived: readonly Arrived[]): readonly Arrived[] {
    if (this.#start === undefined && !this.#opening) return arrived;
    const isWind = ({ type }: Arrived) => type === "interrupt" || type === "drain";
    for (const each of arrived) if (isWind(each)) this.#hear(each);
    return arrived.filter((each) => !isWind(each));
  }

  #takeStart(): void {
    const start = this.#start;
    this.#start = undefined;
    if (start !== undefined) this.#root.took(start.event, start.step, start.begin);
  }

  // Arrivals.

  /** Refuses what is nothing that a driver could be told. @returns true if it may be heard */
  #fits(arrived: Arrived): boolean {
    const error = arrivedFault(arrived);
    if (error !== undefined) this.#shared.out.refused.push({ arrived, why: "refused", error });
    return error === undefined;
  }

  #hear(arrived: Arrived, due?: ReadonlySet<string>): void {
    const why = arrive(this.#tree, this.#shared, arrived, due);
    const { refused } = this.#shared.out;
    if (typeof why === "object") refused.push({ arrived, why: "refused", error: why });
    else if (why !== undefined) refused.push({ arrived, why });
  }

  // Time.

  /**
   * Timers come before what is said at the same moment: it may be too late for it.
   * @returns the approvals on which something is decided and that waited until then, if anything was due
   */
  #fireTimers(arrived: readonly Arrived[]): ReadonlySet<string> | undefined {
    const { now, effects } = this.#shared;
    if (!this.#isDue) return undefined;
    const waited = new Set<string>();
    for (const each of arrived) {
      if (each.type !== "decided") continue;
      const { run = ROOT, id } = each;
      if (this.#tree.of(run)?.get(id) !== undefined) waited.add(`${run} ${id}`);
    }
    // A timer may set the next one for the same moment, without end.
    for (; this.#steps < BOUND; this.#steps++) {
      const live = effects.timers.take(now);
      if (live === undefined) break;
      this.#tree.of(live.owner.path)?.step({ type: "timer.fired", id: live.effect.id });
      this.#followAll();
    }
    return waited;
  }

  /** Attempts that are late. */
  #takeLimits(): void {
    const { now, effects } = this.#shared;
    const { limits } = effects;
    for (let live = limits.take(now); live !== undefined; live = limits.take(now)) {
      if (live.phase === "running") this.#tree.of(live.owner.path)?.reports.late(live);
    }
  }

  /** @returns whether it has ended */
  #endTurn(): boolean {
    const { winding, now } = this.#shared;
    const { isActive, state } = this.#root;
    const isBusyBelow = (child: Live) => this.#tree.isBusyBelow(child);
    if (!isActive || !winding.endsTurn(this.#root.lives, isBusyBelow, now)) return false;
    const reason = winding.end();
    const partial = partialsOf(state, (id) => this.#root.get(id));
    const event = { type: "interrupt", ...(reason === undefined ? {} : { reason }), partial };
    this.#root.step(event as Incoming);
    this.#followAll();
    return true;
  }

  // Debts.

  #owed(more: boolean, broken: Owed["broken"]): Owed<Context> {
    const { log, now, offset, out } = this.#shared;
    const begins = broken === undefined ? out.begun.filter(({ phase }) => phase === "running") : [];
    this.#at = this.#tree.newestAt(this.#at);
    const attempts = this.#tree.attemptsOf(begins, offset);
    const isEarly = ({ directive }: Attempt) => directive.type === "llm";
    const stands = standing(this.#isOver, this.#shared, more);
    const snapshot = broken === undefined && !more ? this.#snapshot(stands) : undefined;
    // With the mark of the snapshot.
    const { lines, at } = log.take();
    const owed: Owed<Context> = {
      lines,
      at,
      early: attempts.filter(isEarly),
      show: out.show,
      stop: out.stop,
      begin: attempts.filter((each) => !isEarly(each)),
      kept: out.kept,
      snapshot,
      wakeAt: more ? now - offset : wakeAt(this.#isOver, this.#shared),
      stands,
      refused: out.refused,
      more,
    };
    return broken === undefined ? owed : { ...owed, broken };
  }

  /** A fold of the lines, so that all hosts mark the same: nothing follows here that is in no line. */
  #snapshot(stands: Stands): Owed["snapshot"] {
    const { log, kin, options } = this.#shared;
    if (options.snapshots === false || !log.isDue(stands === "running")) return undefined;
    // No directive of its parent says any more of which reasoner such a child is.
    if (!kin.isWhole) return undefined;
    return log.snapshot(this.#tree.snapshots, kin.issued);
  }

  /** Returns true if the root has ended, and no child has anything to do before it ends. */
  get #isOver(): boolean {
    const { effects } = this.#shared;
    return !this.#root.isActive && effects.busy.size === 0 && effects.pending === 0;
  }
}
