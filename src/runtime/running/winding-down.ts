/**
 * Interrupt and drain: no further effects begin, and running ones may settle until a deadline. An
 * interrupt ends the turn; a drain leaves the run to another process.
 */
import { type Effect, isSettlement } from "../../core/kernel/index.js";
import type { Children } from "../children/children.js";
import type { Clock } from "../ports.js";
import type { Scheduler } from "./scheduler.js";

/** What is being wound down, and until when. */
interface Wind {
  readonly reason: string | undefined;
  /** When its time is up, as the clock says it. */
  readonly until: number;
  isOver: boolean;
  cancelTimer(): void;
}

/** Whether one run is being wound down. */
export class WindingDown {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #interrupt: Wind | undefined;
  #drain: Wind | undefined;

  /** @param wake called when a time is up */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Whether no effect may begin. */
  get holds(): boolean {
    return this.#interrupt !== undefined || this.#drain !== undefined;
  }

  /** Whether the present turn is to end. */
  get interrupts(): boolean {
    return this.#interrupt !== undefined;
  }

  /** Whether the run is to be left to another process. */
  get drains(): boolean {
    return this.#drain !== undefined;
  }

  /** Whether the run is to be left at once. */
  get leaves(): boolean {
    return this.#drain?.isOver === true;
  }

  /** A second one gives no more time than the first. */
  interrupt(reason: string | undefined, ms: number): void {
    this.#interrupt?.cancelTimer();
    this.#interrupt = this.#begin(this.#interrupt?.reason ?? reason, ms, this.#interrupt);
  }

  drain(ms: number): void {
    this.#drain?.cancelTimer();
    this.#drain = this.#begin(undefined, ms, this.#drain);
  }

  /**
   * Whether nothing is waited for any more: what runs has settled, or the time is up. Children that
   * are drained with the run come to rest by themselves, and leave their snapshots as they do.
   */
  isOver(
    { active }: Pick<Scheduler, "active">,
    inbox: readonly { readonly type: string; readonly id?: string }[],
    children: Pick<Children, "rests">,
  ): boolean {
    const wind = this.#interrupt ?? this.#drain;
    if (wind === undefined) return false;
    if (wind.isOver && this.interrupts) return true;
    // A custom event may have the id of a running effect.
    const settled = new Set(inbox.map((each) => (isSettlement(each) ? each.id : undefined)));
    const left = active.filter(({ id }) => !settled.has(id) && !children.rests(id));
    return !left.some(wind.isOver ? ({ type }) => type === "run" : settlesByItself);
  }

  /** The turn ends now. @returns the event, but for what had streamed */
  takeInterrupt(): { readonly type: "interrupt"; readonly reason?: string } {
    const reason = this.#interrupt?.reason;
    this.#interrupt?.cancelTimer();
    this.#interrupt = undefined;
    return { type: "interrupt", ...(reason === undefined ? {} : { reason }) };
  }

  /** The run is over. */
  end(): void {
    this.#interrupt?.cancelTimer();
    this.#drain?.cancelTimer();
  }

  #begin(reason: string | undefined, ms: number, before: Wind | undefined): Wind {
    const now = this.#clock.now();
    const until = Math.min(before?.until ?? Number.POSITIVE_INFINITY, now + ms);
    const wind: Wind = {
      reason,
      until,
      isOver: before?.isOver === true || until <= now,
      cancelTimer: () => {},
    };
    if (!wind.isOver) {
      wind.cancelTimer = this.#clock.setTimer(until - now, () => {
        wind.isOver = true;
        this.#wake();
      });
    }
    return wind;
  }
}

/** What a person decides, and a time that has to come, are not waited for. */
function settlesByItself({ type }: Effect): boolean {
  return type !== "approval" && type !== "timer";
}
