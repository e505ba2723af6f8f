/**
 * The Reasoner: a machine with two pure functions, `start` and `step`, which both return a Step.
 * The rules for every run are in `steps.ts`.
 */
import type { AnyStateMachine } from "xstate";
import { hashOf } from "../values/canonical.js";
import { isReckonerError, messageOf, ReckonerError } from "../values/errors.js";
import { isJsonObject, type Json, toJson } from "../values/json.js";
import { sealJson } from "../values/seal.js";
import { atOnce, isUnawaited } from "../values/thenable.js";
import { checkDefinition } from "../vocabulary/check-shape.js";
import type {
  Description,
  EffectError,
  FinishReason,
  IncomingEvent,
  TurnFailure,
} from "../vocabulary/event.js";
import { parseEvent } from "../vocabulary/parse-event.js";
import { jsonSchemaOf } from "../vocabulary/schema.js";
import type { Tool, ToolRegistry } from "../vocabulary/tool.js";
import type { ChildReasoner } from "../vocabulary/tool-context.js";
import { definitionOf, schemaForm } from "../vocabulary/tool-definition.js";
import { aftersOf } from "./after.js";
import { describeRun } from "./describe-run.js";
import { faultMessage } from "./fault.js";
import { type CarriedOver, checkMigrations, type Migrations, migrateState } from "./migrate.js";
import { ownMachine } from "./own-machine.js";
import type { Path } from "./path.js";
import { pathOf } from "./path-of.js";
import { type RunChart, recordedChart } from "./recorded-chart.js";
import type { ReasonerMachine, StartOptions } from "./setup.js";
import type { RunState, Step } from "./state.js";
import { type Refusal, Steps } from "./steps.js";

/** A machine that reasons, with all that a host needs to run it. */
export interface Reasoner<Input = unknown, Output = unknown, Context = unknown> {
  /** "agent", "thoughts", a user's own. */
  readonly id: string;
  /** Raised when the meaning of a recorded event changes. */
  readonly version: number;
  /** An ordinary XState machine: it can be drawn, and run by XState's own `transition()`. */
  readonly machine: AnyStateMachine;
  /** Its chart, as its journals have it; absent where it is too large for one. */
  readonly chart: RunChart | undefined;
  /** True where steps are computed from tables compiled of the machine; else XState takes them. */
  readonly compiled: boolean;
  readonly tools: ToolRegistry;
  /** Reasoners that `run` directives name. */
  readonly children: ReasonerRegistry;
  /** Hash of the configuration (prompts, tools): two reasoners of one id may differ in it. */
  readonly fingerprint: string;
  /** The parts of the configuration, each with a few letters of its hash: to say what differs. */
  readonly configuration: { readonly [part: string]: string };
  /**
   * The input as the journal records it: with what the definition adds (an agent's own `deps`), so
   * that redaction sees all of it. Pure; an invalid input is returned unchanged.
   * @param goesOn the run goes on from another one
   */
  prepare(input: Input, goesOn: boolean): unknown;
  /** The first step. The input is prepared here if it was not. Depends only on its arguments. */
  start(input: Input, origin: StartOptions): Step<Context>;
  /** The next step. Depends only on its arguments, and changes neither. */
  step(state: RunState<Context>, event: IncomingEvent): Step<Context>;
  /**
   * Returns the reason why an event from outside would be refused now: a message for which nothing is
   * left, a decision that does not fit. `step` ignores such an event; a host says why before it takes it.
   */
  refusal(state: RunState<Context>, event: IncomingEvent): EffectError | undefined;
  /** The output of a run that is done, or what a waiting run has to show so far. */
  output(state: RunState<Context>): Output | undefined;
  /** Returns the error of a failed run, where the machine can say. */
  error(state: RunState<Context>): EffectError | undefined;
  /** Returns the reason why the last turn failed, of a run that waits after it, where the machine has turns. */
  failure(state: RunState<Context>): TurnFailure | undefined;
  /** Returns what the row of its run says in this state: each journal has it, so that a list needs no code. */
  describe(state: RunState<Context>): Description;
  /** Returns the reason why the model stopped last, where the machine asks one and can say. */
  finishReason(state: RunState<Context>): FinishReason | undefined;
  /**
   * A state of an earlier version, or under another configuration, as one of this reasoner's. Pure.
   * @throws ReckonerError `upgrade.refused` with what cannot be carried over, and why
   */
  migrate(state: RunState, over: CarriedOver): RunState<Context>;
}

