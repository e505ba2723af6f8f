/** The ports of a scripted environment: models, stores and tools that answer from its script. */
import {
  hashOf,
  type Json,
  type LlmDirective,
  type Reasoner,
  type Tool,
  type ToolContext,
  toJson,
  withUpdate,
} from "../core/kernel/index.js";
import { ModelError, type ModelPort, type StorePort, type VirtualClock } from "../runtime/index.js";
import { spread } from "./checking/choose.js";
import { defaultSettlers } from "./checking/settlers.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import type { FaultyCalls } from "./faulty-calls.js";
import { choicesFor, type Script } from "./script.js";

/** A write to a store that began. */
export interface Written {
  readonly key: string;
  readonly operations: string;
}

/** The world of a live run. */
export interface Scripted {
  readonly script: Script;
  readonly options: WorldOptions;
  readonly clock: VirtualClock;
  /** The faults of its calls. */
  readonly calls: FaultyCalls;
  /** Calls of tools that began. */
  readonly begun: string[];
  /** Those of them whose tools may not be repeated. */
  readonly begunOnce: string[];
  /** Writes to stores that began. */
  readonly written: Written[];
  /** Tools may be repeated as far as they say so themselves; else all may, since nothing happens. */
  readonly asTheyAre: boolean;
}

/** The delays of answers, in virtual milliseconds. */
const DELAYS: readonly number[] = [0, 0, 1, 2, 5, 50];

/** Returns the delay of an answer, by its question. */
export function delayOf({ moves }: Script, key: string): number {
  if (moves.length === 0) return 0;
  return DELAYS[(moves[spread(key) % moves.length] as number) % DELAYS.length] as number;
}

/** The model. */
export function scriptedModel({ script, options, clock, calls }: Scripted): ModelPort {
  return {
    name: "scripted world",
    generate(request, { signal, onDelta }) {
      // A port is not told the directive's id; the request is as good a name.
      const id = `llm/${hashOf(toJson(request))}`;
      const generate = async () => {
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
      };
      return calls.call({
        ask: generate,
        again: () => onDelta({ type: "text", text: "once more" }),
        broken: (message) => new ModelError({ code: "llm.failed", message, transient: true }),
      });
    },
  };
}

/** Stores that answer from the script; they remember nothing but what they were told to write. */
export function scriptedStores({ script, options, clock, calls, written }: Scripted): {
  readonly [name: string]: StorePort;
} {
  const { settlers, stores = [] } = options;
  const portOf = (name: string): StorePort => ({
    name,
    read(query, { signal }) {
      // A port is not told the directive's id; what is asked is as good a name.
      const id = `read/${hashOf(query)}`;
      const ask = async () => {
        await clock.sleep(delayOf(script, id), signal);
        const directive = { type: "read" as const, id, store: name, query };
        const answer = (settlers?.read ?? defaultSettlers.read)(directive, choicesFor(script, id));
        if (answer.type === "read.failed") throw new Error(answer.error.message);
        return answer.value;
      };
      return calls.call({ ask });
    },
    write(operations, { signal, idempotencyKey }) {
      const ask = async () => {
        written.push({ key: idempotencyKey, operations: JSON.stringify(operations) });
        await clock.sleep(delayOf(script, idempotencyKey), signal);
        const directive = { type: "write" as const, id: idempotencyKey, store: name, operations };
        const choose = choicesFor(script, idempotencyKey);
        const answer = (settlers?.write ?? defaultSettlers.write)(directive, choose);
        if (answer.type === "write.failed") throw new Error(answer.error.message);
        return answer.value ?? null;
      };
      return calls.call({ ask });
    },
  });
  return Object.fromEntries(stores.map((name) => [name, portOf(name)]));
}

/** A reasoner, and its children, with tools that do what the script says. */
export function inScript<Of extends Pick<Reasoner, "tools" | "children">>(
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
  { script, options, clock, calls, begun, begunOnce, asTheyAre }: Scripted,
): Reasoner["tools"] {
  const execute = (tool: Tool) => (input: unknown, context: ToolContext) => {
    const { id, idempotencyKey } = context;
    const signal = context.signal as AbortSignal;
    const ask = async () => {
      begun.push(idempotencyKey);
      if (!tool.idempotent && tool.retries === 0) begunOnce.push(idempotencyKey);
      await clock.sleep(delayOf(script, id), signal);
      const settler = options.settlers?.tool ?? defaultSettlers.tool;
      const directive = { type: "tool" as const, id, name: tool.name, input: input as Json };
      const answer = settler(directive, choicesFor(script, id));
      if (answer.type === "tool.succeeded") return withUpdate(answer.output, answer.update ?? []);
      if (answer.reason === "timeout" || answer.reason === "unknown") {
        await clock.sleep(tool.timeoutMs * 2, signal);
      }
      throw new Error(answer.error.message);
    };
    return calls.call({ ask });
  };
  return Object.fromEntries(
    Object.entries(reasoner.tools).map(([name, tool]) => {
      if (tool.kind !== "execute") return [name, tool];
      const again = asTheyAre ? {} : { idempotent: true, retries: 1 };
      return [name, { ...tool, ...again, execute: execute(tool) } as Tool];
    }),
  );
}
