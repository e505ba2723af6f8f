/**
 * Starts child runs: finds the reasoner that a parent's `run` directive names, makes the child's ids and
 * start event, and makes of its end the settlement that its parent gets.
 */

import {
  type BeginRecord,
  chartOf,
  childPath,
  type JournalMemory,
  ofChild,
  ROOT_RUN,
} from "../journal/for-live-runs.js";
import {
  printStateValue,
  type Reasoner,
  type RunState,
  type Step,
} from "../kernel/machine/index.js";
import {
  exceeds,
  isReckonerError,
  type Json,
  MAX_EVENT_LENGTH,
  toJson,
} from "../kernel/values/index.js";
import type {
  Budget,
  EffectError,
  RunDirective,
  RunEvent,
  Usage,
} from "../kernel/vocabulary/index.js";
import type { Settling } from "./arrived.js";
import { type Hiding, keptInput } from "./door.js";
import { DEFAULT_MAX_DEPTH, type DriverOptions } from "./options.js";
import type { RunPlace } from "./shared-by-runs.js";

/** The event by which a parent cancels a child. */
export const NO_LONGER_WANTED = {
  type: "cancel",
  reason: "The run that started it no longer wants it.",
} as const;

/** Characters of JSON in what a model, a tool, a store or a child run settles with. */
export const MAX_RESULT_LENGTH: number = 5 * 1024 * 1024;

/** A reasoner of any type. */
export type AnyReasoner = Reasoner<never, unknown, never>;

/** The start of a run, and what it depends on, as its header says it. */
export interface RunStart<Context> {
  readonly event: RunEvent;
  readonly step: Step<Context>;
  readonly begin?: BeginRecord;
}

/** The child with a name; own properties only. */
export function childNamed(
  { children }: Pick<AnyReasoner, "children">,
  name: string,
): AnyReasoner | undefined {
  return Object.hasOwn(children, name) ? (children[name] as AnyReasoner) : undefined;
}

/** The parent of a child that begins. */
export interface Parent {
  readonly reasoner: AnyReasoner;
  readonly place: RunPlace;
}

/** Returns the place of a root. */
export function rootPlace(seed?: string): RunPlace {
  return { path: ROOT_RUN, through: [], seed };
}

/** Returns the place of a child in its tree. */
export function placeOf({ path, through, seed }: RunPlace, directive: RunDirective): RunPlace {
  const { id, reasoner } = directive;
  return {
    path: childPath(path, id),
    through: [...through, reasoner],
    ...(seed === undefined ? {} : { seed }),
  };
}

/** With what a child begins that its code does not say. */
export function beginsWith({ input, budget }: BeginRecord): Pick<BeginRecord, "input" | "budget"> {
  return budget === undefined ? { input } : { input, budget };
}

/** Returns the seed of a run of a tree. @param seed of the root */
export function seedOf(seed: string, path: string): string {
  return path === ROOT_RUN ? seed : ofChild(seed, path);
}

/** The start of a child by its line. */
export function startOfChild(
  reasoner: AnyReasoner,
  { path, seed }: RunPlace,
  rootId: string,
  at: number,
  begin: BeginRecord,
): RunStart<never> {
  const step = reasoner.start(begin.input as never, {
    at,
    runId: ofChild(rootId, path),
    prepared: true,
    ...(seed === undefined ? {} : { seed: seedOf(seed, path) }),
    ...(begin.budget === undefined ? {} : { budget: begin.budget }),
  });
  return { event: { type: "start", at } as RunEvent, step };
}

/**
 * Returns the reason why a directive's child cannot begin.
 * @param depth the levels above it; absent for one that has begun already
 */
export function whyNoChild(
  child: AnyReasoner | undefined,
  { id, reasoner: name, input }: RunDirective,
  depth: number | undefined,
  { maxDepth = DEFAULT_MAX_DEPTH }: Pick<DriverOptions, "maxDepth">,
): EffectError | undefined {
  if (child === undefined) {
    return { code: "port.missing", message: `The run has no reasoner ${name}.` };
  }
  if (depth !== undefined && depth >= maxDepth) {
    const message = `Runs may start runs ${depth} deep and no deeper; raise maxDepth.`;
    return { code: "run.depth", message };
  }
  if (!exceeds(input, MAX_EVENT_LENGTH)) return undefined;
  const message = `The input of the child run ${id} has more than 8 MiB of JSON; store it elsewhere and pass where it is.`;
  return { code: "event.tooLarge", message };
}

/**
 * Returns what the line of a child's start says, or why there can be no such child.
 * @param at the time of the step that issued the directive
 */
