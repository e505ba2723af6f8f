/** K7: whatever path computes a step, it comes to what XState's own `transition()` comes to. */
import {
  isSettlement,
  type Json,
  type Reasoner,
  type RunEvent,
  toJson,
} from "../core/kernel/index.js";
import { hold, type Law, type LawOptions, law, type Subject, same } from "./law.js";
import { drive, type History, type Moment } from "./world.js";

/** XState's own pure functions, as its package exports them. */
export interface XStateTransitions {
  initialTransition(machine: never, input: never): readonly [object, readonly object[]];
  transition(machine: never, snapshot: never, event: never): readonly [object, readonly object[]];
}

/** As much of XState's snapshots and actions as is compared. */
interface Snapshot {
  readonly status: "active" | "done" | "error" | "stopped";
  readonly value: Json;
  readonly context: unknown;
  readonly tags: ReadonlySet<string>;
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
): Law {
  return law(
    "a step is what XState's own transition() makes of the same event",
    subject,
    options,
    (reasoner, input, script) => agrees(reasoner, drive(reasoner, input, script, options), xstate),
  );
}

function agrees<Input, Output, Context>(
  { machine }: Reasoner<Input, Output, Context>,
  { input, origin, moments }: History<Input, Context>,
  xstate: XStateTransitions,
): void {
  let snapshot: object | undefined;
  for (const moment of moments) {
    const { before, event, step } = moment;
    if (before !== undefined && before.status !== "active") return;
    const reason = step.ignored?.reason;
    // What no machine gets to see: the kernel's own answers.
    if (reason === "stale" || reason === "busy") continue;
    const at = `event ${step.state.seq} (${event.type})`;
    let taken: readonly [object, readonly object[]];
    try {
      taken =
        snapshot === undefined
          ? xstate.initialTransition(machine as never, toJson({ ...origin, input }) as never)
          : xstate.transition(machine as never, snapshot as never, seen(moment) as never);
      if ((taken[0] as Snapshot).status === "error") throw (taken[0] as { error?: unknown }).error;
    } catch (thrown) {
      const { fault } = step.state;
      hold(
        fault !== undefined,
        () => `at ${at} XState throws ${String(thrown)}, the step does not`,
      );
      return;
    }
    if (step.state.fault !== undefined) return;
    // A cancel that the machine does not handle ends the run all the same; XState knows no such rule.
    if (event.type === "cancel" && (taken[0] as Snapshot).status === "active") {
      if (step.state.status === "cancelled") return;
    }
    compare(moment, taken[0] as Snapshot, taken[1] as readonly Action[], at);
    snapshot = taken[0];
  }
}

/** The event as a machine sees it: normalised, and a settlement with its directive (K3). */
function seen<Context>({ before, event }: Moment<Context>): RunEvent {
  const plain = toJson(event) as unknown as RunEvent;
  if (!isSettlement(plain)) return plain;
  const directive = before?.outstanding.find(({ id }) => id === plain.id);
  return { ...plain, directive } as unknown as RunEvent;
}

function compare<Context>(
  { step }: Moment<Context>,
  snapshot: Snapshot,
  actions: readonly Action[],
  at: string,
): void {
  const { state } = step;
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value), wellFormed) as Json;
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
  const issued = actions.filter(({ type }) => type === "issue").flatMap(({ params }) => params);
  // In the end the kernel cancels what is outstanding: its own directives come last.
  const own = status === "active" ? step.directives : step.directives.slice(0, issued.length);
  same(plain(issued), plain(own), `XState's actions and the step's directives at ${at}`);
  const more = step.directives.slice(own.length).every(({ type }) => type === "cancel");
  hold(more, () => `the step issues more than XState at ${at}`);
}

/** The border replaces lone surrogates; XState leaves them. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\uFFFD") : value;
}
