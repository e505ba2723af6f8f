/**
 * The Reasoner: a machine with two pure entry points, `start` and `step`, both returning one record.
 * Here is what every run of every machine obeys (K1 to K8); what a run does is the machine's affair.
 */
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { type Before, collectDirectives, Fault } from "./collect-directives.js";
import type { Effect } from "./directive.js";
import { messageOf, ReckonerError } from "./errors.js";
import { type EffectError, type RunEvent, settles } from "./event.js";
import { canonical, hashOf } from "./hash.js";
import { emptyIdSet } from "./id-set.js";
import { inspectMachine } from "./inspect-machine.js";
import { type Json, toJson } from "./json.js";
import { sealJson } from "./list.js";
import { checkTime, parseEvent } from "./parse-event.js";
import { RecentSnapshots } from "./recent-snapshots.js";
import {
  boundMicrosteps,
  handles,
  initialSnapshot,
  isLoop,
  nextSnapshot,
  type Taken,
} from "./scope.js";
import type { ReasonerMachine, Start } from "./setup.js";
import {
  cancelAll,
  type Ignored,
  type RunState,
  type RunStatus,
  type StateValue,
  type Step,
} from "./state.js";
import type { ChildReasoner, ToolRegistry } from "./tool.js";

/** What a run starts from, beside its input. */
export type Origin = Omit<Start<unknown>, "input">;

/** A machine that reasons, with all that a host needs to run it. */
export interface Reasoner<Input = unknown, Output = unknown, Context = unknown> {
  /** "agent", "thoughts", a user's own. */
  readonly id: string;
  /** Raised when the meaning of a recorded event changes. */
  readonly version: number;
  /** An ordinary XState machine: it can be drawn, and run by XState's own `transition()`. */
  readonly machine: AnyStateMachine;
  readonly tools: ToolRegistry;
  /** Reasoners that `run` directives name. */
  readonly children: ReasonerRegistry;
  /** Hash of the configuration (prompts, tool schemas): two reasoners of one id may differ in it. */
  readonly fingerprint: string;
  /** The first step. Depends on its arguments alone. */
  start(input: Input, origin: Origin): Step<Context>;
  /** The next step. Depends on its arguments alone, and changes neither. */
  step(state: RunState<Context>, event: RunEvent): Step<Context>;
  /** What the run came to where it is done, or what there is to show where it rests. */
  output(state: RunState<Context>): Output | undefined;
  /** Why the run failed, where the machine can say. */
  error(state: RunState<Context>): EffectError | undefined;
}

/** Reasoners by name. */
export type ReasonerRegistry = { readonly [name: string]: Reasoner<never, unknown, never> };

/** What {@link defineReasoner} needs. */
export interface ReasonerDefinition<Input, Output, Context> {
  readonly id: string;
  /** Default 1. */
  readonly version?: number;
  /** Made with `setupReasoner().createMachine`. */
  readonly machine: ReasonerMachine<Context, Input>;
  readonly tools?: ToolRegistry;
  /** Reasoners that the machine's `run` directives name, beside those of its tools. */
  readonly children?: ReasonerRegistry;
  /** The output, from the context of a done run. Pure. */
  readonly output?: (context: Context) => Output | undefined;
  /** What there is to show while the run rests, from its context. Pure. */
  readonly interim?: (context: Context) => Output | undefined;
  /** Why a run failed, from the context of a failed run. Pure. */
  readonly error?: (context: Context) => EffectError | undefined;
  /** What beside the tools' schemas shapes the run: prompts, settings. It goes into the fingerprint. */
  readonly configuration?: unknown;
}

/**
 * Makes a reasoner of a machine.
 * @throws ReckonerError `machine.unsupported` with the place, where the machine uses what is an
 * effect in XState or cannot be restored; `tool.invalid` where two children have one name
 */
