/**
 * Decides which effects of a run begin, and when: those that a step issues, and those that are
 * outstanding at a resume. Concurrency slots are claimed before the line is written, and effects
 * begin when it is durable.
 */
import {
  type Directive,
  type Effect,
  isEffect,
  isSettlement,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Step,
  tableGet,
  tableHas,
} from "../../core/kernel/index.js";
import { CANCELLED, type Children } from "../children/children.js";
import type { Incoming } from "../effects/effect-host.js";
import { interrupted } from "../effects/failure.js";
import { isMarked, mayBegin } from "../effects/may-begin.js";
import type { EffectRunner } from "./effect-runner.js";
import type { ObservationPublisher } from "./observation-publisher.js";
import type { HostOptions } from "./options.js";
import type { Rest } from "./rest.js";
import type { WindingDown } from "./winding-down.js";

/** What effects are dispatched with. */
export interface DispatcherParts<Context> {
  readonly reasoner: Pick<Reasoner<never, unknown, Context>, "tools">;
  readonly options: HostOptions;
  readonly runner: EffectRunner<Context>;
  readonly children: Children;
  readonly rest: Rest;
  readonly winding: WindingDown;
  readonly show: ObservationPublisher<Context>;
  /** Posts the settlement of an effect that may not begin again. */
  post(settlement: Incoming): void;
}

/** Effects of a step that claimed their slots. */
export interface Claims {
  readonly claimed: ReadonlySet<string>;
  /** Those whose start marks are part of the step's line. */
  readonly starts: readonly number[];
}

/** A step on its way to the journal, and which of its effects start at once. */
export interface TakenStep<Context> {
  readonly event: RunEvent;
  readonly step: Step<Context>;
  readonly claimed: ReadonlySet<string>;
}

/** The maximal number of start marks in one line. */
const MAX_STARTS = 1_000;
const SETTLED = /* @__PURE__ */ new Error("settled");
const NOTHING: Claims = { claimed: new Set(), starts: [] };

/** Starts the effects of one live run. */
export class Dispatcher<Context> {
  readonly #parts: DispatcherParts<Context>;
  /** Directives that were issued and have not begun. */
  #owed: readonly Effect[] = [];

  constructor(parts: DispatcherParts<Context>) {
    this.#parts = parts;
  }

  /** Whether directives from earlier steps have not begun. */
  get owes(): boolean {
    return this.#owed.length > 0;
  }

  /** Schedules effects from earlier steps that are not running. */
  owe(owed: readonly Effect[]): void {
    this.#owed = this.#idle(owed);
  }

  /** Those of some effects that do not run. */
  #idle(effects: readonly Effect[]): readonly Effect[] {
    const running = new Set(this.#parts.runner.scheduler.active.map(({ id }) => id));
    return effects.filter(({ id }) => !running.has(id));
  }

  /** Begins outstanding effects as far as they may begin; the others are settled as unknown. */
  beginOwed({ outstanding }: RunState<Context>): void {
    const { runner, rest, reasoner, options, post } = this.#parts;
    // What was on its way to the disk when it was found to be owed has begun since.
    const owed = this.#idle(this.#owed).filter(
      (effect) => tableGet(outstanding, effect.id) === effect,
    );
    this.#owed = [];
    for (const effect of owed) {
      if (rest.waitsOutside(effect)) continue;
      const begun = runner.begun(effect.id);
      if (mayBegin(effect, begun, reasoner.tools, options.stores)) {
        runner.scheduler.submit(effect, runner.scheduler.claim(effect));
      } else post(interrupted(effect, begun));
    }
  }

  /**
   * Claims slots for the effects of a step; a marked effect that gets one counts as begun with the
   * step's line.
   */
  claim(event: RunEvent, step: Step<Context>): Claims {
    const { runner, rest, winding, options } = this.#parts;
    if (winding.holds || step.directives.length === 0) return NOTHING;
    const claimed = new Set<string>();
    const starts: number[] = [];
    const settled = settledBy(event, step);
    for (let place = 0; place < step.directives.length; place++) {
      const directive = step.directives[place] as Directive;
      if (!isEffect(directive) || rest.waitsOutside(directive)) continue;
      // Others are marked in lines of their own, when they begin.
      const marked = isMarked(directive, options.stores);
      if (marked && starts.length === MAX_STARTS) continue;
      if (!runner.scheduler.claim(directive, settled)) continue;
      claimed.add(directive.id);
      if (!marked) continue;
      starts.push(place);
      runner.markFirst(directive.id);
    }
    return { claimed, starts };
  }

  /**
   * Begins model calls while their lines are being written: repeated after a crash they cost money
   * and have no other effect. All other effects, and what these calls report, wait until the line
   * is durable.
   * @returns whether one has begun
   */
  callAhead(taken: readonly TakenStep<Context>[], { outstanding }: RunState<Context>): boolean {
    let called = false;
    for (const { step, claimed } of taken) {
      for (const directive of step.directives) {
        if (directive.type !== "llm" || !claimed.has(directive.id)) continue;
        // A later event of the same write may have cancelled it already.
        if (!tableHas(outstanding, directive.id)) continue;
        this.#parts.runner.callAhead(directive);
        called = true;
      }
    }
    return called;
  }

  /**
   * A step is durable: effects that it settles or cancels end, and those that it issues begin.
   * @param state the newest one whose line is durable
   */
  dispatch({ event, step, claimed }: TakenStep<Context>, state: RunState<Context>): void {
    const { runner, show } = this.#parts;
    const settled = settledBy(event, step);
    // Where it was settled by somebody else than who carries it out, an approval, say, that stops.
    if (settled !== undefined) runner.end([settled], SETTLED);
    const { directives } = step;
    this.#cancel(directives);
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (isEffect(directive)) this.#begin(directive, claimed.has(directive.id), state);
      else if (directive.type === "notify") show.notify(directive.topic, directive.data);
    }
  }

  #cancel(directives: readonly Directive[]): void {
    const cancelled: string[] = [];
    for (let i = 0; i < directives.length; i++) {
      const each = directives[i] as Directive;
      if (each.type === "cancel") cancelled.push(each.target);
    }
    if (cancelled.length === 0) return;
    this.#parts.runner.end(cancelled, CANCELLED);
    for (const id of cancelled) this.#parts.children.cancelOwed(id);
  }

  #begin(effect: Effect, claimed: boolean, { outstanding }: RunState<Context>): void {
    const { runner, rest, winding, options } = this.#parts;
    if (rest.waitsOutside(effect) || runner.ahead.has(effect.id)) return;
    // One that is marked as begun begins, unless the turn ends, or the process's part in it.
    const hasBegun = claimed && isMarked(effect, options.stores);
    const begins = !winding.holds || (hasBegun && !winding.interrupts && !winding.leaves);
    // A later event of the same write may have cancelled it already.
    if (tableHas(outstanding, effect.id) && begins) runner.scheduler.submit(effect, claimed);
    else runner.scheduler.release(effect.id);
  }
}

/** What an event settles, if it does. */
function settledBy(event: RunEvent, { ignored }: Step<unknown>): string | undefined {
  return isSettlement(event) && ignored?.reason !== "stale" ? event.id : undefined;
}
