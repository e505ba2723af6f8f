/**
 * Delayed transitions (`after`) as directives: a `timer` when their state is entered, a `cancel`
 * when it is left. A timer's id is made of the state's path, the delay, and how often that timer
 * was started before: `after/order/unpaid/86400000/0`.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import type { CancelDirective, TimerDirective } from "../vocabulary/directive.js";
import { Fault } from "./fault.js";
import { hasId, type IssuedIds } from "./issued-ids.js";
import { isOwed, type Owed } from "./outstanding.js";

/** The timer of a delayed transition starts. */
export class AfterStarts {
  /** XState's event of the delayed transition, `xstate.after.1000.order.unpaid`. */
  readonly event: string;
  /** Milliseconds, if the machine says a number. */
  readonly delay: unknown;
  constructor(event: string, delay: unknown) {
    this.event = event;
    this.delay = delay;
  }
}

/** The timer of a delayed transition is no longer wanted. */
export class AfterStops {
  readonly event: string;
  constructor(event: string) {
    this.event = event;
  }
}

/** The delayed transitions of a machine: the names of their timers, and their events by name. */
export interface Afters {
  /** True when there is none. */
  readonly none: boolean;
  /** The name that an event's timers have in common. */
  readonly names: ReadonlyMap<string, string>;
  /** XState's event of a timer, by the timer's id; `undefined` where the id is none of ours. */
  eventOf(timerId: string): string | undefined;
  /** Returns true when an id is reserved for timers of `after`, in this or another version of the machine. */
  isReserved(timerId: string): boolean;
}

/** Room for the number at the end of an id. */
const MAX_NAME_LENGTH = 150;

/** A state's path in an id: a `/` within a state's name does not part it. */
export const pathText = (path: readonly string[]): string =>
  path.map((key) => key.replace(/[%/]/g, encodeURIComponent)).join("/");

/** The delayed transitions of a machine. */
export function aftersOf(machine: AnyStateMachine): Afters {
  const names = new Map<string, string>();
  const events = new Map<string, string>();
  const paths = new Set<string | undefined>();
  const visit = (node: AnyStateNode): void => {
    paths.add(pathText(node.path));
    for (const { delay, eventType } of node.after) {
      const name = pathText(["after", ...node.path, String(delay)]);
      names.set(eventType, name);
      events.set(name, eventType);
    }
    for (const child of Object.values(node.states)) visit(child);
  };
  visit(machine.root);
  return {
    none: names.size === 0,
    names,
    eventOf(timerId) {
      const end = timerId.lastIndexOf("/");
      return /^\d+$/.test(timerId.slice(end + 1)) ? events.get(timerId.slice(0, end)) : undefined;
    },
    isReserved: (timerId) => paths.has(pathOfTimer(timerId)),
  };
}

/** The path in an id that is made like a timer's of `after`, whatever machine it is of. */
export function pathOfTimer(id: string): string | undefined {
  const [timer, path = "/"] = /^after(\/.*)?\/[^/]+\/\d+$/.exec(id) ?? [];
  return timer === undefined ? undefined : path.slice(1);
}

/** Returns true when the timers of a delayed transition would have ids that no directive may have. */
export function isNameTooLong(name: string): boolean {
  return name.length > MAX_NAME_LENGTH;
}

/**
 * The directives of a step, with those of its timers. A timer that starts and stops within the step
 * is left out.
 * @param at the time of the event, in milliseconds since 1970
 * @throws Fault where a delay is not a number, or a machine issues a timer by a name of these
 */
export function withTimers(
  issued: readonly unknown[],
  afters: Afters,
  owed: Owed,
  ids: IssuedIds,
  at: number,
  place: string,
): readonly unknown[] {
  if (afters.none) {
    for (const each of issued) refuseReserved(each, afters, place);
    return issued;
  }
  const directives: unknown[] = [];
  const started = new Map<string, TimerDirective>();
  const cancelled = new Set<string>();
  const stop = (name: string) => {
    const timer = started.get(name);
    if (timer !== undefined) directives.splice(directives.indexOf(timer), 1);
    else if (!cancelled.has(name)) directives.push(...cancelOf(name, owed, ids));
    started.delete(name);
    cancelled.add(name);
  };
  for (const each of issued) {
    if (each instanceof AfterStarts) {
      const { delay, event } = each;
      const name = afters.names.get(event) as string;
      // A history state that leads back to where the machine is enters that state and leaves it not.
      stop(name);
      if (typeof delay !== "number" || !Number.isFinite(delay)) {
        throw new Fault("directive.invalid", `${place}, ${name}: its delay is not a number`);
      }
      const id = `${name}/${timesStarted(name, ids)}`;
      const timer: TimerDirective = { type: "timer", id, until: at + delay };
      started.set(name, timer);
      directives.push(timer);
    } else if (each instanceof AfterStops) {
      stop(afters.names.get(each.event) as string);
    } else {
      refuseReserved(each, afters, place);
      directives.push(each);
    }
  }
  return directives;
}

/** The cancel of a timer that still runs; none where it has fired. */
function cancelOf(name: string, owed: Owed, ids: IssuedIds): CancelDirective[] {
  const target = `${name}/${timesStarted(name, ids) - 1}`;
  return isOwed(owed, target) ? [{ type: "cancel", target }] : [];
}

/** Counts the timers of a name: the first number that was never issued, found by bisection. */
export function timesStarted(name: string, ids: IssuedIds): number {
  let below = 0;
  let step = 1;
  while (hasId(ids, `${name}/${below + step - 1}`)) {
    below += step;
    step *= 2;
  }
  for (; step > 1; step /= 2) {
    if (hasId(ids, `${name}/${below + step / 2 - 1}`)) below += step / 2;
  }
  return below;
}

function refuseReserved(issued: unknown, afters: Afters, place: string): void {
  const directives = Array.isArray(issued) ? issued : [issued];
  for (const directive of directives) {
    const { id, type } = (directive ?? {}) as { readonly id?: unknown; readonly type?: unknown };
    if (typeof id !== "string" || !id.startsWith("after/")) continue;
    if (afters.eventOf(id) === undefined && !(type === "timer" && afters.isReserved(id))) continue;
    const place_ = `${place}: the id ${id} is one of an \`after\`'s own`;
    throw new Fault("directive.invalid", place_);
  }
}