/** Reasoners by name. */
export type ReasonerRegistry = { readonly [name: string]: Reasoner<never, unknown, unknown> };

/** The definition that {@link defineReasoner} takes. */
export interface ReasonerDefinition<Input, Output, Context> {
  readonly id: string;
  /** A whole number, raised when the meaning of a recorded event changes. Default 1. */
  readonly version?: number | undefined;
  /** States of earlier versions as ones of later: by the version that each leads to. */
  readonly migrations?: Migrations | undefined;
  /**
   * Sets anew the part of the context that follows from the configuration and not from the past, when a
   * run is upgraded: after the migrations. Pure; what it throws refuses the upgrade.
   */
  readonly adopt?: ((context: Context, over: CarriedOver) => Context) | undefined;
  /** Made with `setupReasoner().createMachine`. */
  readonly machine: ReasonerMachine<Context, Input>;
  readonly tools?: ToolRegistry | undefined;
  /** Reasoners that the machine's `run` directives name, beside those of its tools. */
  readonly children?: ReasonerRegistry | undefined;
  /**
   * The output, from the context of a done run. Pure. Default: what the machine's own `output` comes
   * to, or that of the final state it ended in.
   */
  readonly output?: ((context: Context) => Output | undefined) | undefined;
  /** Returns the output to show while the run waits, from its context. Pure. */
  readonly interim?: ((context: Context) => Output | undefined) | undefined;
  /** Returns the error of a failed run, from its context. Pure. */
  readonly error?: ((context: Context) => EffectError | undefined) | undefined;
  /**
   * Returns the reason why an event from outside is refused: a message, a change of one, a decision, one of the
   * machine's own. Pure.
   */
  readonly refusal?: Refusal<Context> | undefined;
  /** Returns the reason why the last turn failed, from the state of a run that waits after it. Pure. */
  readonly failure?: ((state: RunState<Context>) => TurnFailure | undefined) | undefined;
  /** Returns what the row of a run says in this state, beside why its turn failed. Pure. */
  readonly describe?: ((state: RunState<Context>) => Omit<Description, "failure">) | undefined;
  /** Returns the reason why the model stopped last, from a run's context. Pure. */
  readonly finishReason?: ((context: Context) => FinishReason | undefined) | undefined;
  /** Returns the input with the definition's own additions, before it is redacted and journalled. Pure. */
  readonly prepare?: ((input: Input, goesOn: boolean) => unknown) | undefined;
  /**
   * The configuration beside the tools that shapes the run: prompts, settings. It goes into the
   * fingerprint.
   */
  readonly configuration?: unknown;
  /**
   * The path that computes the steps; both come to the same (K7). For measuring and for looking for
   * faults. Default: tables.
   */
  readonly path?: Path["name"] | undefined;
}

/** A definition whose machine may be made late, and of which a reasoner may have more. */
export type TrustedDefinition<Input, Output, Context> = Omit<
  ReasonerDefinition<Input, Output, Context>,
  "machine"
> & {
  readonly machine: AnyStateMachine | (() => AnyStateMachine);
  /** Of a machine that comes with this package: its name and version, in place of its chart. */
  readonly chart?: string;
  readonly more?: object;
};

/**
 * Makes a reasoner of a trusted machine, without inspecting it. A machine that a function makes is made
 * at the first step, or when the reasoner is asked for it; so are its tables.
 * @throws ReckonerError `machine.invalid` for migrations that are none; `tool.invalid` where a
 * child
 * is not a reasoner, or two have one name
 */
