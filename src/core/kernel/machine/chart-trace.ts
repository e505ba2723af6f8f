/**
 * `ChartTrace` records which states, transitions and guards of a machine's chart a step passes through, by
 * repeating the step on an instrumented copy of the machine. For `testing`, which reports what its searches
 * reached.
 */
import { type AnyStateMachine, type AnyStateNode, and, or } from "xstate";
import { toJson } from "../values/json.js";
import { sealJson } from "../values/seal.js";
import { type IncomingEvent, settles } from "../vocabulary/event.js";
import { aftersOf } from "./after.js";
import { type ChartTransition, conditionTexts } from "./chart-text.js";
import { nodesOf, type Transition, transitionsOf } from "./nodes.js";
import { findOwed } from "./outstanding.js";
import { ownMachine } from "./own-machine.js";
import type { MachineEvent, Path } from "./path.js";
import { pathOf } from "./path-of.js";
import type { StartOptions } from "./setup.js";
import type { RunState } from "./state.js";

/** A part of a chart that a run may pass through. */
export interface ChartPart {
  readonly kind: "state" | "transition" | "guard";
  /** `paying`; `paying: tool.failed [mayTry] -> paying`; a guard's, and what it came to. */
  readonly name: string;
}

/** Traces steps of one machine. */
export class ChartTrace {
  /** All parts, in the machine's own order. */
  readonly parts: readonly ChartPart[];
  readonly #path: Path;
  readonly #afters: ReturnType<typeof aftersOf>;
  readonly #hits = new Set<number>();

  constructor(machine: AnyStateMachine) {
    const copy = ownMachine(machine);
    const parts: ChartPart[] = [];
    const note = (kind: ChartPart["kind"], name: string): (() => void) => {
      const number = parts.push({ kind, name }) - 1;
      return () => this.#hits.add(number);
    };
    for (const node of nodesOf(copy.root)) watch(node, note);
    this.parts = parts;
    this.#afters = aftersOf(copy);
    this.#path = pathOf(copy, this.#afters);
  }

  /** The parts that a start passes through, by their numbers in `parts`. */
  start(input: unknown, { from, ...origin }: StartOptions): readonly number[] {
    return this.#traced(() => {
      const start = toJson({ ...origin, input: input ?? null } as object, "$") as object;
      this.#path.start(from === undefined ? start : { ...start, from: sealJson(from, "$.from") });
    });
  }

  /** The parts that a step passes through; none where the event is not the machine's to take. */
  step(state: RunState<unknown>, event: IncomingEvent): readonly number[] {
    const seen = this.#seen(state, event);
    if (seen === undefined) return [];
    return this.#traced(() => {
      const context = sealJson(state.context, "$.context");
      this.#path.next(this.#path.restore(state.value, context, state.history), seen);
    });
  }

  #seen(state: RunState<unknown>, event: IncomingEvent): MachineEvent | undefined {
    if (state.status !== "active" || event.type === "start") return undefined;
    const answered = settles[event.type];
    if (answered === undefined) return event;
    const directive = findOwed(state.outstanding, (event as { id: string }).id, answered);
    if (directive === undefined) return undefined;
    const seen = { ...event, directive };
    const type = directive.type === "timer" ? this.#afters.eventOf(directive.id) : undefined;
    return type === undefined ? seen : { ...seen, type };
  }

  #traced(take: () => void): readonly number[] {
    this.#hits.clear();
    try {
      take();
    } catch {
      // The step says what was thrown; here counts how far it came.
    }
    return [...this.#hits];
  }
}

/** Has a state, its transitions and their guards note that they were passed. */
function watch(
  node: AnyStateNode,
  note: (kind: ChartPart["kind"], name: string) => () => void,
): void {
  const name = nameOf(node);
  if (node.parent !== undefined && node.type !== "history") {
    (node.entry as unknown[]).unshift(noting(note("state", name)));
  }
  for (const transitions of [...node.transitions.values(), node.always ?? []]) {
    const texts = conditionTexts(transitions as readonly ChartTransition[]);
    for (const [i, transition] of transitions.entries()) {
      const targets = (transition.target ?? []).map(nameOf).join(", ");
      const text = `${name}: ${texts[i] || "always"}${targets === "" ? "" : ` -> ${targets}`}`;
      const taken = note("transition", text);
      const changed = transition as { -readonly [K in keyof Transition]: unknown };
      changed.actions = [...transition.actions, noting(taken)];
      if (transition.guard === undefined) continue;
      const holds = noted(note("guard", `${text}: holds`), true);
      const fails = noted(note("guard", `${text}: does not hold`), false);
      changed.guard = or([and([transition.guard as never, holds]), fails]);
    }
  }
}

const nameOf = (node: AnyStateNode): string => node.path.join(".") || "machine";
/** An issue of nothing: an `assign` would be a change, behind which eventless transitions are tried again. */
const noting = (hit: () => void): unknown => ({
  type: "issue",
  params: () => {
    hit();
    return [];
  },
});
const noted = (hit: () => void, value: boolean) => () => {
  hit();
  return value;
};

/** The types of a machine's own events from outside, as its chart names them. */
export function ownEventsOf(machine: AnyStateMachine): readonly string[] {
  const raised = new Set<unknown>();
  const types = new Set<string>();
  for (const node of nodesOf(machine.root)) {
    const transitions = transitionsOf(node);
    for (const type of node.transitions.keys()) types.add(type);
    const actions = [...node.entry, ...node.exit, ...transitions.flatMap((each) => each.actions)];
    for (const action of actions) raised.add(raisedBy(action));
  }
  const queued = ["message", "message.edited", "message.removed", "message.moved"];
  const kernelEvents = new Set([...queued, "cancel", "interrupt", "start"]);
  return [...types].filter(
    (type) =>
      !type.endsWith("*") &&
      !type.startsWith("xstate.") &&
      settles[type] === undefined &&
      !kernelEvents.has(type) &&
      !raised.has(type),
  );
}

function raisedBy(action: unknown): unknown {
  const { type, event } = action as { readonly type?: unknown; readonly event?: unknown };
  if (type !== "xstate.raise") return undefined;
  return typeof event === "string" ? event : (event as { readonly type?: unknown } | null)?.type;
}
