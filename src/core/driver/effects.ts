/**
 * Keeps the outstanding effects of all runs of a driver by their phase (queued, running, delayed, down …):
 * which wait and for what, which gets the next slot, and when the next is due.
 */
import type { DownError, FailedAttempts, Handle } from "../journal/for-live-runs.js";
import type { Effect, Usage } from "../kernel/vocabulary/index.js";
import type { Path, Streamed } from "./arrived.js";
import { Deadlines, type Due } from "./deadlines.js";
import type { Traits } from "./may-begin.js";
import type { DriverOptions } from "./options.js";

/** The phase of an effect. */
export type Phase =
  /** It was owed when the run was opened, and it is not settled yet whether it begins again. */
  | "owed"
  /** For somebody outside, or for its moment. */
  | "waiting"
  /** For a slot, or until nothing is held back. */
  | "queued"
  /** For the end of a back-off. */
  | "delayed"
  | "running"
  /** It was told to stop, and has not reported yet. */
  | "stopping"
  /** For a model that is down, until its next attempt. */
  | "down"
  /** A deadline that stands still while a model of its run is down, or a child of it only waits. */
  | "held"
  /** A child run, which lives in the same driver. */
  | "child"
  /** It is settled or cancelled. */
  | "over";

/** The run whose effects they are. */
export interface Owner {
  readonly path: Path;
  readonly traits: Traits & { readonly options: DriverOptions };
}

/** An effect that is owed. */
export interface Live extends Due {
  readonly owner: Owner;
  readonly effect: Effect;
  /** First issued, first served, over the whole tree. */
  readonly order: number;
  phase: Phase;
  /** The number of attempts that have begun. */
  attempt: number;
  /** The number of them that came to nothing while another was to follow. */
  failed: number;
  /** When its time is up, its delay is over, or its moment has come, as events have times. */
  until: number | undefined;
  /** The end of an attempt's time, whatever progress it makes. */
  latest: number | undefined;
  /** The cost of the failed attempts before this one. */
  paid: Partial<Usage> | undefined;
  /** The same by their models, where it may ask several. */
  spent: FailedAttempts["spent"];
  /** The first error of the present round that passes, where the round may ask more models. */
  passing: FailedAttempts["passing"];
  /** The error of a model that is down. */
  down: DownError | undefined;
  /** The handle that its port has kept: the attempt goes on with it, and is no other one. */
  handle: Handle | undefined;
  /** The text that a model had streamed until it was stopped. */
  partial: Streamed | undefined;
  /** It may have begun behind the end of a journal that was longer once. */
  isLost: boolean;
}

/** Model calls, tools and stores take a slot; a person, a moment or a child does not. */
export function takesSlot({ type }: Effect): boolean {
  return type !== "approval" && type !== "timer" && type !== "run";
}

/** The effects of all runs of a tree. */
export class Effects {
  /** The effects that are carried out: running or stopping. */
  readonly #busy = new Set<Live>();
  /** The effects that wait for a slot, in order. One that has left stays until it is its turn. */
  #queue: Live[] = [];
  #served = 0;
  #queued = 0;
  /** The effects that need no slot and have not begun. */
  readonly #ready = new Set<Live>();
  /** When timers fire. */
  readonly timers: Deadlines<Live> = new Deadlines();
  /** When attempts are late. */
  readonly limits: Deadlines<Live> = new Deadlines();
  /** When delays are over: back-offs, and those of models that are down. */
  readonly delays: Deadlines<Live> = new Deadlines();
  #slots = 0;
  #sleeping = 0;
  #asking = 0;
  #delayed = 0;
  #down = 0;

  /** Those that are carried out. */
  get busy(): ReadonlySet<Live> {
    return this.#busy;
  }

  /** The number of taken slots. */
  get slots(): number {
    return this.#slots;
  }

  /** Those that wait for a slot, for the end of a delay, or may begin at once. */
  get pending(): number {
    return this.#queued + this.#delayed + this.#ready.size;
  }

  /** Timers that are not due. */
  get sleeping(): number {
    return this.#sleeping;
  }

