/** `run` and `resume`: a reasoner, its input and the world, made into one live run. */
import { startOf } from "../core/journal/index.js";
import {
  type Decision,
  type Json,
  messageOf,
  parseEvent,
  type Reasoner,
  ReckonerError,
  type RunEvent,
  type RunState,
  secretPaths,
  toJson,
  type UserPart,
} from "../core/kernel/index.js";
import { systemClock } from "./clock.js";
import { type End, endOfRun } from "./end.js";
import { type Incoming, Interpreter, redacted } from "./interpreter.js";
import { journalAt } from "./journal-place.js";
import { type LoadedRun, loadRun } from "./load.js";
import { memoryJournal } from "./memory-journal.js";
import { type Observation, ObservationStream } from "./observation.js";
import type { HostOptions, ResumeOptions, RunOptions } from "./options.js";
import type { JournalPort } from "./ports.js";
import { JournalSession } from "./session.js";

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

/**
 * Starts a run.
 * @throws ReckonerError (the promise rejects) `journal.exists`, `journal.locked`, `journal.write`,
 * `redaction.refused`, `json.refused` for an input that is not JSON
 */
export function run<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  options: RunOptions = {},
): Run<Output, Context> {
  const host = { approvals: options.journal === undefined ? "deny" : "wait", ...options } as const;
  return new LiveRun(reasoner, host, async (live) => {
    const runId = options.runId ?? globalThis.crypto.randomUUID();
    const at = (options.clock ?? systemClock).now();
    const raw = { type: "start" as const, at, input: toJson(input ?? null, "input") };
    const given = redacted(host, raw) as typeof raw;
    const origin = { at, runId, ...(options.seed === undefined ? {} : { seed: options.seed }) };
    const step = reasoner.start(given.input as Input, origin);
    const port = options.journal === undefined ? memoryJournal() : await journalAt(options.journal);
    const writer = await port.open("create");
    try {
      const session = new JournalSession(port, writer);
      const { config, parent } = options;
      session.header({
        reasoner: { id: reasoner.id, version: reasoner.version },
        fingerprint: reasoner.fingerprint,
        input: given.input,
        ...origin,
        ...(config === undefined ? {} : { config }),
        ...(parent === undefined ? {} : { parent }),
      });
      warnOfSecrets(step.state, live);
      return await live.drive(port, session, step.state, new Map(), (interpreter) =>
        interpreter.begin({ type: "start", at }, step),
      );
    } finally {
      await writer.close();
    }
  });
}

/**
 * Goes on with a run from its journal: nothing that was settled is repeated. A run that has ended
 * gives its end again.
 * @throws ReckonerError (the promise rejects) `journal.diverged`, `approval.stale` for a decision
 * that names no waiting approval, `run.ended` for a message to a run that has ended
 */
export function resume<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  options: ResumeOptions = {},
): Run<Output, Context> {
  const host = { approvals: "wait" as const, ...options };
  return new LiveRun(reasoner, host, async (live) => {
    const port = await journalAt(journal);
    const writer = await port.open("append");
    try {
      const loaded = await loadRun(reasoner, port);
      for (const { code, message } of loaded.notices) {
        live.observe({ type: "notice", code, message });
      }
      const { recorder, position, attempts } = loaded;
      const { state } = loaded;
      const events = answersTo(state, options);
      const session = new JournalSession(port, writer, recorder, position);
      if (state === undefined) {
        const header = loaded.header as NonNullable<LoadedRun<Context>["header"]>;
        const step = startOf(reasoner, header);
        return await live.drive(port, session, step.state, attempts, (interpreter) => {
          interpreter.begin({ type: "start", at: header.at }, step);
          for (const event of events) interpreter.post(event);
        });
      }
      return await live.drive(port, session, state, attempts, (interpreter) => {
        for (const event of events) interpreter.post(event);
        interpreter.owe();
      });
    } finally {
      await writer.close();
    }
  });
}

/** What the caller says to a resumed run, checked before anything runs. */
function answersTo(
  state: RunState<unknown> | undefined,
  { decisions = {}, messages = [] }: ResumeOptions,
): Incoming[] {
  const ended = state !== undefined && state.status !== "active";
  const events: Incoming[] = [];
  for (const [id, decision] of Object.entries(decisions)) {
    const waits = state?.outstanding.some((each) => each.type === "approval" && each.id === id);
    if (waits !== true) {
      const why = ended ? "the run has ended" : "it was decided before, or never asked for";
      throw new ReckonerError(
        "approval.stale",
        `No approval ${JSON.stringify(id)} is waiting: ${why}. Nothing was run.`,
        { place: id },
      );
    }
    const event = { ...decision, type: "approval.decided" as const, id, at: 0 };
    events.push(parseEvent(event) as unknown as Incoming);
  }
  if (ended && messages.length > 0) throw hasEnded();
  for (const content of messages) events.push({ type: "message", content } as Incoming);
  return events;
}

function hasEnded(): ReckonerError {
  return new ReckonerError(
    "run.ended",
    "The run has ended or rests; nothing can be sent to it. Resume it, or start a new run.",
  );
}

function warnOfSecrets<Output, Context>(state: RunState<Context>, live: LiveRun<Output, Context>) {
  const { deps } = (state.context ?? {}) as { readonly deps?: Json };
  for (const path of secretPaths(deps, "deps")) {
    const message = `${path} looks like a secret and would be journalled; pass it in services.`;
    live.observe({ type: "notice", code: "deps.secret", message });
  }
}

type Begin<Output, Context> = (live: LiveRun<Output, Context>) => Promise<End<Output, Context>>;

class LiveRun<Output, Context> implements Run<Output, Context> {
  readonly #reasoner: Reasoner<never, Output, Context>;
  readonly #options: HostOptions;
  readonly #end: Promise<End<Output, Context>>;
  readonly #streams = new Set<ObservationStream<Context>>();
  /** What was sent before the interpreter was there. */
  #early: Incoming[] = [];
  #interpreter: Interpreter<never, Output, Context> | undefined;
  #over = false;

  constructor(
    reasoner: Reasoner<never, Output, Context>,
    options: HostOptions,
    begin: Begin<Output, Context>,
  ) {
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
    begin: (interpreter: Interpreter<never, Output, Context>) => void,
  ): Promise<End<Output, Context>> {
    const interpreter = new Interpreter<never, Output, Context>({
      reasoner: this.#reasoner,
      session,
      options: this.#options,
      state,
      attempts,
      observe: (observation) => this.observe(observation),
    });
    const { signal } = this.#options;
    const onAbort = () => this.cancel(String(signal?.reason ?? "aborted"));
    try {
      if (state.status === "active" || state.seq === 0) begin(interpreter);
      this.#interpreter = interpreter;
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      for (const event of this.#early) interpreter.post(event);
      const last = await interpreter.drive();
      return endOfRun(this.#reasoner, last, port);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      await session.close();
    }
  }

  send(event: { readonly type: string; readonly [key: string]: unknown }): void {
    if (this.#over) throw hasEnded();
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
