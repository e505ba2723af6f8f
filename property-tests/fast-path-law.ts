/** K7: every path computes the same steps as XState's own `transition()`. */

import { owedBy, type Reasoner, type RunState } from "../src/core/kernel/machine/index.js";
import { type Json, toJson } from "../src/core/kernel/values/index.js";
import { isEffect, isSettlement, type RunEvent } from "../src/core/kernel/vocabulary/index.js";
import type { History, HistoryStep } from "../src/testing/checking/world.js";
import { drive } from "../src/testing/drive.js";
import {
  comparable,
  hold,
  type LawOptions,
  type PropertyLaw,
  propertyLaw,
  type Subject,
  same,
} from "../src/testing/property-law.js";
import { AfterTimers } from "./oracle-timers.js";

/** XState's own pure functions, as its package exports them. */
export interface XStateTransitions {
  /** The first snapshot, and the actions on the way there. */
  initialTransition(machine: never, input: never): readonly [object, readonly object[]];
  /** The snapshot after an event, and the actions on the way. */
  transition(machine: never, snapshot: never, event: never): readonly [object, readonly object[]];
}

/** As much of XState's snapshots and actions as is compared. */
interface Snapshot {
  readonly status: "active" | "done" | "error" | "stopped";
  readonly value: Json;
  readonly context: unknown;
  readonly output: unknown;
  readonly tags: ReadonlySet<string>;
  readonly historyValue: { readonly [id: string]: readonly { readonly id: string }[] };
}
interface Action {
  readonly type: string;
  readonly params?: unknown;
}

/**
 * The law of the fast path.
 * @param xstate `{ initialTransition, transition }` from the package `xstate`
 */
export function fastPathLaw<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  xstate: XStateTransitions,
  options: LawOptions<Input>,
): PropertyLaw {
  return propertyLaw(
    "a step is what XState's own transition() makes of the same event",
    subject,
    options,
    (reasoner, input, script) => agrees(reasoner, drive(reasoner, input, script, options), xstate),
  );
}

/**
 * The law of all paths: reasoners of one machine that differ in nothing but the path give the same
 * steps, faults and their places included.
 * @param others the same reasoner by other paths
 */
export function samePathsLaw<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  others: (
    reasoner: Reasoner<Input, Output, Context>,
  ) => readonly Reasoner<Input, Output, Context>[],
  options: LawOptions<Input>,
): PropertyLaw {
  return propertyLaw(
    "every path computes the same step",
    subject,
    options,
    (reasoner, given, script) => {
      const { input, origin, steps } = drive(reasoner, given, script, options);
      for (const other of others(reasoner)) {
        let state: RunState<Context> | undefined;
        for (const { event, step } of steps) {
          const own = state === undefined ? other.start(input, origin) : other.step(state, event);
          same(
            comparable(step),
            comparable(own),
            `two paths' steps at event ${step.state.seq} (${event.type})`,
          );
          state = own.state;
        }
      }
    },
  );
}

function agrees<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { input, origin, steps }: History<Input, Context>,
  xstate: XStateTransitions,
): void {
  const { machine } = reasoner;
  const timers = new AfterTimers(machine);
  const start = { ...origin, input: reasoner.prepare(input, false) };
  let snapshot: Snapshot | undefined;
  for (const current of steps) {
    const { before, event, step } = current;
    if (before !== undefined && before.status !== "active") return;
    const reason = step.ignored?.reason;
    // What no machine gets to see: the kernel's own answers.
    if (reason === "stale" || reason === "busy" || reason === "refused") continue;
    const at = `event ${step.state.seq} (${event.type})`;
    const { fault } = step.state;
    let taken: readonly [object, readonly object[]];
    try {
      taken =
        snapshot === undefined
          ? xstate.initialTransition(machine as never, toJson(start) as never)
          : xstate.transition(
              machine as never,
              restored(machine, snapshot, before as RunState<Context>) as never,
              seen(current, timers) as never,
            );
      if ((taken[0] as Snapshot).status === "error") throw (taken[0] as { error?: unknown }).error;
    } catch (thrown) {
      hold(
        fault !== undefined,
        () => `at ${at} XState throws ${String(thrown)}, the step does not`,
      );
      return;
    }
    // What the kernel itself refuses, XState lets pass; what only a machine can do wrong, it must too.
    const own =
      fault === undefined || /^(directive|json|machine\.(unsupported|invalid))/.test(fault.code);
    hold(own, () => `at ${at} the step fails with ${fault?.code}, XState does not throw`);
    if (fault !== undefined) return;
    // A cancel that the machine does not handle ends the run all the same; XState knows no such rule.
    if (event.type === "cancel" && (taken[0] as Snapshot).status === "active") {
      if (step.state.status === "cancelled") return;
    }
    snapshot = taken[0] as Snapshot;
    compare(reasoner, current, snapshot, timers.told(taken[1] as readonly Action[], current), at);
  }
}

