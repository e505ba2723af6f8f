/**
 * Carries out the attempts of one run of a host, each after the gate of its model (`model-gates.ts`) lets it
 * begin, and tells the run of progress, handles and outcomes. Durable Objects use it, too; for `run` and
 * `resume` see `runtime/running/attempts.ts`.
 */
import type { Arrived, Attempt, Call, Stop } from "../core/driver/index.js";
import type { Json } from "../core/kernel/values/index.js";
import { type Clock, LazyAbort, type PerformPorts, perform } from "../runtime/for-hosts.js";
import type { LiveTexts } from "./live-texts.js";
import { type ModelGates, type Pass, requestTokens } from "./model-gates.js";
import type { Fault } from "./store.js";

/** The parts that attempts need. */
export interface AttemptsParts {
  readonly ports: Omit<PerformPorts, "keep" | "onDelta">;
  readonly gates: ModelGates;
  readonly clock: Clock;
  /** Returns why no model may be asked now. */
  refusesModel(): Promise<Fault | undefined> | undefined;
  /** Tells the run what came of an attempt, and of its progress. */
  arrive(arrived: Arrived): void;
  /** Shows others what streams in; absent where it might show what is redacted. */
  readonly live?: LiveTexts | undefined;
}

interface Going {
  readonly stop: LazyAbort;
  /** Gives up waiting at its gate; absent once it has begun. */
  leave?: (() => void) | undefined;
}

interface Keeping {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

type Report = Awaited<ReturnType<typeof perform>>;

/** Milliseconds between two words of an attempt's progress. */
const PROGRESS_MS = 1_000;

/** See the banner. */
export class Attempts {
  readonly #parts: AttemptsParts;
  readonly #going = new Map<string, Going>();
  readonly #keeping = new Map<string, Keeping>();
  #isOver = false;

  constructor(parts: AttemptsParts) {
    this.#parts = parts;
  }

  /** Begins an attempt, or has it wait at the gate of its model. */
  begin(attempt: Attempt): void {
    const { run, id, attempt: count } = attempt;
    const going: Going = { stop: new LazyAbort() };
    this.#going.set(keyOf(attempt), going);
    const gate = this.#parts.gates.of(attempt);
    if (gate === undefined) {
      this.#carryOut(attempt, going, undefined);
      return;
    }
    let isHeld = false;
    going.leave = gate.enter(requestTokens(attempt), (pass) => {
      going.leave = undefined;
      if (isHeld) this.#parts.arrive({ type: "progress", run, id, attempt: count });
      this.#carryOut(attempt, going, pass);
    });
    if (going.leave === undefined) return;
    // Its limits stand still until it makes progress.
    isHeld = true;
    this.#parts.arrive({ type: "held", run, id, attempt: count });
  }

  #carryOut(attempt: Attempt, { stop }: Going, pass: Pass | undefined): void {
    void this.#performed(attempt, stop).then((report) => {
      pass?.done(tokensOf(report));
      this.#parts.live?.over(report);
      this.#report(report);
    });
  }

  /** Never rejects. */
  async #performed(attempt: Attempt, stop: LazyAbort): Promise<Report> {
    const asks = attempt.directive.type === "llm";
    const refusing = asks ? this.#parts.refusesModel() : undefined;
    const refused = refusing === undefined ? undefined : await refusing;
    if (refused !== undefined && !stop.aborted) {
      const { run, id, attempt: count } = attempt;
      const error = { ...refused, transient: false };
      const usage = { requests: 0 };
      return { type: "failed", run, id, attempt: count, error, refused: true, usage };
    }
    const ports = {
      ...this.#parts.ports,
      keep: (kept: Extract<Arrived, { type: "handle" }>) => this.#keep(kept),
      onDelta: this.#shower(attempt),
      onProgress: (data: Json) => {
        if (!this.#isOver) this.#parts.live?.progress(attempt, data);
      },
    };
    return perform(attempt, ports, stop.signal);
  }

  #report(report: Arrived & Call): void {
    this.#going.delete(keyOf(report));
    if (!this.#isOver) this.#parts.arrive(report);
  }

  #shower(attempt: Attempt): PerformPorts["onDelta"] {
    const { run, id, attempt: count } = attempt;
    let last = this.#parts.clock.now();
    return (delta) => {
      if (this.#isOver) return;
      this.#parts.live?.piece(attempt, delta);
      const now = this.#parts.clock.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
      this.#parts.arrive({ type: "progress", run, id, attempt: count });
    };
  }

  #keep(kept: Extract<Arrived, { type: "handle" }>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(ABANDONED);
      this.#keeping.set(keyOf(kept), { resolve, reject });
      this.#parts.arrive(kept);
    });
  }

  /** A handle is durable, or was refused. */
  kept(call: Call, refused?: Error): void {
    const keeping = this.#keeping.get(keyOf(call));
    this.#keeping.delete(keyOf(call));
    if (refused === undefined) keeping?.resolve();
    else keeping?.reject(refused);
  }

  /** Aborts an attempt; one that waits at a gate reports at once. */
  stop(call: Stop): void {
    const going = this.#going.get(keyOf(call));
    if (going === undefined) return;
    going.stop.abort(new Error(call.why));
    if (going.leave === undefined) return;
    going.leave();
    const { run, id, attempt } = call;
    this.#report({ type: "stopped", run, id, attempt });
  }

  /** Aborts all, and tells nobody any more. */
  abandon(): void {
    this.#isOver = true;
    for (const { stop, leave } of this.#going.values()) {
      leave?.();
      stop.abort(ABANDONED);
    }
    for (const { reject } of this.#keeping.values()) reject(ABANDONED);
    this.#keeping.clear();
  }
}

const ABANDONED: Error = /* @__PURE__ */ new Error("the run goes on elsewhere");

/** Returns the tokens that an attempt took, where it says so. */
function tokensOf(report: Report): number | undefined {
  const result = report.type === "settled" ? report.settlement : report;
  const { usage } = result as { readonly usage?: Partial<Record<string, number>> };
  const { inputTokens, outputTokens } = usage ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}

function keyOf({ run, id, attempt }: Call): string {
  return `${run} ${id} ${attempt}`;
}
