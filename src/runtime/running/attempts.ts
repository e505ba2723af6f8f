/**
 * Carries out the attempts of a run that `run` or `resume` drives: calls the ports, aborts them, and tells
 * the run's loop of progress, handles and outcomes. The driver decides which begin and which stop. For runs
 * of a host see `serve/gated-attempts.ts`.
 */
import {
  type Arrived,
  type Attempt,
  type Call,
  DEFAULT_LLM_TIMEOUT,
  type Outcome,
  type Path,
  type Refused,
  type Stop,
} from "../../core/driver/for-live-runs.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { type Json, ReckonerError } from "../../core/kernel/values/index.js";
import { type Carriers, carryOut, hasCarrier } from "../effects/carry-out.js";
import { toolsOf } from "../effects/perform.js";
import { LazyAbort } from "../ports/lazy-abort.js";
import type { NoticeCode } from "../ports/observation.js";
import type { HostOptions } from "../ports/options.js";
import type { Clock } from "../ports/ports.js";
import type { ObservationPublisher } from "./observation-publisher.js";
import { Withheld } from "./withheld.js";
import { breath } from "./yield-to-event-loop.js";

/** An outcome of an attempt that was carried out. */
export interface Report {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly stop: LazyAbort;
}

/** The loop of a run, as its attempts tell it. */
export interface AttemptListener<Context> {
  readonly show: ObservationPublisher<Context>;
  /** Takes a handle. @returns why it is refused */
  keep(arrived: Arrived): Pick<Refused, "why" | "error"> | undefined;
  /** False while no progress can be taken. */
  hearsProgress(): boolean;
  progress(arrived: Arrived): void;
  report(report: Report): void;
  /** An attempt that was over gave way to the event loop, and is reported. */
  wake(): void;
  abandon(thrown: unknown): void;
  /** Abandons the run when the reports that are there are recorded. */
  leave(thrown: unknown): void;
}

/** The parts with which the attempts of a run are carried out. */
export interface AttemptParts<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly options: HostOptions & { readonly clock: Clock };
  readonly blobs: Carriers["ports"]["blobs"];
}

/** Milliseconds between two words of an attempt's progress. */
const PROGRESS_MS = 1_000;
/** The reason of aborts where this process abandons the run. */
const ABANDONED: Error = /* @__PURE__ */ new Error("the run ended");

/** The reasons of aborts, as their signals say them. */
const REASONS: { readonly [Why in Stop["why"]]: Error } = /* @__PURE__ */ Object.freeze({
  settled: new Error("settled"),
  cancelled: new Error("cancelled"),
  interrupted: new Error("interrupted"),
  late: new Error("timed out"),
});

/** The attempts of one live run. */
export class Attempts<Input, Output, Context> {
  readonly #parts: AttemptParts<Input, Output, Context>;
  readonly #listener: AttemptListener<Context>;
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
  #breathing = 0;

  constructor(parts: AttemptParts<Input, Output, Context>, listener: AttemptListener<Context>) {
    const { model, stores, services, unseal } = parts.options;
    this.#parts = parts;
    this.#listener = listener;
    this.#ports = { model, stores, services, unseal, blobs: parts.blobs };
  }

  /** True while attempts are over whose reports give way to the event loop: they are recorded together. */
  get breathes(): boolean {
    return this.#breathing > 0;
  }

  has(attempt: Call): boolean {
    return this.#running.has(keyOf(attempt));
  }

  /** Begins one before its line is durable: nobody is told anything of it until `release`. */
  beginEarly(attempt: Attempt): void {
    this.#withheld.begin(directiveKey(attempt));
    this.begin(attempt);
  }

  release(attempt: Attempt): void {
    this.#withheld.release(directiveKey(attempt));
  }

  stop(call: Stop): void {
    this.#running.get(keyOf(call))?.abort(REASONS[call.why]);
  }

