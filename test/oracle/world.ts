// The scripted world of one process: its model, tools, stores and approver, each of whose calls takes
// virtual time and comes to something by chance. It notes which calls were made, and how each ended.
import {
  type ApprovalDecision,
  type Approver,
  type AssistantPart,
  type Message,
  ModelError,
  type ModelPort,
  type ModelRequest,
  type StorePort,
  type VirtualClock,
} from "reckoner";
import { type Chance, chanceOf, oneOf, whole } from "./chance.js";
import { type Life, never } from "./disk.js";
import type { ModelScript } from "./scenario.js";

/** A call of a port: whose run, which, when, and how it ended. */
export interface Called {
  /** The run's id; absent where the port is not told it. */
  readonly runId?: string;
  readonly what: string;
  readonly from: number;
  until?: number;
  how: "open" | "returned" | "threw" | "aborted";
}

/** What a call is, and comes to. */
interface Plan<T> {
  readonly runId?: string;
  readonly what: string;
  readonly ms: number;
  /** Absent where the call does not listen. */
  readonly signal?: AbortSignal | undefined;
  readonly outcome: () => T;
}

/** What a call of a tool is told. */
export interface ToolCall {
  readonly runId: string;
  readonly id: string;
  readonly retry: number;
  readonly signal: unknown;
}

/** How a scripted tool behaves. */
export interface ToolScript {
  readonly name: string;
  readonly ms: readonly [number, number];
  /** Share of the attempts that throw. */
  readonly fails?: number;
  /** It goes on when it is told to stop. */
  readonly deaf?: boolean;
}

/** One process's world. */
export class World {
  readonly calls: Called[] = [];
  readonly #seed: string;
  readonly #clock: VirtualClock;
  readonly #life: Life;
  /** The call with which it dies. */
  readonly #last: number | undefined;

  constructor(seed: string, clock: VirtualClock, life: Life, last?: number) {
    this.#seed = seed;
    this.#clock = clock;
    this.#life = life;
    this.#last = last;
  }

  /** A call of a port. */
  async #call<T>({ runId, what, ms, signal, outcome }: Plan<T>): Promise<T> {
    if (this.#life.dead) return never();
    const from = this.#clock.now();
    const called: Called = { ...(runId === undefined ? {} : { runId }), what, from, how: "open" };
    this.calls.push(called);
    if (this.calls.length === this.#last) {
      this.#life.dead = true;
      return never();
    }
    const over = (how: Called["how"]) => Object.assign(called, { how, until: this.#clock.now() });
    try {
      await this.#clock.sleep(ms, signal);
    } catch (thrown) {
      over("aborted");
      throw thrown;
    }
    if (this.#life.dead) return never();
    try {
      const value = outcome();
      over("returned");
      return value;
    } catch (thrown) {
      over("threw");
      throw thrown;
    }
  }

  /** An attempt of a tool. */
  tool(script: ToolScript, input: unknown, call: ToolCall): Promise<unknown> {
    const { name, ms, fails = 0, deaf = false } = script;
    const { runId, id, retry } = call;
    const chance = chanceOf(this.#seed, name, id, retry, JSON.stringify(input));
    return this.#call({
      runId,
      what: `${name} ${id}#${retry + 1}`,
      ms: whole(chance, ...ms),
      signal: deaf ? undefined : (call.signal as AbortSignal),
      outcome: () => {
        if (chance() < fails) throw broken(name);
        return { by: name, try: retry + 1, got: whole(chance, 0, 999) };
      },
    });
  }

  /** A store that fails, and takes its time. */
  store(name: string, more: Pick<StorePort, "retries" | "timeoutMs" | "idempotent">): StorePort {
    const call = (kind: string, what: unknown, signal: AbortSignal) => {
      const text = JSON.stringify(what);
      const chance = chanceOf(this.#seed, name, kind, text, this.#clock.now());
      return this.#call({
        what: `${kind} ${name} ${text}`,
        ms: whole(chance, 100, 4_000),
        signal,
        outcome: () => {
          if (chance() < 0.3) throw broken(name);
          return { kind, got: whole(chance, 0, 999) };
        },
      });
    };
    return {
      name,
      ...more,
      read: (query, { signal }) => call("read", query, signal),
      write: (operations, { signal }) => call("write", operations, signal),
    };
  }

  /** A person at hand. */
  approver(ms: readonly [number, number]): Approver {
    return (approval, { signal }) => {
      const chance = chanceOf(
        this.#seed,
        "approver",
        approval.id,
        JSON.stringify(approval.subject),
      );
      return this.#call({
        what: `approve ${approval.id}`,
        ms: whole(chance, ...ms),
        signal,
        outcome: () => decisionOf(chance, "somebody at hand"),
      });
    };
  }

  /** A model that calls the tools that it is shown. */
  model(script: ModelScript): ModelPort {
    return {
      name: "oracle",
      generate: async (request, { attempt, signal, onDelta }) => {
        const asked = questionOf(request);
        const chance = chanceOf(this.#seed, "model", asked.words, attempt);
        const pieces = script.pieces ?? 0;
        const total = whole(chance, ...script.ms);
        for (let i = 0; i < pieces; i++) {
          await this.#clock.sleep(Math.floor(total / (pieces + 1)), signal);
          if (this.#life.dead) return never();
          onDelta({ type: "text", text: `piece ${i} of ${asked.name}. ` });
        }
        return this.#call({
          what: `${asked.name}#${attempt}`,
          ms: pieces === 0 ? total : Math.ceil(total / (pieces + 1)),
          signal,
          outcome: () => answerOf(script, request, asked.turn, chance),
        });
      },
    };
  }
}