export function makeReasoner<Input, Output = unknown, Context = unknown>(
  definition: TrustedDefinition<Input, Output, Context>,
): Reasoner<Input, Output, Context> {
  const { id, version = 1, tools = {}, migrations = {}, output, interim, adopt } = definition;
  const { prepare: prepareInput, machine: source } = definition;
  const early = typeof source === "function" ? undefined : ownMachine(source);
  checkMigrations(id, version, migrations);
  const children = childrenOf([...Object.values(tools), definition], id);
  const { refusal } = definition;
  const build = () => {
    const machine = early ?? ownMachine((source as () => AnyStateMachine)());
    const afters = aftersOf(machine);
    const path = pathOf(machine, afters, definition.path);
    const steps = new Steps<Input, Context>({ id, version, path, afters, output, refusal });
    return { machine, path, afters, steps };
  };
  let made: ReturnType<typeof build> | undefined;
  const built = () => (made ??= build());
  let chart: { readonly of: RunChart | undefined } | undefined;
  const prepare = (input: Input, goesOn: boolean) =>
    // A promise of an input is the caller's mistake, and refused as what is not JSON.
    prepareInput === undefined || isUnawaited(input)
      ? input
      : called(`${id}.prepare`, () => prepareInput(input, goesOn));

  const own: Reasoner<Input, Output, Context> = Object.freeze({
    ...definition.more,
    id,
    version,
    get machine() {
      return built().machine;
    },
    get chart() {
      chart ??= { of: definition.chart ?? recordedChart(built().machine) };
      return chart.of;
    },
    compiled: definition.path !== "transition",
    tools,
    children,
    fingerprint: hashOf(
      toJson({
        id,
        version,
        tools: Object.values(tools).map(toolConfiguration),
        children: Object.entries(children).map(([name, child]) => [name, child.fingerprint]),
        configuration: definition.configuration ?? null,
      }),
    ),
    configuration: partsOf(definition, children),
    prepare,
    start(input: Input, options: StartOptions) {
      checkDefinition("event.invalid", "start, behind its input,", options);
      const { prepared = false, ...origin } = options;
      return built().steps.start(
        (prepared ? input : prepare(input, origin.from !== undefined)) as Input,
        origin,
      );
    },
    step: (state: RunState<Context>, event: IncomingEvent) => built().steps.step(state, event),
    refusal: (state: RunState<Context>, event: IncomingEvent) =>
      built().steps.refusal(state, parseEvent(event)),

    output(state: RunState<Context>): Output | undefined {
      if (state.status === "done" && output === undefined) return state.output as Output;
      const of = state.status === "done" ? output : state.status === "active" ? interim : undefined;
      return called(`${id}.${of === interim ? "interim" : "output"}`, () => {
        const value = atOnce("It", of?.(state.context));
        return value === undefined ? undefined : sealJson<Output>(value, "$.output");
      });
    },

    error(state: RunState<Context>): EffectError | undefined {
      if (state.status !== "failed") return undefined;
      if (state.fault !== undefined) {
        return { code: state.fault.code, message: faultMessage(state.fault) };
      }
      return errorFrom(`${id}.error`, () => definition.error?.(state.context));
    },

    failure(state: RunState<Context>): TurnFailure | undefined {
      if (state.status !== "active") return undefined;
      return errorFrom(`${id}.failure`, () => definition.failure?.(state));
    },

    describe: (state: RunState<Context>) =>
      called(`${id}.describe`, () =>
        describeRun(own.output(state), own.failure(state), definition.describe?.(state)),
      ),

    finishReason(state: RunState<Context>): FinishReason | undefined {
      return called(`${id}.finishReason`, () => {
        const text: unknown = atOnce("It", definition.finishReason?.(state.context));
        if (text === undefined || typeof text === "string") return text as FinishReason | undefined;
        throw new Error("it did not return a text");
      });
    },

    migrate: (state: RunState, over: CarriedOver) =>
      migrateState({ ...built(), id, version, tools, children, migrations, adopt }, state, over),
  });
  return own;
}