export function defineReasoner<Input, Output = unknown, Context = unknown>(
  definition: ReasonerDefinition<Input, Output, Context>,
): Reasoner<Input, Output, Context> {
  const { id, machine, version = 1, tools = {} } = definition;
  inspectMachine(machine);
  boundMicrosteps(machine);
  const children = childrenOf([...Object.values(tools), definition], id);
  const snapshots = new RecentSnapshots<RunState<Context>>();

  /** A state's snapshot: remembered from the step that made it, or resolved anew after JSON. */
  const snapshotOf = (state: RunState<Context>): AnyMachineSnapshot => {
    const known = snapshots.get(state);
    if (known !== undefined) return known;
    try {
      const context = sealJson(state.context, "$.context");
      return machine.resolveState({ value: state.value as never, context: context as never });
    } catch (cause) {
      const message = `The state is not one of ${id} version ${version}: ${messageOf(cause)}.`;
      throw new ReckonerError("state.mismatch", message, { cause });
    }
  };

  const finish = (before: Before, taken: () => Taken, place: string): Step<Context> => {
    try {
      const { snapshot, issued, foreign } = taken();
      if (snapshot.status === "error") throw snapshot.error;
      if (foreign !== undefined) throw new Fault("machine.unsupported", `${place}, ${foreign}`);
      const status = statusOf(snapshot);
      const told = collectDirectives(issued, before, status, place);
      const context = sealJson(snapshot.context, "$.context") as Context;
      // What cannot be an output is a fault of the machine, and known before the run has ended.
      if (status === "done") sealJson(definition.output?.(context) ?? null, "$.output");
      const state: RunState<Context> = Object.freeze({
        ...before.base,
        status,
        value: sealJson(snapshot.value) as StateValue,
        context,
        outstanding: told.outstanding,
        issued: told.ids,
      });
      if (snapshot.context === context) snapshots.set(state, snapshot);
      return { state, directives: told.directives };
    } catch (thrown) {
      return failed<Context>(before, thrown, place);
    }
  };

  return Object.freeze({
    id,
    version,
    machine,
    tools,
    children,
    fingerprint: hashOf(
      toJson({
        id,
        version,
        tools: Object.values(tools).map((tool) => tool.schema),
        children: Object.entries(children).map(([name, child]) => [name, child.fingerprint]),
        configuration: definition.configuration ?? null,
      }),
    ),

    start(input: Input, origin: Origin): Step<Context> {
      checkTime(origin.at, "origin.at");
      const { from, ...rest } = origin;
      const start = {
        ...toJson<Start<Input>>({ ...rest, input: input ?? null }, "$"),
        ...(from === undefined ? {} : { from: sealJson(from, "$.from") }),
      };
      const before: Before = {
        base: { reasoner: id, version, runId: origin.runId, seq: 0, at: origin.at },
        outstanding: [],
        ids: emptyIdSet,
        value: "",
        context: {},
      };
      return finish(before, () => initialSnapshot(machine, start), "start");
    },

    step(state: RunState<Context>, raw: RunEvent): Step<Context> {
      if (state.reasoner !== id || state.version !== version) {
        throw new ReckonerError(
          "state.mismatch",
          `The state is of ${state.reasoner} version ${state.version}, this reasoner is ${id} version ${version}.`,
        );
      }
      const event = parseEvent(raw);
      if (state.status !== "active") return ignore(state, event, "ended");
      const place = `state ${canonical(state.value as Json)}, event ${event.type}`;
      if (event.type === "start") return ignore(advance(state, event), event, "busy");

      const answered = settles[event.type];
      const directive =
        answered === undefined
          ? undefined
          : state.outstanding.find((each) => each.id === event.id && each.type === answered);
      if (answered !== undefined && directive === undefined) {
        return ignore(advance(state, event), event, "stale");
      }
      const outstanding =
        directive === undefined
          ? state.outstanding
          : state.outstanding.filter((each) => each !== directive);
      const next = advance(state, event, outstanding);
      const before: Before = {
        base: {
          reasoner: id,
          version,
          runId: state.runId,
          seq: next.seq,
          at: next.at,
        },
        outstanding,
        ids: state.issued,
        value: state.value,
        context: state.context,
      };
      const snapshot = snapshotOf(state);
      const seen = directive === undefined ? event : { ...event, directive };
      let unhandled = false;
      const step = finish(
        before,
        () => {
          const taken = nextSnapshot(machine, snapshot, seen);
          unhandled = taken.snapshot === snapshot && !handles(machine, snapshot, seen);
          return taken;
        },
        place,
      );
      if (!unhandled || step.state.fault !== undefined) return step;
      // A cancel that no transition handles ends the run all the same: else nobody could stop it.
      if (event.type === "cancel") {
        return {
          state: Object.freeze({ ...next, status: "cancelled" as const, outstanding: [] }),
          directives: cancelAll(outstanding),
        };
      }
      snapshots.set(next, snapshot);
      return ignore(next, event, "unhandled");
    },

    output(state: RunState<Context>): Output | undefined {
      const { output, interim } = definition;
      const of = state.status === "done" ? output : state.status === "active" ? interim : undefined;
      const value = of?.(state.context);
      return value === undefined ? undefined : (sealJson(value, "$.output") as Output);
    },

    error(state: RunState<Context>): EffectError | undefined {
      if (state.status !== "failed") return undefined;
      if (state.fault !== undefined) {
        return { code: state.fault.code, message: `The machine failed at ${state.fault.place}.` };
      }
      return definition.error?.(state.context);
    },
  });
}

