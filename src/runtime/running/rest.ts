/** Detects that a run waits: nothing outstanding will settle without an outside decision. */
import {
  type Effect,
  owedBy,
  type RunState,
  type TimerDirective,
} from "../../core/kernel/index.js";
import type { Children, ChildrenWait } from "../children/children.js";
import type { Clock } from "../ports.js";
import type { HostOptions } from "./options.js";
import type { Scheduler } from "./scheduler.js";

/** Which effects this process does not wait for. */
export class Rest {
  readonly #options: HostOptions;
  readonly #clock: Clock;
  readonly #children: Children;

  constructor(options: HostOptions, clock: Clock, children: Children) {
    this.#options = options;
    this.#clock = clock;
    this.#children = children;
  }

  /** An approval that nobody here decides, or a timer that nobody here sleeps for. */
  waitsOutside(effect: Effect): boolean {
    const { approve, unattended, timers } = this.#options;
    if (effect.type === "approval") return approve === undefined && unattended !== "deny";
    return effect.type === "timer" && timers === "rest" && !this.#isDue(effect);
  }

  /** Nothing runs; or nothing but timers does, while somebody else has to decide. */
  reached(state: RunState<unknown>, scheduler: Scheduler): boolean {
    if (scheduler.busy) return false;
    // Listed for who does nothing: what runs or waits may be thousands.
    const { active } = scheduler;
    const running = active.filter(({ id }) => !this.#children.rests(id));
    if (running.some((effect) => effect.type !== "timer" || this.#isDue(effect))) return false;
    if (running.length === 0 || running.length < active.length) return true;
    return owedBy(state).some((each) => this.waitsOutside(each));
  }

  /** A timer whose time has passed: it fires at once, whoever else has to decide. */
  #isDue({ until }: TimerDirective): boolean {
    return until <= this.#clock.now();
  }
}

/** A run that has ended or rests, and what its children wait for. */
export interface Driven<Context> {
  readonly state: RunState<Context>;
  readonly inChildren: ChildrenWait;
  /** Nothing begins any more, though it could: another process is to go on. */
  readonly drained: boolean;
}
