/**
 * Live runs in a scripted world: model, tools and people answer from a script, by what they are
 * asked and not by when, so that neither order nor repetition matters. Time is virtual, and moves
 * when nothing else does.
 */
import {
  hashOf,
  isReckonerError,
  type Json,
  type LlmDirective,
  type Reasoner,
  type Tool,
  type ToolContext,
  toJson,
  withUpdate,
} from "../core/kernel/index.js";
import {
  type End,
  type HostOptions,
  ModelError,
  type ModelPort,
  type Observation,
  type Run,
  resume,
  run,
  type StorePort,
  type VirtualClock,
  virtualClock,
} from "../runtime/index.js";
import { spread } from "./checking/choose.js";
import { defaultSettlers } from "./checking/settlers.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import { choicesFor, type Script } from "./script.js";
import { type OnAppend, type TextJournal, textJournal } from "./text-journal.js";

/** A write to a store that began. */
export interface Written {
  readonly key: string;
  readonly operations: string;
}

/** A live run that is over. */
export interface LiveRun<Output, Context> {
  /** Absent where the run had not ended within the bound: then its journal refused to go on. */
  readonly end: End<Output, Context> | undefined;
  readonly journal: TextJournal;
  readonly observations: readonly Observation<Context>[];
  /** The script let the user speak or cancel. */
  readonly disturbed: boolean;
  /** Calls of tools that began, in order, by run and directive: each attempt is one. */
  readonly begun: readonly string[];
  /** Writes to stores that began, in order: under which key, and what was to be written. */
  readonly written: readonly Written[];
  /** Why the run could not go on, where its journal refused. */
  readonly thrown?: unknown;
}

/** What goes wrong around a live run. */
export interface AroundRun {
  readonly onAppend?: OnAppend;
  /** The clock jumps ahead by so many milliseconds after an event of this number. */
  readonly jumps?: ReadonlyMap<number, number>;
  /** Tools may be repeated as far as they say so themselves. Default: all may, since nothing happens. */
  readonly asTheyAre?: boolean;
}

/** How long answers take, in virtual milliseconds. */
const DELAYS: readonly number[] = [0, 0, 1, 2, 5, 50];
const START = 1_000;

/**
 * Runs a reasoner live, or goes on from a journal's text, or from those of a tree of runs.
 * @param before the code that wrote them, where the run is upgraded from it
 */
