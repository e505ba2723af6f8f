/**
 * Live runs in a scripted environment. Models, tools and people answer by what they are asked and
 * not by when, so that neither order nor repetition matters. Time is virtual, and moves when
 * nothing else does. Faults come from a fault plan.
 */
import {
  type ApprovalDirective,
  escapeId,
  isReckonerError,
  pairKey,
  type Reasoner,
  splitPair,
} from "../core/kernel/index.js";
import {
  type End,
  type HostOptions,
  type Observation,
  past,
  type Run,
  resume,
  run,
  type VirtualClock,
  virtualClock,
} from "../runtime/index.js";
import { defaultSettlers } from "./checking/settlers.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import type { FaultPlan } from "./fault-plan.js";
import { type CallPlan, FaultyCalls } from "./faulty-calls.js";
import { faultyClock } from "./faulty-clock.js";
import { choicesFor, type Script } from "./script.js";
import {
  delayOf,
  inScript,
  type Scripted,
  scriptedModel,
  scriptedStores,
  type Written,
} from "./scripted-ports.js";
import { type TextJournal, type TextJournalOptions, textJournal } from "./text-journal.js";

/** Something that a live run was told from outside, and took. */
export interface AcceptedInput {
  readonly type: "approval.decided" | "message";
  /** The ids that lead to the run whose it is, with a space between them. */
  readonly path: string;
  /** The id of the approval, or what the user said. */
  readonly what: string;
}

/** A live run that is over. */
export interface LiveRun<Output, Context> {
  /**
   * Absent where the run had not ended within the bound (then its journal refused to go on), where its
   * process died, or where it was refused.
   */
  readonly end: End<Output, Context> | undefined;
  readonly journal: TextJournal;
  readonly observations: readonly Observation<Context>[];
  /** The script let the user speak or cancel. */
  readonly disturbed: boolean;
  /** Calls of tools that began, in order, by run and directive: each attempt is one. */
  readonly begun: readonly string[];
  /** Those of them whose tools may not be repeated: each is there once, or something is wrong. */
  readonly begunOnce: readonly string[];
  /** Writes to stores that began, in order: under which key, and what was to be written. */
  readonly written: readonly Written[];
  /** The inputs from outside that were accepted. */
  readonly told: readonly AcceptedInput[];
  /** The reason why the run could not go on, where it was refused or its journal failed. */
  readonly thrown?: unknown;
}

/** The faults around a live run. Its tools may be repeated as far as they say so themselves. */
export interface AroundRun
  extends TextJournalOptions,
    CallPlan,
    Pick<FaultPlan, "jumps" | "stands" | "decisions"> {}

const START = 1_000;

/**
 * Runs a reasoner live, or goes on from a journal's text, or from those of a tree of runs.
 * @param around what goes wrong. Default: nothing, and all tools may be repeated
 * @param before the code that wrote them, where the run is upgraded from it
 */
