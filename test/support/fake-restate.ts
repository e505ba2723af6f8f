// A Restate server by hand: invocations with journals, one exclusive one an object, state by key, delayed sends on a
// virtual clock. A crash takes every execution away between any two operations, and begins each invocation anew from
// its journal; what it left behind may go on for a while, as a worker does whose server has lost it.
import { CancelledError, RestatePromise, TerminalError } from "@restatedev/restate-sdk";
import type { VirtualClock } from "reckoner";
import type { RestateEngine } from "reckoner/restate";
import type { RunHost } from "reckoner/serve";
import { type Asked, type Replied, verbsOf } from "../../src/engines/shared/index.js";

/** An operation in the journal of an invocation. */
interface Entry {
  readonly type: string;
  /** Set when it is over. */
  outcome?: { readonly value: unknown } | { readonly cancelled: true };
}

type Handler = (context: unknown, input: unknown) => Promise<unknown>;

/** An invocation of a handler. */
export interface Invocation {
  readonly id: string;
  readonly service: string;
  readonly key: string | undefined;
  readonly method: string;
  /** As JSON. */
  readonly input: string;
  readonly journal: Entry[];
  isOver: boolean;
  /** It was cancelled, and no operation has said so yet. */
  isCancelled: boolean;
  readonly settle: (outcome: Promise<unknown>) => void;
  readonly result: Promise<unknown>;
  /** Ends the execution that goes on now. */
  stop?: AbortController | undefined;
  /** The operations that are awaited. */
  readonly awaited: Map<Entry, () => void>;
}

/** The faults. */
export interface Faults {
  /** The numbers of the points, between operations, at which all executions are lost. */
  readonly kills?: readonly number[];
  /** The numbers of the points at which an operator cancels whatever goes on. */
  readonly cancels?: readonly number[];
  /** Executions that are lost hear nothing of it. */
  readonly isDeaf?: boolean;
  /** The number of times that each event of an object is delivered. */
  readonly deliveries?: number;
  /** Delayed sends come so much of their delay after they were sent: 1 in time. */
  readonly pace?: number;
}

/** Bytes of a message that a server takes. */
const MAX_MESSAGE = 32 * 1024 * 1024;

const pending = new Promise<never>(() => {});

/** See the banner. */
export class FakeRestate {
  readonly #services = new Map<string, Map<string, Handler>>();
  /** Services whose invocations do not hear that they are cancelled. */
  readonly #explicit = new Set<string>();
  readonly #state = new Map<string, Map<string, string>>();
  readonly #queues = new Map<string, Invocation[]>();
  readonly #clock: VirtualClock;
  readonly #faults: Faults;
  readonly invocations: Invocation[] = [];
  /** Operations that were not what the journal said. */
  readonly mismatches: string[] = [];
  points = 0;
  #generation = 0;

  constructor(clock: VirtualClock, faults: Faults = {}) {
    this.#clock = clock;
    this.#faults = faults;
  }

  /** Takes newer code; what goes on already is not begun anew. */
  deploy(engine: RestateEngine): void {
    for (const { name, ...definition } of engine.services) {
      const { object, service, options } = definition as {
        readonly object?: { readonly [method: string]: Handler };
        readonly service?: { readonly [method: string]: Handler };
        readonly options?: { readonly explicitCancellation?: boolean };
      };
      if (options?.explicitCancellation === true) this.#explicit.add(name);
      this.#services.set(name, new Map(Object.entries(object ?? service ?? {})));
    }
  }

  /** The verbs of a run. */
  run(id: string, name = "reckoner"): RunHost {
    let keys = 0;
    const ask = async ({ type, ...asked }: Asked) => {
      const { result } = this.#invoke(name, id, type, JSON.stringify(asked));
      return (await result) as Replied;
    };
    return verbsOf(ask, () => `key${++keys}`);
  }

  /** Texts of an object's state. */
  stateOf(key: string): Map<string, string> {
    const state = this.#state.get(key) ?? new Map<string, string>();
    this.#state.set(key, state);
    return state;
  }

  /** An operator cancels what goes on. */
  cancel(id: string): void {
    const found = this.invocations.find((each) => each.id === id);
    if (found?.stop === undefined || found.isOver || this.#explicit.has(found.service)) return;
    found.isCancelled = true;
    for (const raise of [...found.awaited.values()]) raise();
  }

  #invoke(
    service: string,
    key: string | undefined,
    method: string,
    input: string,
    delay = 0,
  ): Invocation {
    let settle: (outcome: Promise<unknown>) => void = () => {};
    const result = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    result.catch(() => {});
    const id = `inv${this.invocations.length}`;
    const own = { id, service, key, method, input, journal: [], isOver: false };
    const invocation: Invocation = {
      ...{ ...own, isCancelled: false, settle, result, awaited: new Map() },
    };
    this.invocations.push(invocation);
    if (delay <= 0) this.#enqueue(invocation);
    else this.#clock.setTimer(delay, () => this.#enqueue(invocation));
    return invocation;
  }