/** What a tool or a store throws: without its stack, which says where the oracle lies. */
function broken(name: string): Error {
  const error = new Error(`${name} broke`);
  delete error.stack;
  return error;
}

/** What a person decides. */
export function decisionOf(chance: Chance, by: string): ApprovalDecision {
  const how = chance();
  if (how < 0.6) return { approve: true, by };
  if (how < 0.8) return { approve: true, by, input: { prompt: `edited ${whole(chance, 0, 9)}` } };
  return { approve: false, by, reason: "better not" };
}

/** Which question of which conversation this is: what the machine makes of results is no part of it. */
function questionOf({ system = "", messages }: ModelRequest) {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const users = messages.filter(({ role }) => role === "user");
  const words = [system, textOf(users[0]), textOf(users.at(-1)), users.length, turn].join("|");
  return { turn, words, name: `ask ${system === "" ? "?" : system}/${messages.length}` };
}

function textOf(message: Message | undefined): string {
  return message === undefined ? "" : JSON.stringify(message.content);
}

const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

function answerOf(script: ModelScript, request: ModelRequest, turn: number, chance: Chance) {
  const { busy = 0, fails = 0, broken = 0, empty = 0 } = script;
  const what = chance();
  if (what < busy) {
    const later = chance() < 0.5 ? {} : { retryAfterMs: whole(chance, 0, 2_500) };
    throw new ModelError({ code: "llm.busy", message: "busy", transient: true, ...later });
  }
  if (what < busy + fails) throw new ModelError({ code: "llm.refused", message: "no" });
  if (what < busy + fails + broken) return { content: "none", usage: USAGE } as never;
  if (what < busy + fails + broken + empty) {
    return { content: [], finishReason: "error" as const, usage: USAGE };
  }
  const names = (request.tools ?? []).map(({ name }) => name);
  const least = chance() < 0.1 ? 0 : 1;
  const isLast = turn >= script.turns || names.length === 0;
  const calls = isLast ? 0 : whole(chance, least, script.calls);
  const text: AssistantPart = { type: "text", text: `so ${whole(chance, 0, 9_999)}` };
  const called = Array.from({ length: calls }, (_, i): AssistantPart => {
    const toolName = chance() < 0.03 ? "nobody" : oneOf(chance, names);
    const prompt = `p${whole(chance, 0, 999_999)}`;
    const input = chance() < 0.05 ? {} : { prompt };
    return { type: "tool-call", toolCallId: `c${turn}-${i}`, toolName, input };
  });
  return {
    content: [text, ...called],
    finishReason: calls === 0 ? ("stop" as const) : ("tool-calls" as const),
    usage: USAGE,
  };
}