/**
 * The snapshot that XState goes on from. With regions or history it is the one that the state's JSON
 * resolves to: XState keeps regions in the order of their last entry, which no JSON tells.
 */
function restored<Context>(
  machine: Reasoner["machine"],
  snapshot: Snapshot,
  { value }: RunState<Context>,
): object {
  if (!isRenewed(machine.root)) return snapshot;
  const { context, historyValue } = snapshot;
  return machine.resolveState({ value, context, historyValue } as never);
}

interface Node {
  readonly type: string;
  readonly states: object;
}
function isRenewed({ type, states }: Node): boolean {
  if (type === "parallel" || type === "history") return true;
  return (Object.values(states) as Node[]).some(isRenewed);
}

/** The event as a machine sees it: normalised, a settlement with its directive (K3), `after` by name. */
function seen<Context>({ before, event }: HistoryStep<Context>, timers: AfterTimers): RunEvent {
  const plain = toJson<RunEvent>(event);
  if (!isSettlement(plain)) return plain;
  const directive = before && owedBy(before).find(({ id }) => id === plain.id);
  const type = timers.eventOf(plain.id) ?? plain.type;
  return { ...plain, type, directive } as unknown as RunEvent;
}

function compare<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { step }: HistoryStep<Context>,
  snapshot: Snapshot,
  issued: readonly Json[],
  at: string,
): void {
  const { state } = step;
  same(snapshot.value, state.value, `XState's state and the step's at ${at}`);
  same(plain(snapshot.context), plain(state.context), `XState's context and the step's at ${at}`);
  const status =
    snapshot.status !== "done"
      ? "active"
      : snapshot.tags.has("failed")
        ? "failed"
        : snapshot.tags.has("cancelled")
          ? "cancelled"
          : "done";
  same(status, state.status, `XState's status and the step's at ${at}`);
  same(historyOf(snapshot), inOrder(state.history), `XState's history and the step's at ${at}`);
  if (state.output !== undefined || (status === "done" && snapshot.output !== undefined)) {
    const own = reasoner.output(state) as Json | undefined;
    if (state.output !== undefined)
      same(state.output, own, `the state's and the run's output at ${at}`);
    same(plain(snapshot.output), state.output, `XState's output and the step's at ${at}`);
  }
  // In the end the kernel cancels what is outstanding: its own directives come last.
  const own = status === "active" ? step.directives : step.directives.slice(0, issued.length);
  same(plain(issued), plain(own), `XState's actions and the step's directives at ${at}`);
  const more = step.directives.slice(own.length).every((directive) => !isEffect(directive));
  hold(more, () => `the step issues more than XState at ${at}`);
}

/** What XState remembers, as ids in an order of their own. */
function historyOf({ historyValue }: Snapshot): Json {
  return Object.fromEntries(
    Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id).sort()]),
  );
}

/** What the state remembers, in the same order. */
function inOrder(history: RunState["history"] = {}): Json {
  return Object.fromEntries(Object.entries(history).map(([id, nodes]) => [id, [...nodes].sort()]));
}

const plain = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value ?? null), wellFormed) as Json;

/** The border replaces lone surrogates; XState leaves them. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\uFFFD") : value;
}
