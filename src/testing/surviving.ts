/**
 * `surviving`: leads a run through a fault plan: one process after the other, until one completes
 * it.
 */

import { messageOf, printStep, type Reasoner, ReckonerError } from "../core/kernel/index.js";
import { checkPlan } from "./check-plan.js";
import type { FaultPlan, StorageFailure } from "./fault-plan.js";
import type { LawOptions } from "./property-law.js";
import type { Script } from "./script.js";
import { type AroundRun, innermost, type LiveRun, live } from "./scripted-host.js";
import {
  type AppendFault,
  type CallFailure,
  partOf,
  type SnapshotTexts,
  type TextJournalOptions,
} from "./text-journal.js";

/** One process of a run, and the texts of the journals that it went on from; it may begin the run. */
export interface Process<Output, Context> extends LiveRun<Output, Context> {
  readonly from: ReadonlyMap<string, string> | undefined;
}

/** All processes of one run, one after the other. */
export interface Survived<Output, Context> {
  readonly processes: readonly Process<Output, Context>[];
  /** The last process, around which nothing goes wrong but its clock. */
  readonly last: LiveRun<Output, Context>;
}

/** Runs a reasoner through a plan of faults, resuming it after each, until nothing goes wrong any more. */
export async function surviving<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  plan: FaultPlan,
  options: LawOptions<Input>,
): Promise<Survived<Output, Context>> {
  checkPlan(plan);
  const { crashes = [], failure, takeover, calls, decisions, jumps = [], stands } = plan;
  const { upgrade = Number.POSITIVE_INFINITY } = plan;
  const renamed = underAnotherName(reasoner);
  const snapshots: SnapshotTexts = new Map();
  const processes: Process<Output, Context>[] = [];
  let texts: ReadonlyMap<string, string> | undefined;
  const clock = { jumps, ...(stands === undefined ? {} : { stands }) };
  const troubled: AroundRun = {
    ...clock,
    ...(calls === undefined ? {} : { calls }),
    ...(decisions === undefined ? {} : { decisions }),
  };
  /** One process; from some number on with the new code. */
  const process = async (around: AroundRun, from: ReadonlyMap<string, string> | undefined) => {
    const isNew = processes.length >= upgrade;
    const code = isNew ? renamed : reasoner;
    const before = isNew ? reasoner : undefined;
    const lived = await live(code, input, script, options, from, { ...around, snapshots }, before);
    processes.push({ ...lived, from });
    return lived;
  };
  const go = async (around: AroundRun) => {
    // A header that is torn is no journal yet: the run begins anew.
    const begun = texts !== undefined && (texts.get("") ?? "").includes("\n");
    const lived = await process(around, begun ? texts : undefined);
    texts = new Map(lived.journal.texts);
    return lived;
  };
  for (const crash of crashes) {
    const died = new Error("The process died.");
    const onAppend = (number: number, text: string): AppendFault | undefined =>
      crash.in === "append" && number === crash.at
        ? { written: partOf(text, crash.reached), error: died }
        : undefined;
    await go({ ...troubled, crash, onAppend });
  }
  if (failure !== undefined) await go({ ...troubled, ...failing(failure) });
  if (takeover !== undefined) {
    const onAppend = async (number: number, _text: string, all: Map<string, string>) => {
      if (number !== takeover || !(all.get("") ?? "").includes("\n")) return undefined;
      const other = await process(clock, new Map(all));
      const moved = other.journal.text !== all.get("");
      for (const [path, text] of other.journal.texts) all.set(path, text);
      if (!moved) return undefined;
      return {
        written: "",
        error: new ReckonerError("journal.conflict", "Another process went on."),
      };
    };
    await go({ ...troubled, onAppend });
  }
  if (calls !== undefined || decisions !== undefined) await go(troubled);
  const last = await go(clock);
  return { processes, last };
}

/** All that happened to a run, process by process, as events and directives that a person reads. */
export function printSurvived<Output, Context>({ processes }: Survived<Output, Context>): string {
  return processes
    .map(({ end, thrown, observations }, i) => {
      const died = thrown === undefined ? "it died" : messageOf(thrown);
      const steps = observations.flatMap((seen) => {
        const [path, inner] = innermost(seen);
        if (inner.type !== "step") return [];
        const { event, ...step } = inner;
        return `${path === "" ? "" : `in ${path}: `}${printStep(event, step, { width: 120 })}`;
      });
      return [`process ${i}: ${end?.status ?? died}`, ...steps].join("\n");
    })
    .join("\n");
}

/** One call of a journal that fails. */
function failing(failure: StorageFailure): TextJournalOptions {
  const { at, code, reached } = failure;
  const error = Object.assign(new Error(`${code}: it failed`), { code });
  let number = 0;
  const onCall = (call: string): CallFailure | undefined => {
    if (call !== failure.in) return undefined;
    return number++ === at ? { reached, error } : undefined;
  };
  const onAppend = (append: number, text: string): AppendFault | undefined =>
    failure.in === "append" && append === at
      ? { written: partOf(text, reached), error }
      : undefined;
  return { onCall, onAppend };
}

/** A reasoner that does the same under another configuration, and its children. */
export function underAnotherName<Of extends Pick<Reasoner, "fingerprint" | "children">>(
  reasoner: Of,
): Of {
  const children = Object.entries(reasoner.children).map(([name, child]) => [
    name,
    underAnotherName(child),
  ]);
  const fingerprint = `${reasoner.fingerprint} by another name`;
  return { ...reasoner, fingerprint, children: Object.fromEntries(children) };
}
