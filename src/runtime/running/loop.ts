/**
 * The loop of one live run over its driver: makes the driver's lines durable, shows them to observers, begins
 * and stops attempts as the driver says, and gives it their reports. It decides nothing.
 */
import {
  type Arrived,
  type Attempt,
  Driver,
  type DriverSource,
  type Owed,
  type Refused,
  type Shown,
} from "../../core/driver/for-live-runs.js";
import type { RunState } from "../../core/kernel/machine/index.js";
import type { Directive } from "../../core/kernel/vocabulary/index.js";
import type { JournalSession } from "../journals/session.js";
import { type AttemptParts, Attempts, type Report } from "./attempts.js";
import { driverOptions } from "./driver-options.js";
import type { Driven } from "./end.js";
import { type Audience, ObservationPublisher } from "./observation-publisher.js";

/** The parts of a loop. */
export interface LoopParts<Input, Output, Context>
  extends Audience<Context>,
    AttemptParts<Input, Output, Context> {
  readonly source: DriverSource<Context>;
  readonly session: JournalSession;
  /** Keeps the files of what was taken; nothing to wait for where there are none. */
  filesKept(): Promise<unknown> | undefined;
}

/** Milliseconds by which a clock is behind before anybody is told: two machines differ by less. */
const MIN_BEHIND = 1_000;
/** The maximal number of reports in one take. */
const MAX_ARRIVED = 64;
const REFUSED_LATE: Pick<Refused, "why" | "error"> = { why: "late" };

/** The number of microtasks to wait for an answer that is available at once (a local model, a cache). */
const AT_ONCE = 64;

/** One live run. */
export class Loop<Input, Output, Context> {
  readonly #parts: LoopParts<Input, Output, Context>;
  readonly #driver: Driver<Input, Output, Context>;
  readonly #show: ObservationPublisher<Context>;
  readonly #attempts: Attempts<Input, Output, Context>;
  /** The takes whose lines are not durable yet. */
  #taken: Owed<Context>[] = [];
  /** The promises of takes whose lines are not durable yet, in order. */
  readonly #awaited: { owed: Owed<Context>; resolve(): void; reject(thrown: unknown): void }[] = [];
  #stands: Owed["stands"];
  /** True if the last take was cut off at its bound. */
  #isCutOff = false;
  /** Reports that wait for the take that goes on: each would make further steps follow. */
  readonly #reports: Report[] = [];
  /** True if the last take was cut off at its bound, and everybody else has had a turn since. */
  #again = false;
  /** True if appends take time: only then is it worth starting model calls early. */
  #writesTakeTime = false;
  #cancelTimer: () => void = () => {};
  #wake: () => void = () => {};
  #failure: { readonly thrown: unknown } | undefined;
  /** The failure for which it stops when there is nothing to record. */
  #leaving: { readonly thrown: unknown } | undefined;
  #closed = false;

