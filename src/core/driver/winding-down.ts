/**
 * Keeps an interrupt and a drain of a driver that are under way: the effects that they hold back do not
 * begin, and effects that are running may settle until a given moment.
 */
import type { AskedInterrupt } from "../journal/for-live-runs.js";
import type { InFlight } from "./arrived.js";
import type { Effects, Live, Owner } from "./effects.js";

/** An interrupt and a drain that are under way. */
export class WindingDown {
  #interrupt: { readonly reason: string | undefined; readonly until: number } | undefined;
  /** The interrupt that a mark says. */
  #marked: object | undefined;
  #drain: number | undefined;
  /** The run whose turn an interrupt ends: the root. */
  turn: Owner | undefined;

  /** Returns true if nothing of the root may begin. */
  get holds(): boolean {
    return this.#interrupt !== undefined || this.#drain !== undefined;
  }

  /** Returns true if nothing of a run may begin. An interrupt concerns the turn of the root alone. */
  holdsBack(run: Owner): boolean {
    return this.#drain !== undefined || (this.#interrupt !== undefined && run === this.turn);
  }

  get interrupts(): boolean {
    return this.#interrupt !== undefined;
  }

  get drains(): boolean {
    return this.#drain !== undefined;
  }

  /** The moment at which a drain is over, as the next driver is told it. */
  get inFlight(): Pick<InFlight, "drain"> {
    if (this.#drain === undefined) return {};
    return { drain: Number.isFinite(this.#drain) ? this.#drain : null };
  }

  /** Goes on with the drain of the driver before. */
  drainAgain({ drain }: InFlight): void {
    if (drain !== undefined) this.drain(drain ?? Number.POSITIVE_INFINITY);
  }

  /** Goes on with an interrupt that is marked. */
  goOn({ reason, until = Number.POSITIVE_INFINITY }: AskedInterrupt): void {
    this.#interrupt = { reason, until };
    this.#marked = this.#interrupt;
  }

  /** Takes out an interrupt that is not marked yet, as a mark has it. */
  takeUnmarked(): AskedInterrupt | undefined {
    if (this.#interrupt === undefined || this.#marked === this.#interrupt) return undefined;
    this.#marked = this.#interrupt;
    const { reason, until } = this.#interrupt;
    return {
      ...(Number.isFinite(until) ? { until } : {}),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  /** A second one gives no more time than the first, and its reason is the first's. */
  interrupt(reason: string | undefined, until: number): void {
    const before = this.#interrupt;
    if (before === undefined) this.#interrupt = { reason, until };
    else if (until < before.until) this.#interrupt = { reason: before.reason, until };
  }

  drain(until: number): void {
    this.#drain = Math.min(this.#drain ?? until, until);
  }

  /** The turn ends. @returns why, where a reason was given */
  end(): string | undefined {
    const reason = this.#interrupt?.reason;
    this.#interrupt = undefined;
    return reason;
  }

  /**
   * Returns true if a turn waits for nothing any more: what runs has settled, or the time is up and no model
   * owes what it had streamed.
   * @param lives of the root
   * @param isBusyBelow returns true if a child, or one below it, still does something
   */
  endsTurn(lives: Iterable<Live>, isBusyBelow: (child: Live) => boolean, now: number): boolean {
    if (this.#interrupt === undefined) return false;
    const isUp = this.#interrupt.until <= now;
    for (const live of lives) {
      const { phase, effect } = live;
      if (phase === "stopping") return false;
      if (isUp) continue;
      if (phase === "running" && effect.type !== "approval") return false;
      if (phase === "child" && isBusyBelow(live)) return false;
    }
    return true;
  }

  /** Returns true if a drained run is left: what runs has settled, or the time is up. */
  leaves(effects: Effects, now: number): boolean {
    if (this.#drain === undefined) return false;
    const isUp = this.#drain <= now;
    if (isUp) return true;
    for (const { effect } of effects.busy) if (effect.type !== "approval") return false;
    return true;
  }

  /** The next moment at which a time is up. */
  wakeAt(now: number): number | undefined {
    const times = [this.#interrupt?.until, this.#drain].filter(
      (until): until is number => until !== undefined && until > now && Number.isFinite(until),
    );
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