export async function live<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  options: WorldOptions,
  from?: ReadonlyMap<string, string>,
  around: AroundRun = {},
  before?: Reasoner<Input, Output, Context>,
): Promise<LiveRun<Output, Context>> {
  const clock = virtualClock(START);
  const journal = textJournal(from ?? "", around.onAppend);
  const observations: Observation<Context>[] = [];
  const begun: string[] = [];
  const written: Written[] = [];
  const world: Scripted = { script, options, clock, begun, asTheyAre: around.asTheyAre === true };
  const scripted = inScript(reasoner, world);
  const bound = options.bound ?? 200;
  let disturbed = false;
  const host: HostOptions = {
    model: scriptedModelPort(script, options, clock),
    clock,
    stores: scriptedStores(script, options, clock, written),
    approve: async (approval) => {
      const choose = choicesFor(script, approval.id);
      await clock.sleep(delayOf(script, approval.id));
      const { type: _type, ...decision } = (options.settlers?.approval ?? defaultSettlers.approval)(
        approval,
        choose,
      );
      return decision;
    },
    observers: [
      (observation) => {
        observations.push(observation as Observation<Context>);
        if (observation.type !== "step" || observation.state.status !== "active") return;
        clock.advance(around.jumps?.get(observation.seq) ?? 0);
        const move = script.moves[observation.seq] ?? 0;
        if (observation.seq >= bound) journal.halt();
        else if (move >= 245) {
          disturbed = true;
          if (move >= 253) going.cancel();
          else if (move >= 250) stopTurn(going, move === 250 ? 0 : 3);
          else going.message(`user message at ${observation.seq}`);
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
  try {
    const end = await drivenBy(clock, going, () => journal.asking);
    return { end, journal, observations, disturbed, begun, written };
  } catch (thrown) {
    if (!journal.halted && around.onAppend === undefined) throw thrown;
    return { end: undefined, journal, observations, disturbed, begun, written, thrown };
  }
}

/** Ends the present turn, where the machine has turns. @param graceMs for what runs */
function stopTurn(going: Pick<Run<unknown, unknown>, "interrupt">, graceMs: number): void {
  try {
    going.interrupt("Stop.", { graceMs });
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.code !== "run.notInterruptible") throw thrown;
  }
}

/** Awaits a run, moving the clock on whenever nothing happens any more. */
async function drivenBy<T>(
  clock: VirtualClock,
  awaited: PromiseLike<T>,
  waits: () => boolean,
): Promise<T> {
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
      if (over) break;
      idle = waits() || clock.jump() ? 0 : idle + 1;
      if (idle > 1_000) throw new Error("The run neither goes on nor ends nor waits for a time.");
    }
    return await outcome;
  } finally {
    port.close();
  }
}

function delayOf(script: Script, key: string): number {
  const { moves } = script;
  if (moves.length === 0) return 0;
  return DELAYS[(moves[spread(key) % moves.length] as number) % DELAYS.length] as number;
}

function scriptedModelPort(script: Script, options: WorldOptions, clock: VirtualClock): ModelPort {
  return {
    name: "scripted world",
    async generate(request, { signal, onDelta }) {
      // A port is not told the directive's id; the request is as good a name.
      const id = `llm/${hashOf(toJson(request))}`;
      // Something has streamed when it is stopped.
      onDelta({ type: "text", text: "as far " });
      onDelta({ type: "text", text: "as it came" });
      await clock.sleep(delayOf(script, id), signal);
      const directive: LlmDirective = { type: "llm", id, ...request };
      const settler = options.settlers?.llm ?? defaultSettlers.llm;
      const answer = settler(directive, choicesFor(script, id));
      if (answer.type === "llm.failed") throw new ModelError(answer.error);
      const { type: _type, ...response } = answer;
      return response;
    },
  };
}

/** Stores that answer from the script; they remember nothing but what they were told to write. */
function scriptedStores(
  script: Script,
  { settlers, stores = [] }: WorldOptions,
  clock: VirtualClock,
  written: Written[],
): { readonly [name: string]: StorePort } {
  const portOf = (name: string): StorePort => ({
    name,
    async read(query, { signal }) {
      // A port is not told the directive's id; what is asked is as good a name.
      const id = `read/${hashOf(query)}`;
      await clock.sleep(delayOf(script, id), signal);
      const directive = { type: "read" as const, id, store: name, query };
      const answer = (settlers?.read ?? defaultSettlers.read)(directive, choicesFor(script, id));
      if (answer.type === "read.failed") throw new Error(answer.error.message);
      return answer.value;
    },
    async write(operations, { signal, idempotencyKey }) {
      written.push({ key: idempotencyKey, operations: JSON.stringify(operations) });
      await clock.sleep(delayOf(script, idempotencyKey), signal);
      const directive = { type: "write" as const, id: idempotencyKey, store: name, operations };
      const choose = choicesFor(script, idempotencyKey);
      const answer = (settlers?.write ?? defaultSettlers.write)(directive, choose);
      if (answer.type === "write.failed") throw new Error(answer.error.message);
      return answer.value ?? null;
    },
  });
  return Object.fromEntries(stores.map((name) => [name, portOf(name)]));
}

/** The world of a live run, as its tools see it. */
interface Scripted {
  readonly script: Script;
  readonly options: WorldOptions;
  readonly clock: VirtualClock;
  readonly begun: string[];
  readonly asTheyAre: boolean;
}

/** A reasoner, and its children, with tools that do what the script says. */
function inScript<Of extends Pick<Reasoner, "tools" | "children">>(
  reasoner: Of,
  world: Scripted,
): Of {
  const children = Object.entries(reasoner.children).map(([name, child]) => [
    name,
    inScript(child, world),
  ]);
  const tools = scriptedTools(reasoner, world);
  return { ...reasoner, tools, children: Object.fromEntries(children) };
}

/** The reasoner's tools with their effects scripted. */
function scriptedTools(
  reasoner: Pick<Reasoner, "tools">,
  { script, options, clock, begun, asTheyAre }: Scripted,
): Reasoner["tools"] {
  const execute = (tool: Tool) => async (input: unknown, context: ToolContext) => {
    const { id, idempotencyKey } = context;
    begun.push(idempotencyKey);
    await clock.sleep(delayOf(script, id), context.signal as AbortSignal);
    const settler = options.settlers?.tool ?? defaultSettlers.tool;
    const directive = { type: "tool" as const, id, name: tool.name, input: input as Json };
    const answer = settler(directive, choicesFor(script, id));
    if (answer.type === "tool.succeeded") return withUpdate(answer.output, answer.update ?? []);
    if (answer.reason === "timeout" || answer.reason === "unknown") {
      await clock.sleep(tool.timeoutMs * 2, context.signal as AbortSignal);
    }
    throw new Error(answer.error.message);
  };
  return Object.fromEntries(
    Object.entries(reasoner.tools).map(([name, tool]) => {
      if (tool.kind !== "execute") return [name, tool];
      const again = asTheyAre ? {} : { idempotent: true, retries: 1 };
      return [name, { ...tool, ...again, execute: execute(tool) } as Tool];
    }),
  );
}
