/** The attempts of one run that are being carried out, and those that wait at a gate. */
import type { Arrived, Attempt, Call, Stop } from "../core/driver/index.js";
import type { Json } from "../core/kernel/index.js";
import { type Clock, LazyAbort, type PerformPorts, perform } from "../runtime/for-hosts.js";
import type { ModelGates } from "./gates.js";

/** The parts that attempts need. */
export interface AttemptsParts {
  readonly ports: Omit<PerformPorts, "keep" | "onDelta">;
  readonly gates: ModelGates;
  readonly clock: Clock;
  /** Tells the run what came of an attempt, and of its progress. */
  arrive(arrived: Arrived): void;
  /** Shows others what streams in. */
  show(delta: Json): void;
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
    const key = keyOf(attempt);
    this.#going.set(key, going);
    const gate = this.#parts.gates.of(attempt);
    const free = () => gate?.release();
    if (gate === undefined || (gate.left.waiting === 0 && gate.take())) {
      this.#carryOut(attempt, going, free);
      return;
    }
    // Its limits stand still until it makes progress.
    this.#parts.arrive({ type: "held", run, id, attempt: count });
    going.leave = gate.wait(() => {
      going.leave = undefined;
      this.#parts.arrive({ type: "progress", run, id, attempt: count });
      this.#carryOut(attempt, going, free);
    });
  }

  #carryOut(attempt: Attempt, going: Going, free: () => void): void {
    const { stop } = going;
    const ports = {
      ...this.#parts.ports,
      keep: (kept: Extract<Arrived, { type: "handle" }>) => this.#keep(kept),
      onDelta: this.#shower(attempt),
    };
    void perform(attempt, ports, stop.signal).then((report) => {
      free();
      this.#report(report);
    });
  }

  #report(report: Arrived & Call): void {
    this.#going.delete(keyOf(report));
    if (!this.#isOver) this.#parts.arrive(report);
  }

  #shower({ run, id, attempt }: Attempt): PerformPorts["onDelta"] {
    let last = this.#parts.clock.now();
    return (delta) => {
      if (this.#isOver) return;
      this.#parts.show({ ...delta, run, id, attempt });
      const now = this.#parts.clock.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
      this.#parts.arrive({ type: "progress", run, id, attempt });
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

function keyOf({ run, id, attempt }: Call): string {
  return `${run} ${id} ${attempt}`;
}
