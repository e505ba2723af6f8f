/**
 * The loop of one live run over its driver: makes the lines durable, tells the observers, stops and begins
 * what the driver says, and tells it what came of it. It decides nothing.
 */
import {
  type Arrived,
  type Attempt,
  type Call,
  DEFAULT_LLM_TIMEOUT,
  Driver,
  type DriverSource,
  type Outcome,
  type Owed,
  type Path,
  type Refused,
  type Shown,
  type Stop,
} from "../../core/driver/live.js";
import {
  type Directive,
  type Json,
  type Reasoner,
  ReckonerError,
  type RunState,
} from "../../core/kernel/index.js";
import { type Carriers, carryOut, hasCarrier } from "../effects/carry-out.js";
import { toolsOf } from "../effects/perform.js";
import type { JournalSession } from "../journals/session.js";
import { LazyAbort } from "../ports/lazy-abort.js";
import type { NoticeCode } from "../ports/observation.js";
import type { HostOptions } from "../ports/options.js";
import type { Clock } from "../ports/ports.js";
import { breath } from "./breath.js";
import { driverOptions } from "./driver-options.js";
import type { Driven } from "./end.js";
import { type Audience, ObservationPublisher } from "./observation-publisher.js";
import { Withheld } from "./withheld.js";

/** The parts of a loop. */
export interface LoopParts<Input, Output, Context> extends Audience<Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly source: DriverSource<Context>;
  readonly session: JournalSession;
  readonly options: HostOptions & { readonly clock: Clock };
  readonly blobs: Carriers["ports"]["blobs"];
  /** Keeps the files of what was taken; nothing to wait for where there are none. */
  filesKept(): Promise<unknown> | undefined;
}

/** An outcome of an attempt that was carried out. */
interface Report {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly stop: LazyAbort;
}

/** Milliseconds by which a clock is behind before anybody is told: two machines differ by less. */
const MIN_BEHIND = 1_000;
/** The maximal number of reports in one take. */
const MAX_ARRIVED = 64;
/** The reason of aborts where this process abandons the run. */
const ABANDONED: Error = /* @__PURE__ */ new Error("the run ended");

/** How many microtasks to wait for an answer that is available at once (a local model, a cache). */
const AT_ONCE = 64;

/** Why attempts are aborted, as their signals say it. */
const REASONS: { readonly [Why in Stop["why"]]: Error } = /* @__PURE__ */ Object.freeze({
  settled: new Error("settled"),
  cancelled: new Error("cancelled"),
  interrupted: new Error("interrupted"),
  late: new Error("timed out"),
});

/** Milliseconds between two words of an attempt's progress. */
const PROGRESS_MS = 1_000;

/** One live run. */
export class Loop<Input, Output, Context> {
  readonly #parts: LoopParts<Input, Output, Context>;
  readonly #driver: Driver<Input, Output, Context>;
  readonly #show: ObservationPublisher<Context>;
  readonly #withheld = new Withheld();
  /** The mends of requests that observers know of. */
  readonly #mended = new Set<string>();
  readonly #ports: Omit<Carriers["ports"], "tools">;
  /** The attempts that are carried out, by run, directive and attempt. */
  readonly #running = new Map<string, LazyAbort>();
  /** The times at which model calls began, or made progress as far as the driver was told. */
  readonly #progressed = new Map<string, number>();
  /** The ports that wait until their handles are durable, in the order of these. */
  readonly #keeping: (Call & { readonly resolve: () => void })[] = [];
  /** The takes whose lines are not durable yet. */
  #taken: Owed<Context>[] = [];
  /** The promises of takes whose lines are not durable yet, in order. */
  readonly #awaited: { owed: Owed<Context>; resolve(): void; reject(thrown: unknown): void }[] = [];
  #stands: Owed["stands"];
  /** True if the last take was cut off at its bound. */
  #isCutOff = false;
  /** Reports that wait for the take that goes on: each would make further steps follow. */
  readonly #reports: Report[] = [];
  /** Attempts that are over, and whose reports give way to the event loop: they are recorded together. */
  #breathing = 0;
  /** True if the last take was cut off at its bound, and everybody else has had a turn since. */
  #again = false;
  /** True if appends take time: only then is it worth starting model calls early. */
  #writesTakeTime = false;
  #cancelTimer: () => void = () => {};
  #wake: () => void = () => {};
  #failure: { readonly thrown: unknown } | undefined;
  #closed = false;

