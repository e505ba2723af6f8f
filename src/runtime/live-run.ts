/** A run while it is live in this process: what a caller holds, and what drives it. */
import {
  type Decision,
  messageOf,
  parseEvent,
  type Reasoner,
  ReckonerError,
  type RunEvent,
  type RunState,
  type UserPart,
} from "../core/kernel/index.js";
import type { ChildRuns } from "./effect-host.js";
import { type End, endOfRun } from "./end.js";
import { type Incoming, Interpreter } from "./interpreter.js";
import { type Observation, ObservationStream } from "./observation.js";
import type { HostOptions } from "./options.js";
import type { JournalPort } from "./ports.js";
import type { JournalSession } from "./session.js";

/** A live run: iterate it for its observations, await it for its end. */
export interface Run<Output = unknown, Context = unknown>
  extends AsyncIterable<Observation<Context>>,
    PromiseLike<End<Output, Context>> {
  /**
   * Sends an event from outside.
   * @throws ReckonerError `run.ended` where the run has ended or rests, `event.invalid`
   */
  send(event: { readonly type: string; readonly [key: string]: unknown }): void;
  /** What the user says, at any moment. */
  message(content: string | readonly UserPart[]): void;
  /** Decides an approval. One that is not waiting is ignored as stale. */
  decide(id: string, decision: Decision): void;
  /** Ends the run. */
  cancel(reason?: string): void;
}

/** Why nothing can be sent to a run any more. */
export function runEnded(): ReckonerError {
  return new ReckonerError(
    "run.ended",
    "The run has ended or rests; nothing can be sent to it. Resume it, or start a new run.",
  );
}

type Begin<Output, Context> = (live: LiveRun<Output, Context>) => Promise<End<Output, Context>>;

/** A run in this process. */
export class LiveRun<Output, Context> implements Run<Output, Context> {
  /** How many runs there are above this one. */
  readonly depth: number;
  readonly #reasoner: Reasoner<never, Output, Context>;
  readonly #options: HostOptions;
  readonly #end: Promise<End<Output, Context>>;
  readonly #streams = new Set<ObservationStream<Context>>();
  /** What was sent before the interpreter was there. */
  #early: Incoming[] = [];
  #interpreter: Interpreter<never, Output, Context> | undefined;
  #over = false;
  #abandoned: Error | undefined;

  constructor(
    reasoner: Reasoner<never, Output, Context>,
    options: HostOptions,
    depth: number,
    begin: Begin<Output, Context>,
  ) {
    this.depth = depth;
    this.#reasoner = reasoner;
    this.#options = options;
    // A turn later, so that whoever iterates or sends right away misses nothing.
    this.#end = Promise.resolve()
      .then(() => begin(this))
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

  async drive(
    port: JournalPort,
    session: JournalSession,
    state: RunState<Context>,
    attempts: ReadonlyMap<string, number>,
    children: ChildRuns,
    begin: (interpreter: Interpreter<never, Output, Context>) => void,
  ): Promise<End<Output, Context>> {
    const interpreter = new Interpreter<never, Output, Context>({
      reasoner: this.#reasoner,
      session,
      options: this.#options,
      state,
      attempts,
      children,
      observe: (observation) => this.observe(observation),
    });
    const { signal } = this.#options;
    const onAbort = () => this.cancel(String(signal?.reason ?? "aborted"));
    try {
      if (state.status === "active" || state.seq === 0) begin(interpreter);
      this.#interpreter = interpreter;
      if (this.#abandoned !== undefined) interpreter.abandon(this.#abandoned);
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      for (const event of this.#early) interpreter.post(event);
      const { state: last, inChildren } = await interpreter.drive();
      return endOfRun(this.#reasoner, last, port, inChildren);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      await session.close();
    }
  }

  /** Whether what is sent now would be dropped: the run has ended or rests, or is about to. */
  get over(): boolean {
    return this.#over || this.#interpreter?.closed === true;
  }

  send(event: { readonly type: string; readonly [key: string]: unknown }): void {
    if (this.#over) throw runEnded();
    const incoming = parseEvent({ at: 0, ...event } as RunEvent) as unknown as Incoming;
    if (this.#interpreter === undefined) this.#early.push(incoming);
    else this.#interpreter.post(incoming);
  }

  message(content: string | readonly UserPart[]): void {
    this.send({ type: "message", content });
  }

  decide(id: string, decision: Decision): void {
    this.send({ ...decision, type: "approval.decided", id });
  }

  cancel(reason?: string): void {
    if (this.#over) return;
    this.send({ type: "cancel", ...(reason === undefined ? {} : { reason }) });
  }

  /** Lets go of the run without ending it; its promise rejects. */
  abandon(): void {
    this.#abandoned = new Error("the run was let go of");
    this.#interpreter?.abandon(this.#abandoned);
  }

  /** Shows an observation to the observers and to whoever iterates. */
  observe(observation: Observation<Context>): void {
    for (const [i, observer] of (this.#options.observers ?? []).entries()) {
      const threw = (thrown: unknown) => {
        const message = `Observer ${i} threw on ${observation.type}: ${messageOf(thrown)}`;
        this.#show({ type: "notice", code: "observer.threw", message });
      };
      try {
        const returned: unknown = observer(observation);
        if (returned instanceof Promise) returned.catch(threw);
      } catch (thrown) {
        threw(thrown);
      }
    }
    this.#show(observation);
  }

  #show(observation: Observation<Context>): void {
    for (const stream of this.#streams) stream.push(observation);
  }

  #close(failure?: { readonly thrown: unknown }): void {
    this.#over = true;
    for (const stream of this.#streams) stream.end(failure);
  }

  [Symbol.asyncIterator](): AsyncIterator<Observation<Context>> {
    // The iterator throws what the promise rejects with; nobody has to await both.
    this.#end.catch(() => {});
    const stream = new ObservationStream<Context>();
    if (this.#over) stream.end();
    else this.#streams.add(stream);
    return stream;
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaited for its end
  then<A = End<Output, Context>, B = never>(
    onEnd?: ((end: End<Output, Context>) => A | PromiseLike<A>) | null,
    onError?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#end.then(onEnd, onError);
  }
}