  #enqueue(invocation: Invocation): void {
    const queue = isExclusive(invocation) ? this.#queueOf(invocation) : [];
    queue.push(invocation);
    if (queue.length === 1) this.#execute(invocation);
  }

  #queueOf({ service, key }: Invocation): Invocation[] {
    const name = `${service}/${key}`;
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return queue;
  }

  #execute(invocation: Invocation): void {
    const generation = this.#generation;
    const stop = new AbortController();
    invocation.stop = stop;
    invocation.awaited.clear();
    const handler = this.#services.get(invocation.service)?.get(invocation.method);
    if (handler === undefined) throw new Error(`no ${invocation.service}/${invocation.method}`);
    const context = this.#contextOf(invocation, generation, stop.signal);
    const outcome = handler(context, JSON.parse(invocation.input)).then(
      (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value))),
      (thrown) => {
        if (!(thrown instanceof TerminalError)) this.mismatches.push(String(thrown));
        throw thrown;
      },
    );
    const over = () => {
      if (generation === this.#generation) this.#over(invocation, outcome);
    };
    outcome.then(over, over);
  }

  #over(invocation: Invocation, outcome: Promise<unknown>): void {
    invocation.isOver = true;
    invocation.settle(outcome);
    if (!isExclusive(invocation)) return;
    const queue = this.#queueOf(invocation);
    queue.shift();
    if (queue[0] !== undefined) this.#execute(queue[0]);
  }

  /** A point between two operations. @returns true if everything that goes on is lost here */
  #point(generation: number): boolean {
    if (generation !== this.#generation) return true;
    this.points += 1;
    const { kills = [], cancels = [] } = this.#faults;
    if (kills.includes(this.points)) this.crash();
    if (cancels.includes(this.points)) for (const { id } of this.invocations) this.cancel(id);
    return generation !== this.#generation;
  }

  /** All executions are lost, and their invocations begun anew. */
  crash(): void {
    this.#generation += 1;
    const going = this.invocations.filter(({ isOver, stop }) => !isOver && stop !== undefined);
    for (const { stop } of going) if (this.#faults.isDeaf !== true) stop?.abort();
    for (const each of going) this.#clock.setTimer(1, () => this.#execute(each));
  }

  #contextOf(invocation: Invocation, generation: number, signal: AbortSignal) {
    const { journal, id } = invocation;
    let next = 0;
    let uuids = 0;
    /** The entry of the next operation, and whether it is new. */
    const entryOf = (type: string): { readonly entry: Entry; readonly isNew: boolean } => {
      const known = journal[next];
      next += 1;
      if (known === undefined) {
        const entry = { type };
        if (generation === this.#generation) journal.push(entry);
        return { entry, isNew: true };
      }
      if (known.type !== type) this.mismatches.push(`${invocation.method}: ${known.type}, ${type}`);
      return { entry: known, isNew: false };
    };
    /** An operation that is awaited: `work` may be done again as long as its outcome is not in the journal. */
    const awaits = (type: string, work: (isNew: boolean) => unknown) => {
      if (this.#point(generation)) return RestatePromise.resolve(pending);
      const { entry, isNew } = entryOf(type);
      const outcome = new Promise<unknown>((resolve, reject) => {
        const over = () => {
          invocation.awaited.delete(entry);
          if (entry.outcome === undefined) return;
          if ("cancelled" in entry.outcome) reject(new CancelledError());
          else resolve(entry.outcome.value);
        };
        const raise = () => {
          if (generation !== this.#generation) return;
          invocation.isCancelled = false;
          entry.outcome ??= { cancelled: true };
          over();
        };
        if (entry.outcome !== undefined) return over();
        if (invocation.isCancelled) return raise();
        invocation.awaited.set(entry, raise);
        void (async () => {
          const value = await work(isNew);
          // It was done, and nobody hears of it.
          if (this.#point(generation)) return;
          entry.outcome ??= { value };
          over();
        })();
      });
      outcome.catch(() => {});
      return RestatePromise.resolve(outcome);
    };
    const does = (type: string, work: () => unknown) => {
      if (this.#point(generation)) return undefined;
      const { entry, isNew } = entryOf(type);
      if (isNew) entry.outcome = { value: work() };
      return (entry.outcome as { readonly value: unknown } | undefined)?.value;
    };
    const { key } = invocation;
    const state = () => this.stateOf(key ?? "");
    const begun = ({ service, key: to, method, parameter, delay }: never) => {
      const input = JSON.stringify(parameter ?? null);
      if (input.length > MAX_MESSAGE) this.mismatches.push("a message is too large");
      const { deliveries = 1, pace = 1 } = this.#faults;
      const times = to === undefined ? 1 : deliveries;
      let invoked: Invocation | undefined;
      for (let n = 0; n < times; n++) {
        invoked = this.#invoke(service, to, method, input, (delay ?? 0) * pace);
      }
      return (invoked as Invocation).id;
    };
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return {
      key,
      request: () => ({ id, attemptCompletedSignal: signal }),
      rand: { uuidv4: () => `${id}-${uuids++}` },
      date: { now: () => awaits("run now", () => this.#clock.now()) },
      run: (name: string, work: () => unknown) =>
        awaits(`run ${name}`, async () => {
          const value = await work();
          return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
        }),
      get: (name: string) => awaits(`get ${name}`, () => state().get(name) ?? null),
      stateKeys: () => awaits("keys", () => [...state().keys()]),
      set: (name: string, value: unknown, serde: { serialize(value: unknown): Uint8Array }) =>
        does(`set ${name}`, () => state().set(name, text(serde.serialize(value)))),
      clear: (name: string) => does(`clear ${name}`, () => state().delete(name)),
      cancel: (of: string) => does(`cancel ${of}`, () => this.cancel(of)),
      genericSend: (call: never) => {
        const invoked = does("send", () => begun(call));
        return { invocationId: awaits("sent", () => invoked ?? pending) };
      },
      genericCall: (call: never) => {
        const invoked = does("call", () => begun(call));
        const of = this.invocations.find((each) => each.id === invoked);
        return awaits("called", () => of?.result ?? pending);
      },
    };
  }
}

/** One at a time of an object. */
function isExclusive({ key, method }: Invocation): boolean {
  return key !== undefined && /^(?:say|take|unpark)$/.test(method);
}
