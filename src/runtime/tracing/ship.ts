/**
 * `ship`: delivers the events of journals to a sink when they have ended, in order, in batches, at
 * least once. There is no queue that could overflow: the journals are the source, and a cursor
 * records how far they were delivered.
 */
import {
  digestOf,
  type ErrorCode,
  isReckonerError,
  isUnawaited,
  maskCredentials,
  messageOf,
  ReckonerError,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { TraceEvent } from "../../core/trace/index.js";
import type { Clock } from "../ports.js";
import { callHookQuietly } from "../running/call-hook.js";
import { CLOCK, checkAllOptions, checkGiven, KEPT_TEXT, SIGNAL } from "../running/check-options.js";
import { systemClock } from "../running/clock.js";
import { onAbort } from "../running/on-abort.js";
import { type Due, dueEvents, readCursor, writeCursor } from "./cursor.js";
import { type JournalSource, JournalTraces, type JournalTracesOptions } from "./journal-traces.js";
import { memoryTextStore, type TextStore } from "./text-store.js";

/** What a sink is given beside the events. */
export interface Delivery {
  readonly signal: AbortSignal;
  /** The same for the same events, so that a sink can recognise a repetition. */
  readonly key: string;
}

/**
 * Accepts events. When it resolves they are stored; if it throws, the same events are delivered
 * again. A repeated event has the same id and content.
 */
export type TraceSink = (events: readonly TraceEvent[], delivery: Delivery) => Promise<void> | void;

/** How events are shipped. */
export interface ShipOptions extends Pick<JournalTracesOptions, "maxFieldLength" | "links"> {
  /**
   * Stores how far events were delivered. Default: in memory, so that a new start delivers
   * everything again.
   */
  readonly cursor?: TextStore | undefined;
  /** Events at once. Default 100. */
  readonly batchSize?: number | undefined;
  /** Milliseconds between looks at the journals. Default 5 000. */
  readonly intervalMs?: number | undefined;
  /** The longest that is waited after failures, each of which doubles it. Default 60 000. */
  readonly maxIntervalMs?: number | undefined;
  /** Whether to go on as journals grow. Default true; else it is over when all was delivered. */
  readonly follow?: boolean | undefined;
  readonly clock?: Clock | undefined;
  /** Aborting it stops the shipping. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called if something could not be read or delivered, with the milliseconds until the next
   * attempt (`Infinity` if there is none).
   */
  readonly onFailure?: ((error: ReckonerError, retryInMs: number) => void) | undefined;
}

const SHIP: shapes.Shapes<ShipOptions> = {
  maxFieldLength: shapes.count(1),
  links: shapes.FLAG,
  cursor: KEPT_TEXT,
  batchSize: shapes.count(1),
  intervalMs: shapes.MILLISECONDS,
  maxIntervalMs: shapes.MILLISECONDS,
  follow: shapes.FLAG,
  clock: CLOCK,
  signal: SIGNAL,
  onFailure: shapes.FUNCTION,
};

/** A shipping that is under way. */
export interface Shipping {
  /** Events that were delivered, in this process. */
  readonly delivered: number;
  /**
   * Resolves when it is over: stopped, or, without `follow`, all was delivered. What cannot be delivered
   * is tried again until then.
   * @throws ReckonerError `option.invalid` where the source makes no journals, which no time mends
   */
  readonly done: Promise<void>;
  /**
   * Delivers what is there, once, and stops.
   * @returns how many events were left; they are in the journals, and a later start delivers them
   */
  stop(): Promise<number>;
}

/**
 * Delivers what happens in journals to a sink.
 * @throws ReckonerError `option.invalid`
 */
export function ship(source: JournalSource, sink: TraceSink, options: ShipOptions = {}): Shipping {
  checkAllOptions("ship", options, SHIP);
  checkGiven("The sink of ship", sink, shapes.FUNCTION);
  return new Shipper(source, sink, options);
}

class Shipper implements Shipping {
  readonly #traces: JournalTraces;
  readonly #sink: TraceSink;
  readonly #options: ShipOptions;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #cursor: TextStore;
  /** How many events of each run were delivered; absent before it was read. */
  #sent: Map<string, number> | undefined;
  /** What was delivered is not kept yet. */
  #unsaved = false;
  #delay: number;
  #delivered = 0;
  #stopping = false;
  /** What could not be read, as it was told of last. */
  #told = "";
  readonly #halt = new AbortController();
  readonly #wake = new AbortController();
  readonly done: Promise<void>;

  constructor(source: JournalSource, sink: TraceSink, options: ShipOptions) {
    const { clock = systemClock, intervalMs = 5_000, cursor = memoryTextStore(), signal } = options;
    this.#traces = new JournalTraces(source, options);
    this.#sink = sink;
    this.#options = options;
    this.#clock = clock;
    this.#interval = intervalMs;
    this.#delay = intervalMs;
    this.#cursor = cursor;
    const halt = () => {
      this.#wake.abort();
      this.#halt.abort(signal?.reason);
    };
    const leave = onAbort(signal, halt);
    this.done = this.#run().finally(leave);
    // It may be that nobody waits for it: that must not end the process, and `onFailure` was told.
    isUnawaited(this.done);
  }

  get delivered(): number {
    return this.#delivered;
  }

  async stop(): Promise<number> {
    this.#stopping = true;
    this.#wake.abort();
    await this.done;
    // Where they cannot be read, nobody knows how many there are.
    return (await this.#due()).length;
  }

  async #run(): Promise<void> {
    for (;;) {
      // Asked before the round: what comes to be there while it runs needs another one.
      const isLast = this.#stopping;
      if (this.#halt.signal.aborted) return;
      const failed = await this.#round();
      if (isLast || this.#halt.signal.aborted) return;
      if (!failed && this.#options.follow === false) return;
      if (!this.#stopping) await this.#sleep();
    }
  }

  async #sleep(): Promise<void> {
    const { signal } = this.#wake;
    await this.#clock.sleep(this.#delay, signal).catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
  }

  /** Delivers all that is there. @returns whether it failed on the way */
  async #round(): Promise<boolean> {
    const { batchSize = 100, maxIntervalMs = 60_000, onFailure } = this.#options;
    let due: readonly Due[] | undefined;
    try {
      if (this.#unsaved) await this.#save();
      due = await this.#due();
      for (let at = 0; at < due.length; at += batchSize) {
        if (this.#halt.signal.aborted) return true;
        await this.#deliver(due.slice(at, at + batchSize));
        this.#delay = this.#interval;
      }
      this.#delay = this.#interval;
      return false;
    } catch (thrown) {
      const isRead = due !== undefined;
      if (!isRead && isReckonerError(thrown) && thrown.code === "option.invalid") {
        callHookQuietly(() => onFailure?.(thrown, Number.POSITIVE_INFINITY));
        throw thrown;
      }
      this.#delay = Math.min(this.#delay * 2, maxIntervalMs);
      if (!this.#halt.signal.aborted) {
        callHookQuietly(() => onFailure?.(thrown as ReckonerError, this.#delay));
      }
      return true;
    }
  }

  /** What is over and was not delivered. */
  async #due(): Promise<readonly Due[]> {
    this.#sent ??= await this.#load();
    const read = () => this.#traces.read();
    const { events, unread } = await tried("trace.unreachable", "The journals cannot be had", read);
    const said = unread.map(({ name, error }) => `${name}: ${error.message}`).join();
    // One journal that cannot be read does not hold up the others; it is told of once.
    if (said !== this.#told) {
      for (const { error } of unread) {
        const again = this.#options.follow === false ? Number.POSITIVE_INFINITY : this.#interval;
        callHookQuietly(() => this.#options.onFailure?.(error, again));
      }
    }
    this.#told = said;
    return dueEvents(events, this.#sent);
  }

  async #deliver(batch: readonly Due[]): Promise<void> {
    const events = batch.map(({ event }) => event);
    const key = digestOf(events.map(({ id }) => id).join("\n"));
    const send = () => this.#sink(events, { signal: this.#halt.signal, key });
    await tried("trace.sink", "The sink did not take the events", send);
    for (const { event, count } of batch) this.#sent?.set(event.runId, count);
    this.#delivered += events.length;
    await this.#save();
  }

  async #save(): Promise<void> {
    this.#unsaved = true;
    const save = () => this.#cursor.save(writeCursor(this.#sent ?? new Map()));
    await tried("trace.sink", "The cursor cannot be kept", save);
    this.#unsaved = false;
  }

  async #load(): Promise<Map<string, number>> {
    const load = () => this.#cursor.load();
    const text = await tried("trace.sink", "The cursor cannot be read", load);
    const cursor = text === undefined ? new Map<string, number>() : readCursor(text);
    if (cursor === undefined) {
      // At least once: without a readable cursor, everything is delivered again.
      const error = new ReckonerError(
        "trace.sink",
        "The cursor is damaged; everything is delivered once more.",
      );
      callHookQuietly(() => this.#options.onFailure?.(error, 0));
    }
    return new Map(cursor);
  }
}

/** What fails is told with what it was. @throws ReckonerError */
async function tried<T>(code: ErrorCode, what: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    if (isReckonerError(thrown)) throw thrown;
    const message = `${what}: ${maskCredentials(messageOf(thrown))}.`;
    throw new ReckonerError(code, message, { cause: thrown });
  }
}
