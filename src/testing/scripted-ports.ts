/** The ports of a scripted environment: models, stores and tools that answer from its script. */

import type { Reasoner } from "../core/kernel/machine/index.js";
import { hashOf, type Json } from "../core/kernel/values/index.js";
import {
  type LlmDirective,
  type Tool,
  type ToolContext,
  withUpdate,
} from "../core/kernel/vocabulary/index.js";
import { ModelError, type ModelPort, type StorePort } from "../runtime/index.js";
import { spread } from "./checking/choose.js";
import { defaultSettlers } from "./checking/settlers.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import { choicesFor, type Script } from "./script.js";

/** A write to a store that began. */
export interface Written {
  readonly key: string;
  readonly operations: string;
}

/** A call that a port makes. */
export interface PortCall<T> {
  /** Names the call among all of a tree. */
  readonly key: string;
  /** Virtual milliseconds that it takes. */
  readonly ms: number;
  readonly signal: () => AbortSignal | undefined;
  /** Has its effect, and answers or throws. */
  ask(): T;
  /** Makes the error of a lost connection. */
  broken?(message: string): Error;
}

/** The world of a scripted run. */
export interface Scripted {
  readonly script: Script;
  readonly options: WorldOptions;
  /** Makes a call: at once, or by a promise where time passes by itself. */
  call<T>(call: PortCall<T>): T | Promise<T>;
  /** True if a model streams before it answers. */
  readonly streams: boolean;
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

/** The text that a model has streamed when it is stopped. */
export const STREAMED: readonly string[] = ["as far ", "as it came"];

/** The model. */
export function scriptedModel({ script, options, call, streams }: Scripted): ModelPort {
  return {
    name: "scripted world",
    generate(request, asked) {
      const { id, idempotencyKey } = asked;
      for (const text of streams ? STREAMED : []) asked.onDelta({ type: "text", text });
      return call({
        key: idempotencyKey,
        ms: delayOf(script, idempotencyKey),
        signal: () => asked.signal,
        ask() {
          const directive: LlmDirective = { type: "llm", id, ...request };
          const settler = options.settlers?.llm ?? defaultSettlers.llm;
          const answer = settler(directive, choicesFor(script, idempotencyKey));
          if (answer.type === "llm.failed") throw new ModelError(answer.error);
          const { type: _type, ...response } = answer;
          return response;
        },
        broken: (message) => new ModelError({ code: "llm.failed", message, transient: true }),
      }) as ReturnType<ModelPort["generate"]>;
    },
  };
}

/** Stores that answer from the script; they remember nothing but what they were told to write. */
export function scriptedStores({ script, options, call, written }: Scripted): {
  readonly [name: string]: StorePort;
} {
  const { settlers, stores = [] } = options;
  const portOf = (name: string): StorePort => ({
    name,
    read(query, { signal }) {
      // A port is not told the directive's id; what is asked is as good a name.
      const id = `read/${hashOf(query)}`;
      const directive = { type: "read" as const, id, store: name, query };
      const ask = () => {
        const answer = (settlers?.read ?? defaultSettlers.read)(directive, choicesFor(script, id));
        if (answer.type === "read.failed") throw new Error(answer.error.message);
        return answer.value;
      };
      return call({ key: id, ms: delayOf(script, id), signal: () => signal, ask }) as Promise<Json>;
    },
    write(operations, { signal, idempotencyKey: id }) {
      const directive = { type: "write" as const, id, store: name, operations };
      const ask = () => {
        written.push({ key: id, operations: JSON.stringify(operations) });
        const choose = choicesFor(script, id);
        const answer = (settlers?.write ?? defaultSettlers.write)(directive, choose);
        if (answer.type === "write.failed") throw new Error(answer.error.message);
        return answer.value ?? null;
      };
      return call({ key: id, ms: delayOf(script, id), signal: () => signal, ask }) as Promise<Json>;
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
  { script, options, call, begun, begunOnce, asTheyAre }: Scripted,
): Reasoner["tools"] {
  const execute = (tool: Tool) => (input: unknown, context: ToolContext) => {
    const { id, idempotencyKey } = context;
    const settler = options.settlers?.tool ?? defaultSettlers.tool;
    const directive = { type: "tool" as const, id, name: tool.name, input: input as Json };
    const answer = settler(directive, choicesFor(script, id));
    const isSlow =
      answer.type === "tool.failed" && (answer.reason === "timeout" || answer.reason === "unknown");
    const ask = () => {
      begun.push(idempotencyKey);
      if (!tool.idempotent && tool.retries === 0) begunOnce.push(idempotencyKey);
      if (answer.type === "tool.succeeded") return withUpdate(answer.output, answer.update ?? []);
      throw new Error(answer.error.message);
    };
    const ms = delayOf(script, id) + (isSlow ? tool.timeoutMs * 2 : 0);
    const signal = () => context.signal as AbortSignal;
    return call<unknown>({ key: idempotencyKey, ms, signal, ask });
  };
  return Object.fromEntries(
    Object.entries(reasoner.tools).map(([name, tool]) => {
      if (tool.kind !== "execute") return [name, tool];
      const again = asTheyAre ? {} : { idempotent: true, retries: 1 };
      return [name, { ...tool, ...again, execute: execute(tool) } as Tool];
    }),
  );
}