  constructor(parts: LoopParts<Input, Output, Context>) {
    const { reasoner, source, options } = parts;
    this.#parts = parts;
    this.#stands =
      source.state.status === "active" || source.start !== undefined ? "running" : "ended";
    const { keepsSnapshots: snapshots } = parts.session;
    this.#driver = new Driver(reasoner, source, { ...driverOptions(options), snapshots });
    const show = new ObservationPublisher(source.state.runId, parts);
    this.#show = show;
    this.#attempts = new Attempts(parts, {
      show,
      keep: (arrived) => (this.#closed ? REFUSED_LATE : this.take([arrived]).refused[0]),
      hearsProgress: () => !this.#isCutOff,
      progress: (arrived) => this.#takeOwn([arrived]),
      report: (report) => this.#report(report),
      wake: () => this.#wake(),
      abandon: (thrown) => this.abandon(thrown),
      leave: (thrown) => {
        this.#leaving ??= { thrown };
        this.#wake();
      },
    });
  }

  /** Returns true if nothing is taken any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The newest state; its lines may be on their way. */
  get state(): RunState<Context> {
    return this.#driver.state;
  }

  /** The runs that are not over, the root first. */
  get runs(): Driver<Input, Output, Context>["runs"] {
    return this.#driver.runs;
  }

  /** Takes what nobody sends who could be told of a failure. */
  #takeOwn(arrived: readonly Arrived[]): void {
    if (this.#closed) return;
    try {
      this.take(arrived);
    } catch (thrown) {
      this.abandon(thrown);
    }
  }

  /** Takes what has arrived, at once. @returns what is owed; what of it was refused is the sender's */
  take(arrived: readonly Arrived[]): Owed<Context> {
    const { options, session } = this.#parts;
    const { behind } = this.#driver;
    const owed = this.#driver.take(arrived, options.clock.now());
    if (this.#driver.behind >= Math.max(behind + 1, MIN_BEHIND))
      this.#show.notice("", "clock.behind", behindNotice(this.#driver.behind));
    session.take(owed as Owed<never>, this.#driver);
    this.#taken.push(owed);
    this.#stands = owed.stands;
    this.#isCutOff = owed.more;
    this.#again = false;
    this.#setTimer(owed);
    this.#wake();
    return owed;
  }

  /** @returns a promise that ends when the lines of a take are durable, and rejects where they never are */
  durable(owed: Owed<Context>): Promise<void> {
    return new Promise((resolve, reject) => this.#awaited.push({ owed, resolve, reject }));
  }

  /** Stops the run where it is, without ending it. The first failure says why. */
  abandon(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#wake();
  }

  /** Drives the run and its children until it ends or waits. */
  async drive(): Promise<Driven<Context>> {
    const driven = await this.#loop().catch((thrown) => this.abandon(thrown));
    this.#closed = true;
    this.#cancelTimer();
    this.#attempts.stopAll();
    for (const { reject } of this.#awaited) reject(this.#failure?.thrown);
    if (driven === undefined || this.#failure !== undefined) throw this.#failure?.thrown;
    return driven;
  }

  /** @returns how it stands when it ends or waits; nothing where a failure stops it */
  async #loop(): Promise<Driven<Context> | undefined> {
    while (this.#failure === undefined) {
      if (this.#attempts.breathes) await this.#news();
      else if (this.#taken.length > 0) await this.#record();
      else if (this.#again || (this.#reports.length > 0 && !this.#isCutOff)) {
        this.#takeReports(this.#reports.splice(0, MAX_ARRIVED));
      } else if (this.#leaving !== undefined) this.abandon(this.#leaving.thrown);
      else if (this.#stands !== "running") return this.#driven();
      else await this.#news();
    }
    return undefined;
  }

  #driven(): Driven<Context> {
    // From here on nothing is taken: a sender gets an error instead of a false promise.
    this.#closed = true;
    const { state, runs, usage, behind, down, dueAt } = this.#driver;
    return { state, runs, usage, drained: this.#stands === "drained", behind, down, dueAt };
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Makes durable what was taken, in one append, and then carries it out. */
  async #record(): Promise<void> {
    if (this.#writesTakeTime && this.#beginEarly(this.#taken)) {
      // An answer that comes at once is written together with its call.
      const before = this.#taken.length;
      for (let i = 0; i < AT_ONCE && this.#taken.length === before; i++) await undefined;
    }
    const taken = this.#taken;
    this.#taken = [];
    const kept = this.#parts.filesKept();
    if (kept !== undefined) await kept;
    const flushed = this.#parts.session.flush();
    if (flushed !== undefined) {
      if (!this.#writesTakeTime) this.#beginEarly(taken);
      this.#writesTakeTime = true;
      await flushed;
    }
    for (const owed of taken) this.#act(owed);
    while (taken.includes(this.#awaited[0]?.owed as Owed<Context>))
      this.#awaited.shift()?.resolve();
  }

  /** @returns whether a model call began */
  #beginEarly(taken: readonly Owed<Context>[]): boolean {
    let began = false;
    for (const attempt of taken.flatMap(({ early }) => early)) {
      if (this.#attempts.has(attempt) || !this.#driver.carries(attempt)) continue;
      if (this.#driver.holds(attempt)) continue;
      this.#attempts.beginEarly(attempt);
      began = true;
    }
    return began;
  }

  /** The lines are durable. */
  #act({ show, stop, early, begin, kept, snapshot, broken }: Owed<Context>): void {
    for (const each of show) {
      if (each.type === "retry") {
        const { run, ...retry } = each;
        this.#show.ifObserved(run, retry);
      } else this.#showStep(each);
    }
    for (const each of early) this.#attempts.release(each);
    for (const call of stop) this.#attempts.stop(call);
    for (const attempt of [...early, ...begin]) {
      if (this.#attempts.has(attempt) || !this.#driver.carries(attempt)) continue;
      if (this.#driver.holds(attempt)) this.#holdBack(attempt);
      else this.#attempts.begin(attempt);
    }
    for (const call of kept) this.#attempts.kept(call);
    if (snapshot !== undefined) this.#parts.session.store(snapshot);
    if (broken !== undefined) this.abandon(broken.thrown);
  }

  #showStep(shown: Extract<Shown<Context>, { type: "step" }>): void {
    this.#show.step(shown);
    const { run, step } = shown;
    for (let i = 0; i < step.directives.length; i++) {
      const directive = step.directives[i] as Directive;
      if (directive.type === "notify") this.#show.notify(run, directive.topic, directive.data);
    }
  }

  /** An attempt is not begun after all. */
  #holdBack({ run, id, attempt }: Attempt): void {
    this.#takeOwn([{ type: "stopped", run, id, attempt }]);
  }

  #report(report: Report): void {
    if (this.#closed) return;
    if (this.#isCutOff) this.#reports.push(report);
    else this.#takeReports([report]);
  }

  #takeReports(reports: readonly Report[]): void {
    const arrived = reports.map(({ attempt: { run, id, attempt }, outcome }): Arrived => {
      return { run, id, attempt, ...outcome };
    });
    for (const each of this.take(arrived).refused) {
      const report = reports[arrived.indexOf(each.arrived)];
      if (report !== undefined) this.#attempts.tellOfRefusal(report, each);
    }
  }

  #setTimer({ wakeAt, more }: Owed): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    if (wakeAt === undefined) return;
    const { clock } = this.#parts.options;
    const wait = Math.max(0, wakeAt - clock.now());
    // A clock may call back at once, again and again, where a machine goes on without end.
    const again = () => {
      this.#again = true;
      this.#wake();
    };
    this.#cancelTimer = clock.setTimer(wait, more ? again : () => this.#takeOwn([]));
  }
}

function behindNotice(ms: number): string {
  return `The clock is ${ms} ms behind the run's last event; what is left of deadlines and timers runs from now on.`;
}
