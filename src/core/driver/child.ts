/** Child runs: how one begins by its parent's directive, and the settlement that it comes to. */

import type { BeginRecord } from "../journal/live.js";
import {
  addUsage,
  type Budget,
  type EffectError,
  escapeId,
  exceeds,
  isReckonerError,
  type Json,
  MAX_EVENT_LENGTH,
  pairKey,
  printStateValue,
  type Reasoner,
  type RunDirective,
  type RunEvent,
  type RunState,
  toJson,
  type Usage,
} from "../kernel/index.js";
import type { Path, Settling } from "./arrived.js";
import { checkSize, type Hiding, redacted } from "./door.js";
import { childPath } from "./kin.js";
import { DEFAULT_MAX_DEPTH, type DriverOptions } from "./options.js";
import type { RunPlace, RunStart } from "./shared.js";

/** The event by which a parent cancels a child. */
export const NO_LONGER_WANTED = {
  type: "cancel",
  reason: "The run that started it no longer wants it.",
} as const;

/** Characters of JSON in what a model, a tool, a store or a child run settles with. */
export const MAX_RESULT_LENGTH: number = 5 * 1024 * 1024;

/** A reasoner of any type. */
export type AnyReasoner = Reasoner<never, unknown, never>;

/** The child with a name; own properties only. */
export function childNamed(
  { children }: Pick<AnyReasoner, "children">,
  name: string,
): AnyReasoner | undefined {
  return Object.hasOwn(children, name) ? children[name] : undefined;
}

/** The run id of a child: the root's, and its path. */
export function childRunId(root: string, path: Path): string {
  return `${escapeId(root)}:${path}`;
}

/** The parent of a child that begins. */
export interface Parent {
  readonly reasoner: AnyReasoner;
  readonly place: RunPlace;
}

/** Returns the place of a child in its tree. */
export function placeOf({ path, through, seed }: RunPlace, directive: RunDirective): RunPlace {
  const { id, reasoner } = directive;
  return {
    path: childPath(path, id),
    through: [...through, reasoner],
    ...(seed === undefined ? {} : { seed: pairKey(seed, id) }),
  };
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
    runId: childRunId(rootId, path),
    prepared: true,
    ...(seed === undefined ? {} : { seed }),
    ...(begin.budget === undefined ? {} : { budget: begin.budget }),
  });
  return { event: { type: "start", at } as RunEvent, step, begin };
}

/**
 * Returns what the line of a child's start says, or why there can be no such child.
 * @param at the time of the step that issued the directive
 */
export function beginningOf(
  { reasoner, place }: Parent,
  { id, reasoner: name, input, budget }: RunDirective,
  at: number,
  options: Hiding & Pick<DriverOptions, "maxDepth">,
): { readonly reasoner: AnyReasoner; readonly begin: BeginRecord } | EffectError {
  const child = childNamed(reasoner, name);
  if (child === undefined) {
    return { code: "port.missing", message: `The run has no reasoner ${name}.` };
  }
  const depth = place.through.length;
  if (depth >= (options.maxDepth ?? DEFAULT_MAX_DEPTH)) {
    const message = `Runs may start runs ${depth} deep and no deeper; raise maxDepth.`;
    return { code: "run.depth", message };
  }
  if (exceeds(input, MAX_EVENT_LENGTH)) {
    const message = `The input of the child run ${id} has more than 8 MiB of JSON; store it elsewhere and pass where it is.`;
    return { code: "event.tooLarge", message };
  }
  try {
    const raw = { type: "start", at, input: preparedInput(child, input) } as const;
    const kept = redacted(options, raw) as typeof raw;
    checkSize(kept.input, "The input");
    return { reasoner: child, begin: beginOf(child, kept.input, budget) };
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
}

/** The input of a child as its definition completes it, before the redaction hook sees it. */
export function preparedInput(child: AnyReasoner, input: Json): Json {
  return toJson(child.prepare(input as never, false) ?? null, "input");
}

function beginOf(
  { id, version, fingerprint, configuration }: AnyReasoner,
  input: Json,
  budget: Budget | undefined,
): BeginRecord {
  return {
    reasoner: { id, version },
    fingerprint,
    configuration,
    input,
    ...(budget === undefined ? {} : { budget }),
  };
}

/**
 * The settlement of a child that has ended, or that rests and waits for nobody: nobody can send an event to
 * a child, so that its output so far is final.
 * @param usage what it has spent, its children included
 */
export function settlementOf(
  id: string,
  reasoner: AnyReasoner,
  state: RunState,
  usage: Usage,
): Settling {
  const known = { id, runId: state.runId, usage };
  const failed = (error: EffectError) => ({ type: "run.failed", ...known, error }) as const;
  const own = state as RunState<never>;
  const output = reasoner.output(own) as Json | undefined;
  switch (state.status) {
    case "active":
      return output === undefined
        ? failed({ code: "run.failed", message: "The child run rests and waits for nobody." })
        : fitting({ type: "run.succeeded", ...known, output }, failed);
    case "done":
      return fitting({ type: "run.succeeded", ...known, output: output ?? null }, failed);
    case "failed": {
      const code = state.fault?.code ?? printStateValue(state.value);
      const error = reasoner.error(own) ?? { code, message: `The run ended in ${code}.` };
      return fitting(failed(error), failed);
    }
    case "cancelled":
      return failed({ code: "run.cancelled", message: "The child run was cancelled." });
    default:
      throw new Error(`No settlement for ${JSON.stringify(state.status satisfies never)}`);
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
  const cost = (usage?.cost ?? 0) + ((spent as { readonly cost?: number }).cost ?? 0);
  return cost === 0 ? spent : ({ ...spent, cost } as Usage);
}

/** The usage of a run and of its children: what it spent itself, and what those that were cancelled did. */
export function wholeUsage(state: RunState, spent: Usage, lost: Usage): Usage {
  return addUsage(usageOf(state, spent), lost);
}
