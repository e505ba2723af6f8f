/**
 * Lists the events that `explore` tries in a state, in order. Answers to a directive are all those that its
 * settler (the function that answers directives of its type) may choose, up to a limit; without one, a few of
 * each kind.
 */

import { owedBy, type Reasoner, type RunState } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import type {
  AssistantPart,
  Effect,
  IncomingEvent,
  LlmDirective,
  Settlement,
  ToolSchema,
} from "../../core/kernel/vocabulary/index.js";
import { type Choose, everyChoice } from "./choose.js";
import { sampleSchema } from "./sample-schema.js";
import { type Answer, defaultSettlers, type Settlers, settle } from "./settlers.js";
import type { Upgrading } from "./upgradable.js";
import { Happenings, MOST_OUTSIDE, type WorldOptions } from "./what-may-happen.js";

/** The events that may happen in a search, beside answers and the machine's own. */
export interface Alphabet {
  /** Answers to one directive, at most. Default 8. */
  readonly answers?: number | undefined;
  /** Tool calls in one answer of a model, at most. Default 2. */
  readonly calls?: number | undefined;
  /** Events that `outside` gives in one state, at most. Default 64. Without it, all that the chart names. */
  readonly outside?: number | undefined;
  /** The run may be cancelled at any moment. Default true. */
  readonly cancel?: boolean | undefined;
  /** A turn may be interrupted at any moment. Default false. */
  readonly interrupt?: boolean | undefined;
  /** The messages that the user may send at any moment. Default: nothing. */
  readonly messages?: readonly string[] | undefined;
  /** Answers come once more, when they are not expected any more. Default false. */
  readonly again?: boolean | undefined;
}

/** Something that may happen, and what it has to do with. */
export interface Possible {
  readonly event: IncomingEvent;
  /** The directive that it answers. */
  readonly effect?: Effect;
  /** The same possibility in another state has the same name. */
  readonly name: string;
  /** The name that it shares with others: `pay/tool.failed/timeout`. */
  readonly kind: string;
}

/** The events that may happen in a state. */
export interface Listed {
  readonly possible: readonly Possible[];
  /** The kinds of which there was more than the alphabet lets in: `answers to tool pay`. */
  readonly cut: readonly string[];
}

/** Lists what may happen. */
export class Possibilities<Context> {
  readonly #happenings: Happenings<Context>;
  readonly #settlers: Partial<Settlers>;
  readonly #alphabet: Required<shapes.Defined<Alphabet>>;
  readonly #values: readonly Json[];

  constructor(
    reasoner: Pick<Reasoner, "machine">,
    options: WorldOptions<Context> & Upgrading,
    alphabet: Alphabet,
    values: readonly Json[],
  ) {
    const {
      answers = 8,
      calls = 2,
      outside = MOST_OUTSIDE,
      cancel = true,
      interrupt = false,
    } = alphabet;
    const { messages = [], again = false } = alphabet;
    this.#alphabet = { answers, calls, outside, cancel, interrupt, messages, again };
    this.#settlers = { ...fewAnswers(calls), ...shapes.defined(options.settlers ?? {}) };
    this.#happenings = new Happenings(reasoner, options);
    this.#values = values;
  }

  /** The events that nobody tries, though users may send them. */
  get untried(): readonly ("message" | "interrupt")[] {
    const { interrupt, messages } = this.#alphabet;
    return [
      ...(messages.length === 0 ? (["message"] as const) : []),
      ...(interrupt ? [] : (["interrupt"] as const)),
    ];
  }