  /** Aborts all: this process abandons the run. */
  stopAll(): void {
    for (const stop of this.#running.values()) stop.abort(ABANDONED);
  }

  /** The handle of a port is durable. */
  kept(call: Call): void {
    const at = this.#keeping.findIndex((each) => keyOf(each) === keyOf(call));
    this.#keeping.splice(at, 1)[0]?.resolve();
  }

  begin(attempt: Attempt): void {
    const { run, id, attempt: count } = attempt;
    const stop = new LazyAbort();
    this.#running.set(keyOf(attempt), stop);
    const { type } = attempt.directive;
    if (type === "llm") this.#progressed.set(keyOf(attempt), this.#parts.options.clock.now());
    const tell = (work: () => void) => this.#withheld.show(directiveKey(attempt), work);
    const { reasoner, options } = this.#parts;
    const { show } = this.#listener;
    const { model, stores, services, unseal, blobs } = this.#ports;
    const ports = {
      ...{ model, stores, services, unseal, blobs },
      tools: toolsOf(reasoner, attempt),
      onDelta: (delta) => {
        this.#progress(attempt);
        tell(() => show.delta(run, id, count, delta));
      },
      onProgress: (data) => show.progress(run, id, data),
      onNotice: (code, message) => this.#notice(run, code, message),
      keep: (handle, due) => this.#keep(attempt, handle, due),
    } as Carriers["ports"];
    if (hasCarrier(attempt, { ports })) {
      tell(() => show.ifObserved(run, { type: "started", id, attempt: count }));
    }
    void this.#carryOut(attempt, { ports, options }, stop);
  }

  /** Tells the driver of a handle. @returns a promise that ends when it is durable */
  async #keep({ run, id, attempt }: Attempt, handle: Json, due: number | undefined): Promise<void> {
    const refused = this.#listener.keep({ type: "handle", run, id, attempt, handle, due });
    if (refused !== undefined) throw handleRefused(refused);
    return new Promise((resolve) => this.#keeping.push({ run, id, attempt, resolve }));
  }

  /** Tells the driver of progress: it puts off the limit of silence. */
  #progress(attempt: Attempt): void {
    const { clock, llmTimeoutMs = DEFAULT_LLM_TIMEOUT } = this.#parts.options;
    const now = clock.now();
    const last = this.#progressed.get(keyOf(attempt));
    const pause = Math.min(PROGRESS_MS, llmTimeoutMs / 4);
    if (last === undefined || now - last < pause || !this.#listener.hearsProgress()) return;
    this.#progressed.set(keyOf(attempt), now);
    const { run, id, attempt: count } = attempt;
    this.#listener.progress({ type: "progress", run, id, attempt: count });
  }

  #notice(run: Path, code: NoticeCode, message: string): void {
    // A mend of a request is repeated with each that follows.
    if (code === "request.mended" && this.#mended.has(message)) return;
    if (code === "request.mended") this.#mended.add(message);
    this.#listener.show.notice(run, code, message);
  }

  async #carryOut(attempt: Attempt, carriers: Carriers, stop: LazyAbort): Promise<void> {
    try {
      const outcome = await carryOut(attempt, carriers, stop);
      const pause = breath(this.#parts.options.clock);
      if (pause !== undefined) {
        this.#breathing += 1;
        await pause;
        this.#breathing -= 1;
        this.#listener.wake();
      }
      this.#running.delete(keyOf(attempt));
      this.#progressed.delete(keyOf(attempt));
      const missing = unservedOf(outcome);
      if (missing === undefined) this.#listener.report({ attempt, outcome, stop });
      else this.#listener.leave(missing);
    } catch (thrown) {
      // Only a clock throws here: without it nothing may go on.
      this.#listener.abandon(thrown);
    }
  }

  /** Tells the observers that a report came too late. */
  tellOfRefusal({ attempt, outcome, stop }: Report, { error }: Refused): void {
    if (outcome.type !== "settled" || stop.reason === ABANDONED) return;
    const { run, id } = attempt;
    const { show } = this.#listener;
    if (error !== undefined) {
      show.notice(run, "approval.stale", error.message);
      return;
    }
    const { type } = outcome.settlement;
    this.#withheld.show(directiveKey(attempt), () =>
      show.notice(run, "late", `${type} ${id} came after it was cancelled and was dropped.`),
    );
  }
}

/** The error of a tool that used services where the run has none: the run rejects, and the model is told nothing. */
function unservedOf(outcome: Outcome): ReckonerError | undefined {
  if (outcome.type !== "settled" || outcome.settlement.type !== "tool.failed") return undefined;
  const { code, message } = outcome.settlement.error;
  return code === "services.missing" ? new ReckonerError(code, message) : undefined;
}

function handleRefused({ why, error }: Pick<Refused, "why" | "error">): ReckonerError {
  if (error !== undefined) return new ReckonerError("handle.refused", error.message);
  return new ReckonerError(
    "handle.refused",
    `The handle came too late (${why}): its attempt is over, and another goes on, or none.`,
  );
}

const keyOf = ({ run, id, attempt }: Call) => `${attempt} ${run} ${id}`;
const directiveKey = ({ run, id }: Call) => `${run} ${id}`;
