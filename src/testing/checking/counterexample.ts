/**
 * A counterexample: a run that breaks a law, printed as events and directives, and written as a
 * journal that every command opens.
 */
import { Recorder, recordUpgrade } from "../../core/journal/index.js";
import {
  printStep,
  printValue,
  type Reasoner,
  type RunState,
} from "../../core/kernel/machine/index.js";
import { type Json, toJson } from "../../core/kernel/values/index.js";
import type { RunEvent } from "../../core/kernel/vocabulary/index.js";
import type { Breach } from "./monitor.js";
import { treeJournal } from "./tree.js";
import type { Upgrading } from "./upgradable.js";
import { type HistoryStep, worldOrigin } from "./world.js";

/** A run that breaks a law. */
export interface Counterexample<Context = unknown> extends Breach {
  readonly input: Json;
  /** The events after the start, in order. */
  readonly events: readonly RunEvent[];
  /** The same with what it came to, the start first. */
  readonly steps: readonly HistoryStep<Context>[];
  /** Where it was found: the seed and the run, or the search. */
  readonly found: string;
  /** All of it as text for a person. */
  readonly text: string;
  /** The run as a journal: written to a file, `reckoner show`, `replay` and `graph` open it. */
  readonly journal: string;
}

/** The facts of its check that a counterexample's journal gets. */
interface Recorded extends Upgrading {
  readonly config?: string | undefined;
}

/** The width of a printed value. */
const WIDTH = 120;

/** Makes a counterexample of a run. */
export function counterexample<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  runInput: Input,
  steps: readonly HistoryStep<Context>[],
  breach: Breach,
  found: string,
  options: Recorded,
): Counterexample<Context> {
  const input = toJson<Json>(runInput ?? null, "$.input");
  const events = steps.slice(1).map(({ event }) => event);
  const count = `${events.length} ${events.length === 1 ? "event" : "events"}`;
  return {
    ...breach,
    input,
    events,
    steps,
    found,
    text: [
      `Broken: ${breach.law}`,
      `  ${breach.what.replaceAll("\n", "\n  ")}`,
      `  after ${count} from the input ${printValue(input, WIDTH)}; ${found}`,
      "",
      printSteps(steps),
    ].join("\n"),
    // Computed on first use.
    get journal() {
      const { state } = (steps[steps.length - 1] as HistoryStep<Context>).step;
      return treeJournal(state) ?? journalOf(reasoner, input, steps, options);
    },
  };
}

/** Steps as the events, directives and changes that a person reads. */
export function printSteps<Context>(steps: readonly HistoryStep<Context>[]): string {
  const printed = steps.map((taken) => {
    const printed = printStep(taken.event, taken.step, { width: WIDTH }).split("\n");
    const at = printed.findIndex((line) => line.startsWith("  =>"));
    printed.splice(at + 1, 0, ...changesOf(taken));
    return printed.join("\n");
  });
  return printed.join("\n");
}

/** The fields of the context that a step changed: `     refunded: 60 -> 120`. */
function changesOf<Context>({ before, step }: HistoryStep<Context>): readonly string[] {
  const was = fieldsOf(before?.context);
  return Object.entries(fieldsOf(step.state.context)).flatMap(([field, value]) => {
    const [old, now] = [was[field], value].map((each) => printValue(each, WIDTH / 2));
    if (old === now) return [];
    return [`     ${field}: ${was[field] === undefined ? "" : `${old} -> `}${now}`];
  });
}

const fieldsOf = (context: unknown) => (context ?? {}) as { readonly [field: string]: Json };

/** A run as the text of its journal. */
export function journalOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Json,
  steps: readonly HistoryStep<Context>[],
  { config, upgrade }: Recorded,
): string {
  const recorder = new Recorder();
  const { id, version, fingerprint } = reasoner;
  const later = upgrade as Reasoner<Input, Output, Context> | undefined;
  const header = recorder.header({
    ...worldOrigin,
    reasoner: { id, version },
    fingerprint,
    input,
    ...(config === undefined ? {} : { config }),
  });
  const lines = steps.flatMap(({ before, event, step }) => {
    // Steps after the end, and an upgrade that is refused, are no lines of a journal.
    if (step.ignored?.reason === "ended" || step.state === before) return [];
    const { version: now } = step.state;
    if (later !== undefined && before !== undefined && before.version !== now) {
      const to = { version: now, fingerprint: later.fingerprint };
      const from = { version, fingerprint };
      const carried = { at: event.at, from, to };
      return recordUpgrade(recorder, [
        { run: "", upgrade: carried, state: step.state as RunState },
      ]);
    }
    const code = later !== undefined && now === later.version ? later : reasoner;
    return recorder.event(code, toJson<Json>(event) as RunEvent, step, []);
  });
  return [header, ...lines].map(({ text }) => `${text}\n`).join("");
}