  /** Approvals that somebody outside decides. */
  get asking(): number {
    return this.#asking;
  }

  /** Calls of models that are down. */
  get down(): number {
    return this.#down;
  }

  add(owner: Owner, effect: Effect, order: number, phase: Phase, attempt: number): Live {
    const live: Live = {
      owner,
      effect,
      order,
      phase: "owed",
      attempt,
      failed: 0,
      until: undefined,
      latest: undefined,
      paid: undefined,
      spent: undefined,
      passing: undefined,
      down: undefined,
      handle: undefined,
      partial: undefined,
      isLost: false,
    };
    this.move(live, phase);
    return live;
  }

  /** Moves an effect to another phase. @param until when its moment comes, in phases that have one */
  move(live: Live, phase: Phase, until?: number): void {
    this.#leave(live);
    live.phase = phase;
    const { effect } = live;
    live.until = effect.type === "timer" && phase !== "held" ? effect.until : until;
    this.#enter(live);
  }

  /** Those whose delay is over wait for a slot. */
  endDelays(now: number): void {
    for (let live = this.delays.take(now); live !== undefined; live = this.delays.take(now)) {
      if (live.phase === "delayed" || live.phase === "down") this.move(live, "queued");
    }
  }

  /** It is settled or cancelled. @returns whether it was being carried out */
  drop(live: Live): boolean {
    const wasBusy = this.#busy.has(live);
    this.#leave(live);
    live.until = undefined;
    live.phase = "over";
    return wasBusy;
  }

  /** Takes out who is next and needs no slot, but for those of a run that is held. */
  nextReady(held: Owner | undefined): Live | undefined {
    for (const live of this.#ready) if (live.owner !== held) return live;
    return undefined;
  }

  /** The next effect for a slot, but for those of a run that is held; it leaves when it is moved. */
  nextQueued(held: Owner | undefined): Live | undefined {
    while (this.#served < this.#queue.length && !isQueued(this.#queue[this.#served] as Live)) {
      this.#served += 1;
    }
    if (this.#served < this.#queue.length) {
      const first = this.#queue[this.#served] as Live;
      if (first.owner !== held) return first;
      return this.#queue.slice(this.#served).find((each) => isQueued(each) && each.owner !== held);
    }
    this.#queue = [];
    this.#served = 0;
    return undefined;
  }

  #leave(live: Live): void {
    const { effect, phase } = live;
    if (phase === "running" || phase === "stopping") {
      this.#busy.delete(live);
      if (takesSlot(effect)) this.#slots -= 1;
    } else if (phase === "queued") {
      if (takesSlot(effect)) this.#queued -= 1;
      else this.#ready.delete(live);
    } else if (phase === "delayed") this.#delayed -= 1;
    else if (phase === "down") this.#down -= 1;
    else if (phase === "waiting") {
      if (effect.type === "timer") this.#sleeping -= 1;
      else this.#asking -= 1;
    }
  }

  #enter(live: Live): void {
    const { effect, phase } = live;
    if (phase === "running" || phase === "stopping") {
      this.#busy.add(live);
      if (takesSlot(effect)) this.#slots += 1;
      this.limits.add(live);
    } else if (phase === "queued") {
      if (takesSlot(effect)) this.#enqueue(live);
      else this.#ready.add(live);
    } else if (phase === "delayed") {
      this.#delayed += 1;
      this.delays.add(live);
    } else if (phase === "down") {
      this.#down += 1;
      this.delays.add(live);
    } else if (phase === "waiting") {
      if (effect.type === "timer") {
        this.#sleeping += 1;
        this.timers.add(live);
      } else this.#asking += 1;
    }
  }

  /** An effect that comes back from a delay stands where it stood: it was issued before those behind it. */
  #enqueue(live: Live): void {
    this.#queued += 1;
    let at = this.#queue.length;
    while (at > this.#served && (this.#queue[at - 1] as Live).order > live.order) at -= 1;
    if (at === this.#queue.length) this.#queue.push(live);
    else this.#queue.splice(at, 0, live);
  }
}

const isQueued = ({ phase }: Live) => phase === "queued";