  /** All that may happen in a state, in an order of its own. */
  in(state: RunState<Context>): Listed {
    const { at } = state;
    const cut: string[] = [];
    const { answers, outside, cancel, interrupt, messages, again } = this.#alphabet;
    const possible: Possible[] = [];
    for (const effect of owedBy(state)) {
      const time = effect.type === "timer" ? Math.max(at, effect.until) : at;
      const settled = everyChoice(
        (choose) => settle(effect, this.#settlers, choose, time),
        this.#values,
        answers,
      );
      if (!settled.isAll) {
        cut.push(`answers to ${effect.type === "tool" ? `tool ${effect.name}` : effect.type}`);
      }
      for (const event of settled.found) {
        possible.push({ ...named(event), effect, kind: kindOf(effect, event) });
      }
    }
    const other = (event: IncomingEvent) => possible.push(named(event));
    const own = this.#happenings.everyOutside(state, this.#values, outside);
    if (!own.isAll) cut.push("events from outside");
    for (const event of own.found) other({ ...event, at });
    for (const content of messages) other({ type: "message", content, at });
    if (again) other({ type: "tool.succeeded", id: "never/issued", output: null, at });
    if (interrupt) other({ type: "interrupt", at, partial: {} });
    const upgrade = this.#happenings.upgrade(state, at);
    if (upgrade !== undefined) other(upgrade);
    if (cancel) other({ type: "cancel", at });
    return { possible, cut };
  }
}

function named(event: IncomingEvent): Omit<Possible, "effect"> {
  return { event, name: JSON.stringify({ ...event, at: 0 }), kind: event.type };
}

/** Returns the name that an answer shares with others to directives of its kind. */
function kindOf(effect: Effect, { type, reason }: Settlement & { readonly reason?: unknown }) {
  const of = `${effect.type === "tool" ? effect.name : effect.type} ${effect.id.replace(/(?<!\d)\d+$/, "")}`;
  return reason === undefined ? `${of}/${type}` : `${of}/${type}/${String(reason)}`;
}

/** Of each kind of answer the plainest. */
function fewAnswers(most: number): Settlers {
  const error = { code: "scripted", message: "It failed." };
  return {
    ...defaultSettlers,
    llm: (directive, choose) => fewModelAnswers(directive, choose, most),
    tool(_directive, choose): Answer<"tool"> {
      const reason = (["error", "timeout", "unknown"] as const)[choose(4) - 1];
      if (reason !== undefined) return { type: "tool.failed", reason, error };
      return { type: "tool.succeeded", output: choose.value() };
    },
    read: (_directive, choose) =>
      choose(2) === 0
        ? { type: "read.succeeded", value: choose.value() }
        : { type: "read.failed", error },
    write: (_directive, choose) =>
      choose(2) === 0 ? { type: "write.succeeded" } : { type: "write.failed", error },
    run: (_directive, choose) =>
      choose(2) === 0
        ? { type: "run.succeeded", runId: "child", output: choose.value() }
        : { type: "run.failed", error },
    approval({ subject }, choose): Answer<"approval"> {
      const input = (subject as { readonly input?: Json } | null)?.input ?? null;
      const answers = [
        { type: "approval.decided", approve: true },
        { type: "approval.decided", approve: false },
        { type: "approval.decided", approve: true, input },
      ] as const;
      return answers[choose(3)] as Answer<"approval">;
    },
  };
}

function fewModelAnswers(
  { tools = [] }: LlmDirective,
  choose: Choose,
  most: number,
): Answer<"llm"> {
  const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const kinds = tools.length === 0 || most === 0 ? 2 : 2 + most;
  const kind = choose(kinds);
  if (kind === 1) {
    return { type: "llm.failed", error: { code: "scripted", message: "The model failed." } };
  }
  const calls = Array.from({ length: Math.max(0, kind - 1) }, (_, i): AssistantPart => {
    const { name, inputSchema } = tools[choose(tools.length)] as ToolSchema;
    const input = sampleSchema(inputSchema, (() => 0) as unknown as Choose);
    return { type: "tool-call", toolCallId: `call-${i}`, toolName: name, input };
  });
  const finishReason = calls.length === 0 ? "stop" : "tool-calls";
  const content: AssistantPart[] = calls.length === 0 ? [{ type: "text", text: "done" }] : calls;
  return { type: "llm.succeeded", content, finishReason, usage };
}