export function beginningOf(
  { reasoner, place }: Parent,
  directive: RunDirective,
  at: number,
  options: Hiding & Pick<DriverOptions, "maxDepth">,
): { readonly reasoner: AnyReasoner; readonly begin: BeginRecord } | EffectError {
  const child = childNamed(reasoner, directive.reasoner) as AnyReasoner;
  const why = whyNoChild(child, directive, place.through.length, options);
  if (why !== undefined) return why;
  try {
    const input = keptInput(child, directive.input, at, options);
    return { reasoner: child, begin: beginOf(child, input, directive.budget) };
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
}

/** Returns what a start depends on, as the line of a child has it. */
export function beginOf(
  {
    id,
    version,
    fingerprint,
    configuration,
    ...rest
  }: Pick<AnyReasoner, "id" | "version" | "fingerprint" | "configuration" | "chart">,
  input: Json,
  budget: Budget | undefined,
): BeginRecord {
  return {
    reasoner: { id, version },
    fingerprint,
    configuration,
    ...chartOf(rest),
    input,
    ...(budget === undefined ? {} : { budget }),
  };
}

/** The end of a child run, or that it waits with nothing outstanding. */
export interface ChildEnd {
  readonly runId: string;
  readonly status: RunState["status"];
  readonly output?: Json | undefined;
  readonly error?: EffectError | undefined;
  /** The usage of it and of its children. */
  readonly usage: Usage;
  /** As its journal remembers it. */
  readonly waitedMs?: number | undefined;
}

/** The end of a child in its last state. @param spent as its journal remembers it */
export function childEndOf(
  reasoner: AnyReasoner,
  state: RunState,
  { usage: spent, waitedMs }: Pick<JournalMemory, "usage" | "waitedMs">,
): ChildEnd {
  const usage = usageOf(state, spent);
  const own = state as RunState<never>;
  const { runId, status } = state;
  const output = reasoner.output(own) as Json | undefined;
  const error = status === "failed" ? errorOf(reasoner, own) : turnError(reasoner, own);
  return {
    runId,
    status,
    output,
    usage,
    waitedMs,
    ...(error === undefined ? {} : { error }),
  };
}

function turnError(reasoner: AnyReasoner, state: RunState<never>): EffectError | undefined {
  const failure = reasoner.failure(state);
  return failure && { code: failure.code, message: failure.message };
}

/** The error of a run that has failed. */
export function errorOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
): EffectError {
  const reason = state.fault?.code ?? printStateValue(state.value);
  return reasoner.error(state) ?? { code: reason, message: `The run ended in ${reason}.` };
}

/**
 * The settlement by a child that has ended, or that waits with nothing outstanding: nobody can send an event to a
 * child, so that its output so far is final.
 * @param id of the child's directive
 */
export function settlementOf(
  id: string,
  { runId, status, output, error, usage, waitedMs }: ChildEnd,
): Settling {
  const facts = { id, runId, usage, ...(waitedMs === undefined ? {} : { waitedMs }) };
  const failed = (why: EffectError) => ({ type: "run.failed", ...facts, error: why }) as const;
  switch (status) {
    case "active":
      if (error !== undefined) return fitting(failed(error), failed);
      // The words stand in journals, and a replay compares them.
      return output === undefined
        ? failed({ code: "run.failed", message: "The child run rests and waits for nobody." })
        : fitting({ type: "run.succeeded", ...facts, output }, failed);
    case "done":
      return fitting({ type: "run.succeeded", ...facts, output: output ?? null }, failed);
    case "failed":
      return fitting(failed(error as EffectError), failed);
    case "cancelled":
      return failed({ code: "run.cancelled", message: "The child run was cancelled." });
    default:
      throw new Error(`No settlement for ${JSON.stringify(status satisfies never)}`);
  }
}

/** A settlement that fits into the journal. */
function fitting(settlement: Settling, failed: (error: EffectError) => Settling): Settling {
  try {
    // The settlement around an output makes it deeper, and has to pass the border as well.
    toJson(settlement, "settlement");
    if (!exceeds(settlement as never, MAX_RESULT_LENGTH)) return settlement;
    const message = "The child run's output is larger than 5 MiB of JSON; have it say where it is.";
    return failed({ code: "tool.result", message });
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return failed({ code: "tool.result", message: thrown.message });
  }
}

/**
 * The usage of a run; its cost is what the machine has counted plus what the journal has beside it.
 * @param spent as the journal remembers it
 */
export function usageOf(state: RunState, spent: Usage): Usage {
  const { usage } = (state.context ?? {}) as { readonly usage?: { readonly cost?: number } };
  const cost = (usage?.cost ?? 0) + (spent.cost ?? 0);
  return cost === 0 ? spent : ({ ...spent, cost } as Usage);
}