export async function live<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  options: WorldOptions,
  from?: ReadonlyMap<string, string>,
  around?: AroundRun,
  before?: Reasoner<Input, Output, Context>,
): Promise<LiveRun<Output, Context>> {
  // Loading takes real time, in which nothing moves: the turns below would count as idle ones.
  await past();
  const clock = virtualClock(START);
  const journal = textJournal(from ?? "", around);
  const calls = new FaultyCalls(around ?? {}, clock, () => journal.halt());
  const observations: Observation<Context>[] = [];
  const begun: string[] = [];
  const begunOnce: string[] = [];
  const written: Written[] = [];
  const told: AcceptedInput[] = [];
  const world: Scripted = {
    script,
    options,
    clock,
    calls,
    begun,
    begunOnce,
    written,
    asTheyAre: around !== undefined,
  };
  const scripted = inScript(reasoner, world);
  const bound = options.bound ?? 200;
  const skewed = faultyClock(clock, calls, around);
  const { decisions } = around ?? {};
  let asked = 0;
  let disturbed = false;
  const decisionOn = (approval: ApprovalDirective) => {
    const settler = options.settlers?.approval ?? defaultSettlers.approval;
    const { type: _type, ...decision } = settler(approval, choicesFor(script, approval.id));
    return decision;
  };
  /** Decides from outside; what is refused is no fault. */
  const decide = (approval: ApprovalDirective, path: string) => {
    if (calls.dead) return;
    const { id } = approval;
    const outside = path.split(" ").reduceRight((inner, child) => {
      return child === "" ? inner : pairKey(child, inner);
    }, escapeId(id));
    try {
      going.decide(outside, decisionOn(approval));
      told.push({ type: "approval.decided", path, what: id });
    } catch (thrown) {
      if (!isReckonerError(thrown)) throw thrown;
    }
  };
  const approve: HostOptions["approve"] = (approval) =>
    calls.call({
      ask: async () => {
        await clock.sleep(delayOf(script, approval.id));
        return decisionOn(approval);
      },
      again: () => decide(approval, ""),
    });
  const host: HostOptions = {
    model: scriptedModel(world),
    clock: skewed.clock,
    stores: scriptedStores(world),
    ...(decisions === undefined ? { approve } : {}),
    observers: [
      (observation) => {
        if (!calls.observes()) return;
        observations.push(observation as Observation<Context>);
        const [path, seen] = innermost(observation);
        if (seen.type === "step" && decisions !== undefined) {
          for (const directive of seen.directives) {
            if (directive.type !== "approval") continue;
            const turns = decisions[asked++];
            if (turns !== undefined) later(turns, () => decide(directive, path));
          }
        }
        if (observation.type !== "step" || observation.state.status !== "active") return;
        const { seq } = observation;
        skewed.after(seq);
        const move = script.moves[seq] ?? 0;
        if (seq >= bound) journal.halt();
        else if (move >= 245) {
          disturbed = true;
          if (move >= 253) going.cancel();
          else if (move >= 250) stopTurn(going, move === 250 ? 0 : 3);
          else {
            const what = `user message at ${seq}`;
            going.message(what);
            told.push({ type: "message", path: "", what });
          }
        }
      },
    ],
  };
  const going =
    from === undefined
      ? run(scripted, input, { ...host, journal, runId: "run", seed: "seed" })
      : before === undefined
        ? resume(scripted, journal, host)
        : resume([scripted, inScript(before, world)], journal, {
            ...host,
            upgrade: true,
          });
  const lived = { journal, observations, begun, begunOnce, written, told };
  try {
    const end = await drivenBy(clock, going, calls, () => journal.asking);
    return { ...lived, end, disturbed };
  } catch (thrown) {
    const expected = journal.halted || (around !== undefined && isReckonerError(thrown));
    if (!expected) throw thrown;
    return { ...lived, end: undefined, disturbed, thrown };
  }
}

/** Returns the innermost observation, and the ids that lead to the run in which it was made. */
export function innermost(seen: Observation, path = ""): [string, Observation] {
  if (seen.type !== "child") return [path, seen];
  const id = (splitPair(seen.runId) ?? ["", ""])[1];
  return innermost(seen.observation, path === "" ? id : `${path} ${id}`);
}

/** Does something so many turns of the microtask queue later. */
function later(turns: number, act: () => void): void {
  if (turns === 0) act();
  else void Promise.resolve().then(() => later(turns - 1, act));
}

/** Ends the present turn, where the machine has turns. @param graceMs for what runs */
function stopTurn(going: Pick<Run<unknown, unknown>, "interrupt">, graceMs: number): void {
  try {
    going.interrupt("Stop.", { graceMs });
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.code !== "run.notInterruptible") throw thrown;
  }
}

/**
 * Awaits a run, moving the clock on whenever nothing happens any more.
 * @returns nothing where its process has died, or waits for what never comes
 */
export async function drivenBy<T>(
  clock: VirtualClock,
  awaited: PromiseLike<T>,
  calls: FaultyCalls,
  waits: () => boolean,
): Promise<T | undefined> {
  const channel = new MessageChannel();
  // Typings of platforms differ in how a port is listened to; platforms do not.
  const port = channel.port1 as unknown as { onmessage: (() => void) | null; close(): void };
  /** A turn of the event loop: all that was to happen at this time has happened. */
  const turn = () =>
    new Promise<void>((resolve) => {
      port.onmessage = () => resolve();
      channel.port2.postMessage(0);
    });
  let over = false;
  const outcome = Promise.resolve(awaited).finally(() => {
    over = true;
  });
  outcome.catch(() => {});
  try {
    for (let idle = 0; !over; ) {
      await turn();
      if (calls.dead) return undefined;
      if (over) break;
      idle = waits() || clock.jump() ? 0 : idle + 1;
      if (idle > 20 && calls.hangs) calls.die();
      if (idle > 1_000) throw new Error("The run neither goes on nor ends nor waits for a time.");
    }
    return await outcome;
  } finally {
    port.close();
  }
}