/** @throws ReckonerError `tool.invalid` where two reasoners have one name */
function childrenOf(
  owners: readonly { readonly children?: { readonly [name: string]: ChildReasoner } }[],
  id: string,
): ReasonerRegistry {
  const children: Record<string, ChildReasoner> = {};
  for (const [name, child] of owners.flatMap((owner) => Object.entries(owner.children ?? {}))) {
    const known = Object.hasOwn(children, name) ? children[name] : child;
    if (known?.fingerprint !== child.fingerprint) {
      const message = `Two children of ${id} are named ${name}; rename one.`;
      throw new ReckonerError("tool.invalid", message);
    }
    children[name] = child;
  }
  return children as unknown as ReasonerRegistry;
}

function failed<Context>(before: Before, thrown: unknown, place: string): Step<Context> {
  const fault =
    thrown instanceof Fault
      ? { code: thrown.code, place: thrown.place }
      : thrown instanceof ReckonerError
        ? { code: thrown.code, place: `${place}, ${thrown.place ?? ""}` }
        : { code: isLoop(thrown) ? ("machine.loop" as const) : ("machine.threw" as const), place };
  return {
    state: Object.freeze({
      ...before.base,
      status: "failed" as const,
      value: before.value,
      context: before.context as Context,
      outstanding: [],
      issued: before.ids,
      fault,
    }),
    directives: cancelAll(before.outstanding),
    thrown,
  };
}

function advance<Context>(
  state: RunState<Context>,
  event: RunEvent,
  outstanding: readonly Effect[] = state.outstanding,
): RunState<Context> {
  return Object.freeze({ ...state, seq: state.seq + 1, at: event.at, outstanding });
}

function ignore<Context>(
  state: RunState<Context>,
  event: RunEvent,
  reason: Ignored["reason"],
): Step<Context> {
  const ignored: Ignored = {
    reason,
    type: event.type,
    ...("id" in event && typeof event.id === "string" ? { id: event.id } : {}),
  };
  return { state, directives: [], ignored };
}

function statusOf(snapshot: AnyMachineSnapshot): RunStatus {
  if (snapshot.status !== "done") return "active";
  if (snapshot.tags.has("failed")) return "failed";
  return snapshot.tags.has("cancelled") ? "cancelled" : "done";
}