/** A part's hash is for finding what differs; what differs at all, the fingerprint says. */
const PART_LENGTH = 8;

function partsOf<Input, Output, Context>(
  { tools = {}, configuration }: TrustedDefinition<Input, Output, Context>,
  children: ReasonerRegistry,
): { readonly [part: string]: string } {
  const parts: Record<string, string> = {};
  const add = (name: string, value: Json) => {
    parts[name] = hashOf(value).slice(0, PART_LENGTH);
  };
  for (const [name, tool] of Object.entries(tools)) {
    add(`tools.${name}`, toJson(toolConfiguration(tool)));
  }
  for (const [name, child] of Object.entries(children)) add(`children.${name}`, child.fingerprint);
  const own = toJson(configuration ?? null);
  if (isJsonObject(own)) for (const [name, value] of Object.entries(own)) add(name, value);
  else if (own !== null) add("configuration", own);
  return Object.freeze(parts);
}

/** Calls a function of the definition that says why something failed. */
function errorFrom<T extends TurnFailure>(place: string, call: () => T | undefined): T | undefined {
  return called(place, () => {
    const failure = atOnce("It", call());
    if (failure === undefined) return undefined;
    const error = sealJson<T>(failure, "$.error");
    if (typeof error.code === "string" && typeof error.message === "string") return error;
    throw new Error("it did not return an object with a code and a message");
  });
}

/** Calls a function of the definition outside of a step: its errors have a code. */
function called<T>(place: string, call: () => T): T {
  try {
    return atOnce("It", call());
  } catch (cause) {
    if (isReckonerError(cause)) throw cause;
    const message = `The function ${place} failed: ${messageOf(cause)}`;
    throw new ReckonerError("hook.failed", message, { cause, place });
  }
}

/** @throws ReckonerError `tool.invalid` where a child is not a reasoner, or two have one name */
function childrenOf(
  owners: readonly { readonly children?: { readonly [name: string]: ChildReasoner } | undefined }[],
  id: string,
): ReasonerRegistry {
  const children: Record<string, ChildReasoner> = {};
  for (const [name, child] of owners.flatMap((owner) => Object.entries(owner.children ?? {}))) {
    if (typeof (child as ChildReasoner | undefined)?.fingerprint !== "string") {
      const message = `The child ${name} of ${id} is not a reasoner; pass what agent, thoughts or defineReasoner gives.`;
      throw new ReckonerError("tool.invalid", message);
    }
    const other = Object.hasOwn(children, name) ? children[name] : child;
    if (other?.fingerprint !== child.fingerprint) {
      const message = `Two children of ${id} are named ${name}; rename one.`;
      throw new ReckonerError("tool.invalid", message);
    }
    children[name] = child;
  }
  return children as ReasonerRegistry;
}

/**
 * The part of a tool that belongs to the configuration: its definition, and what the core uses.
 * Defaults are left out. Of a function only its presence counts.
 */
function toolConfiguration(tool: Tool): object {
  const { kind, needsApproval, approvalBlocks, sequential, final, onUnknown, formatError, ask } =
    tool;
  return {
    ...definitionOf(tool),
    ...(kind === "execute" ? {} : { kind }),
    ...(ask === undefined ? {} : { ask: schemaForm(jsonSchemaOf(ask, "A tool that asks")) }),
    ...(needsApproval === false ? {} : { needsApproval: needsApproval === true || { of: "call" } }),
    ...(approvalBlocks ? {} : { approvalBlocks }),
    ...(sequential ? { sequential } : {}),
    ...(final ? { final } : {}),
    ...(onUnknown === undefined ? {} : { onUnknown }),
    ...(formatError === undefined ? {} : { formatError: { of: "failure" } }),
  };
}