  constructor(parts: LoopParts<Input, Output, Context>) {
    const { reasoner, source, options } = parts;
    this.#parts = parts;
    this.#stands =
      source.state.status === "active" || source.start !== undefined ? "running" : "ended";
    const { keepsSnapshots: snapshots } = parts.session;
    this.#driver = new Driver(reasoner, source, { ...driverOptions(options), snapshots });
    this.#show = new ObservationPublisher(source.state.runId, parts);
    const { model, stores, services, unseal } = options;
    this.#ports = { model, stores, services, unseal, blobs: parts.blobs };
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
    session.take(owed as Owed<never>, this.#driver as never);
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

  /** Drives the run and its children until it ends or rests. */
  async drive(): Promise<Driven<Context>> {
    const driven = await this.#loop().catch((thrown) => this.abandon(thrown));
    this.#closed = true;
    this.#cancelTimer();
    for (const stop of this.#running.values()) stop.abort(ABANDONED);
    for (const { reject } of this.#awaited) reject(this.#failure?.thrown);
    if (driven === undefined || this.#failure !== undefined) throw this.#failure?.thrown;
    return driven;
  }

  /** @returns how it stands when it ends or rests; nothing where a failure stops it */
  async #loop(): Promise<Driven<Context> | undefined> {
    while (this.#failure === undefined) {
      if (this.#breathing > 0) await this.#news();
      else if (this.#taken.length > 0) await this.#record();
      else if (this.#again || (this.#reports.length > 0 && !this.#isCutOff)) {
        this.#takeReports(this.#reports.splice(0, MAX_ARRIVED));
      } else if (this.#stands !== "running") return this.#driven();
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
      if (this.#running.has(keyOf(attempt)) || !this.#driver.carries(attempt)) continue;
      if (this.#driver.holds(attempt)) continue;
      this.#withheld.begin(directiveKey(attempt));
      this.#begin(attempt);
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
    for (const each of early) this.#withheld.release(directiveKey(each));
    for (const call of stop) this.#running.get(keyOf(call))?.abort(REASONS[call.why]);
    for (const attempt of [...early, ...begin]) {
      if (this.#running.has(keyOf(attempt)) || !this.#driver.carries(attempt)) continue;
      if (this.#driver.holds(attempt)) this.#holdBack(attempt);
      else this.#begin(attempt);
    }
    for (const call of kept) {
      const at = this.#keeping.findIndex((each) => keyOf(each) === keyOf(call));
      this.#keeping.splice(at, 1)[0]?.resolve();
    }
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

  #begin(attempt: Attempt): void {
    const { run, id, attempt: count } = attempt;
    const stop = new LazyAbort();
    this.#running.set(keyOf(attempt), stop);
    const { type } = attempt.directive;
    if (type === "llm") this.#progressed.set(keyOf(attempt), this.#parts.options.clock.now());
    const tell = (work: () => void) => this.#withheld.show(directiveKey(attempt), work);
    const { reasoner, options } = this.#parts;
    const { model, stores, services, unseal, blobs } = this.#ports;
    const ports = {
      ...{ model, stores, services, unseal, blobs },
      tools: toolsOf(reasoner, attempt),
      onDelta: (delta) => {
        this.#progress(attempt);
        tell(() => this.#show.delta(run, id, count, delta));
      },
      onProgress: (data) => this.#show.progress(run, id, data),
      onNotice: (code, message) => this.#notice(run, code, message),
      keep: (handle, due) => this.#keep(attempt, handle, due),
    } as Carriers["ports"];
    if (hasCarrier(attempt, { ports })) {
      tell(() => this.#show.ifObserved(run, { type: "started", id, attempt: count }));
    }
    void this.#carryOut(attempt, { ports, options }, stop);
  }

  /** Tells the driver of a handle. @returns a promise that ends when it is durable */
  async #keep({ run, id, attempt }: Attempt, handle: Json, due: number | undefined): Promise<void> {
    const arrived = { type: "handle", run, id, attempt, handle, due } as const;
    const refused = this.#closed ? REFUSED_LATE : this.take([arrived]).refused[0];
    if (refused !== undefined) throw handleRefused(refused);
    return new Promise((resolve) => this.#keeping.push({ run, id, attempt, resolve }));
  }

  /** Tells the driver of progress: it puts off the limit of silence. */
  #progress(attempt: Attempt): void {
    const { clock, llmTimeoutMs = DEFAULT_LLM_TIMEOUT } = this.#parts.options;
    const now = clock.now();
    const last = this.#progressed.get(keyOf(attempt));
    const pause = Math.min(PROGRESS_MS, llmTimeoutMs / 4);
    if (last === undefined || now - last < pause || this.#isCutOff) return;
    this.#progressed.set(keyOf(attempt), now);
    const { run, id, attempt: count } = attempt;
    this.#takeOwn([{ type: "progress", run, id, attempt: count }]);
  }

  #notice(run: Path, code: NoticeCode, message: string): void {
    // A mend of a request is repeated with each that follows.
    if (code === "request.mended" && this.#mended.has(message)) return;
    if (code === "request.mended") this.#mended.add(message);
    this.#show.notice(run, code, message);
  }

  async #carryOut(attempt: Attempt, carriers: Carriers, stop: LazyAbort): Promise<void> {
    try {
      const outcome = await carryOut(attempt, carriers, stop);
      const pause = breath(this.#parts.options.clock);
      if (pause !== undefined) {
        this.#breathing += 1;
        await pause;
        this.#breathing -= 1;
        this.#wake();
      }
      this.#report({ attempt, outcome, stop });
    } catch (thrown) {
      // Only a clock throws here: without it nothing may go on.
      this.abandon(thrown);
    }
  }

  #report(report: Report): void {
    this.#running.delete(keyOf(report.attempt));
    this.#progressed.delete(keyOf(report.attempt));
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
      if (report !== undefined) this.#tellOfRefusal(report, each);
    }
  }

  #tellOfRefusal({ attempt, outcome, stop }: Report, { error }: Refused): void {
    if (outcome.type !== "settled" || stop.reason === ABANDONED) return;
    const { run, id } = attempt;
    if (error !== undefined) {
      this.#show.notice(run, "approval.stale", error.message);
      return;
    }
    const { type } = outcome.settlement;
    this.#withheld.show(directiveKey(attempt), () =>
      this.#show.notice(run, "late", `${type} ${id} came after it was cancelled and was dropped.`),
    );
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

const REFUSED_LATE: Pick<Refused, "why" | "error"> = { why: "late" };

function handleRefused({ why, error }: Pick<Refused, "why" | "error">): ReckonerError {
  if (error !== undefined) return new ReckonerError("handle.refused", error.message);
  return new ReckonerError(
    "handle.refused",
    `The handle came too late (${why}): its attempt is over, and another goes on, or none.`,
  );
}

function behindNotice(ms: number): string {
  return `The clock is ${ms} ms behind the run's last event; what is left of deadlines and timers runs from now on.`;
}

const keyOf = ({ run, id, attempt }: Call) => `${attempt} ${run} ${id}`;
const directiveKey = ({ run, id }: Call) => `${run} ${id}`;
