/**
 * Drives a run to its end with a driver and a script, for the laws of live runs. Models, tools and people
 * answer by what they are asked and not by when, so that neither order nor repetition matters. Time is
 * virtual, and moves when nothing else does.
 */
import {
  type Attempt,
  type DriverOptions,
  type JournalFold,
  openDriver,
  openFold,
  type Path,
  type RunDriver,
  type Shown,
} from "../core/driver/index.js";
import { owedBy, type Reasoner, type RunState } from "../core/kernel/machine/index.js";
import { isReckonerError } from "../core/kernel/values/index.js";
import { type Effect, escapeId } from "../core/kernel/vocabulary/index.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import type { Script } from "./script.js";
import type { Written } from "./scripted-ports.js";
import { SimulatedDisk } from "./simulated-disk.js";
import { type AcceptedInput, type ProcessFaults, SimulatedProcess } from "./simulated-process.js";
import { upgradeLines } from "./upgrade-lines.js";

/** An effect that nobody has settled, and the run that owes it. */
export interface OwedInTree {
  readonly run: Path;
  readonly effect: Effect;
}

/** A scripted run that is over, or the part of it that one process drove. */
export interface LiveRun<Context> {
  /**
   * The end of the run, or that it waits. Absent where it had not ended within the bound, where its process died, or
   * where it could not go on.
   */
  readonly status: Exclude<RunState["status"], "active"> | "waiting" | undefined;
  /** The root's newest state; absent where no driver could be opened. */
  readonly state: RunState<Context> | undefined;
  /** All that is outstanding, in the root and in its children. */
  readonly owed: readonly OwedInTree[];
  /** The whole lines of the journal, of the processes before too. */
  readonly lines: readonly string[];
  /** The text of the journal, a torn line at its end included. */
  readonly text: string;
  /** All that observers were shown: each is durable. */
  readonly shown: readonly Shown<Context>[];
  /** The attempts that began, in order. */
  readonly started: readonly Attempt[];
  /** The script let the user speak, interrupt or cancel. */
  readonly disturbed: boolean;
  /** Calls of tools that began, in order, by run and directive: each attempt is one. */
  readonly begun: readonly string[];
  /** Those of them whose tools may not be repeated: each is there once, or something is wrong. */
  readonly begunOnce: readonly string[];
  /** Writes to stores that began, in order: under which key, and what was to be written. */
  readonly written: readonly Written[];
  /** The inputs from outside that were accepted. */
  readonly inputs: readonly AcceptedInput[];
  /** The reason why the run could not go on, where it was refused or its journal failed. */
  readonly thrown?: unknown;
}

/** The surroundings of a scripted run. */
export interface Around<Input, Output, Context> {
  /** The journal that it goes on from, which is written on. Without lines the run begins. */
  readonly disk?: SimulatedDisk | undefined;
  /** Default: nothing goes wrong, and all tools may be repeated. */
  readonly faults?: ProcessFaults | undefined;
  /** False where nobody reads the lines: then none are written. Default true. */
  readonly lines?: boolean | undefined;
  /** The code that wrote the journal, where the run is upgraded from it. */
  readonly before?: Reasoner<Input, Output, Context> | undefined;
}

/** The options with which folds read journals. */
const READING: DriverOptions = { approvals: "host" };

/** Folds the lines of a journal. @param reasoners the code of each configuration in it */
export function foldOf<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  lines: readonly string[],
  options: DriverOptions = READING,
): JournalFold<Context> {
  const fold = openFold(reasoners, options);
  for (const line of lines) fold.take(line);
  return fold;
}

/** Drives a reasoner through a script, or goes on from a journal. */
export function live<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  options: WorldOptions,
  { disk = new SimulatedDisk(), faults, before, lines = true }: Around<Input, Output, Context> = {},
): LiveRun<Context> {
  let process: SimulatedProcess<Input, Output, Context> | undefined;
  let thrown: unknown;
  try {
    if (before !== undefined && disk.lines.length > 0) {
      disk.append(upgradeLines(reasoner, before, disk.lines), "all");
    }
    process = new SimulatedProcess({
      ...{ reasoner, script, options, faults, disk },
      open(scripted, how, at, inFlight) {
        if (disk.lines.length === 0) {
          const run = { input, runId: "run", seed: "seed", at };
          return openDriver(scripted, run, { ...how, lines });
        }
        const old = before === undefined ? [] : [before];
        return foldOf([scripted, ...old], disk.lines, how).driver(inFlight);
      },
    });
    process.go();
    thrown = process.thrown;
  } catch (error) {
    if (faults === undefined || !isReckonerError(error)) throw error;
    thrown = error;
  }
  const state = process?.driver.state;
  const hasReturned = thrown === undefined && process?.hasReturned === true && state !== undefined;
  const status = state?.status === "active" ? "waiting" : state?.status;
  return {
    status: hasReturned ? status : undefined,
    state,
    owed: process === undefined ? [] : owedIn(process.driver),
    lines: [...disk.lines],
    text: disk.text,
    shown: process?.shown ?? [],
    started: process?.started ?? [],
    disturbed: process?.disturbed ?? false,
    begun: process?.begun ?? [],
    begunOnce: process?.begunOnce ?? [],
    written: process?.written ?? [],
    inputs: process?.inputs ?? [],
    ...(thrown === undefined ? {} : { thrown }),
  };
}

/** Lists all that is outstanding in the runs of a tree. */
function owedIn(driver: RunDriver<unknown>, run: Path = ""): readonly OwedInTree[] {
  const state = run === "" ? driver.state : driver.stateOf(run);
  if (state?.status !== "active") return [];
  return owedBy(state).flatMap((effect) => {
    const child = run === "" ? escapeId(effect.id) : `${run}:${escapeId(effect.id)}`;
    return [{ run, effect }, ...(effect.type === "run" ? owedIn(driver, child) : [])];
  });
}
