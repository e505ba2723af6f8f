/**
 * `surviving`: runs a reasoner through a fault plan. Each process that fails is followed by one that resumes
 * its journal, until one completes the run; the laws under faults judge the result.
 */

import { printStep, type Reasoner } from "../core/kernel/machine/index.js";
import { messageOf } from "../core/kernel/values/index.js";
import { checkPlan } from "./check-plan.js";
import type { FaultPlan } from "./fault-plan.js";
import type { LawOptions } from "./property-law.js";
import type { Script } from "./script.js";
import { type LiveRun, live } from "./scripted-host.js";
import { SimulatedDisk } from "./simulated-disk.js";
import type { ProcessFaults } from "./simulated-process.js";

/** One process of a run, and the lines that it went on from; without any it began the run. */
export interface Process<Context> extends LiveRun<Context> {
  readonly from: readonly string[];
}

/** All processes of one run, one after the other. */
export interface Survived<Context> {
  readonly processes: readonly Process<Context>[];
  /** The last process, around which nothing goes wrong but its clock. */
  readonly last: Process<Context>;
}

/** Runs a reasoner through a plan of faults, resuming it after each, until nothing goes wrong any more. */
export function surviving<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  plan: FaultPlan,
  options: LawOptions<Input>,
): Survived<Context> {
  checkPlan("surviving", plan, options);
  const { crashes = [], takeover, calls, decisions, handovers, jumps, stands } = plan;
  const { upgrade = Number.POSITIVE_INFINITY } = plan;
  const renamed = underAnotherName(reasoner);
  const processes: Process<Context>[] = [];
  const clock: ProcessFaults = { jumps, stands };
  const troubled: ProcessFaults = { ...clock, calls, decisions, handovers };
  // Each process goes on with a disk of its own, so that what a dead one has left stays as it was.
  let disk = new SimulatedDisk();
  /** One process; from some number on with the new code. */
  const process = (faults: ProcessFaults, on: SimulatedDisk): Process<Context> => {
    const from = [...on.lines];
    const isNew = processes.length >= upgrade;
    const around = { disk: on, faults, ...(isNew ? { before: reasoner } : {}) };
    const lived = live(isNew ? renamed : reasoner, input, script, options, around);
    const ended = { ...lived, from };
    processes.push(ended);
    return ended;
  };
  const go = (faults: ProcessFaults): Process<Context> => {
    disk = new SimulatedDisk(disk);
    return process(faults, disk);
  };
  for (const crash of crashes) go({ ...troubled, crash });
  if (takeover !== undefined) {
    const other = () => {
      if (disk.lines.length > 0) process(clock, disk);
    };
    go({ ...troubled, takeover: { at: takeover, go: other } });
  }
  if (calls !== undefined || decisions !== undefined || handovers !== undefined) go(troubled);
  const last = go(clock);
  return { processes, last };
}

/** All that happened to a run, process by process, as events and directives that a person reads. */
export function printSurvived<Context>({ processes }: Survived<Context>): string {
  return processes
    .map(({ status, thrown, shown }, i) => {
      const died = thrown === undefined ? "it died" : messageOf(thrown);
      const steps = shown.flatMap((each) => {
        if (each.type !== "step") return [];
        const { run, event, step } = each;
        return `${run === "" ? "" : `in ${run}: `}${printStep(event, step, { width: 120 })}`;
      });
      return [`process ${i}: ${status ?? died}`, ...steps].join("\n");
    })
    .join("\n");
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
