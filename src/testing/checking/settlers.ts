/**
 * Settlers: how a simulation settles a directive. There is a default for each type, so that you
 * need your own only if an answer must have a certain shape.
 */

import type * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import {
  type AssistantPart,
  type ContextOperation,
  type Effect,
  type EffectError,
  type FinishReason,
  type LlmDirective,
  type Settlement,
  settles,
  type ToolSchema,
} from "../../core/kernel/vocabulary/index.js";
import type { Choose } from "./choose.js";
import { sampleSchema } from "./sample-schema.js";
import { callUserFunction, wrongAnswer } from "./user-function.js";

type WithoutIdAndTime<T> = T extends unknown ? Omit<T, "id" | "at"> : never;

/** A settlement without its id and time, which the simulation adds. */
export type Answer<Type extends Effect["type"]> = WithoutIdAndTime<
  Extract<Settlement, { type: `${Type}.${string}` }>
>;

/** Settles a directive. It depends only on its arguments; 0 is the simplest choice. */
export type Settler<Type extends Effect["type"]> = (
  directive: Extract<Effect, { type: Type }>,
  choose: Choose,
) => Answer<Type>;

/** A settler for each type of directive. */
export type Settlers = { readonly [Type in Effect["type"]]: Settler<Type> };

const failure = (message: string): EffectError => ({ code: "scripted", message });

/** The words of a model that says nothing else. */
const SAID: readonly string[] = ["done", "", "a \u{1F9EA} b"];

/** The reasons why a model stops in the middle of its words. */
const ENDINGS: readonly FinishReason[] = ["length", "content-filter", "error", "paused", "other"];

function answerLlm(directive: LlmDirective, choose: Choose): Answer<"llm"> {
  const kind = choose(10);
  if (kind === 9) {
    return {
      type: "llm.failed",
      error: { ...failure("The model failed."), transient: choose(2) === 1 },
    };
  }
  const content: AssistantPart[] = [];
  if (kind >= 6)
    content.push({ type: "reasoning", text: "hm", providerOptions: { mock: { n: 1 } } });
  if (kind === 0 || kind >= 5)
    content.push({ type: "text", text: SAID[choose(SAID.length)] as string });
  const calls = kind === 0 ? [] : callsOf(directive.tools ?? [], choose);
  content.push(...calls);
  if (kind === 8) content.push(...providerCall());
  const usual = calls.length > 0 ? "tool-calls" : "stop";
  return {
    type: "llm.succeeded",
    content,
    finishReason: ENDINGS[choose(20) - 1] ?? usual,
    usage: usageOf(choose(50), choose(50)),
  };
}

function usageOf(inputTokens: number, outputTokens: number) {
  return { requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function callsOf(tools: readonly ToolSchema[], choose: Choose): AssistantPart[] {
  if (tools.length === 0) return [];
  return Array.from({ length: 1 + choose(4) }, (_, i): AssistantPart => {
    const tool = tools[choose(tools.length)] as ToolSchema;
    // Providers count from 0 in each answer: the ids come again.
    const call = { type: "tool-call" as const, toolCallId: `call-${i}`, toolName: tool.name };
    switch (choose(12)) {
      case 9:
        return { ...call, input: '{"cut": "o', malformed: true };
      case 10:
        return { ...call, input: choose.value() };
      case 11:
        return { ...call, toolName: choose(2) === 0 ? "no_such_tool" : "constructor", input: {} };
      default:
        return { ...call, input: sampleSchema(tool.inputSchema, choose) };
    }
  });
}

/** A call that the provider has carried out itself, with what it found, and a part of its own. */
function providerCall(): AssistantPart[] {
  const call = { toolCallId: "provider-0", toolName: "web_search" };
  const providerOptions = { acme: { sealed: "c2VhbGVk" } };
  return [
    { type: "custom", kind: "acme.compaction", providerOptions },
    { type: "tool-call", ...call, input: { query: "q" }, providerExecuted: true },
    { type: "tool-result", ...call, output: { type: "json", value: ["found"] } },
    { type: "source", sourceType: "url", id: "s0", url: "https://example.test/" },
  ];
}

const keys: readonly string[] = ["count", "log", "note"];

function updateOf(choose: Choose): { readonly update?: readonly ContextOperation[] } {
  const key = keys[choose(keys.length)] as string;
  switch (choose(8)) {
    case 4:
      return { update: [{ op: "increment", key, by: 1 + choose(3) }] };
    case 5:
      return { update: [{ op: "append", key, value: choose.value() }] };
    case 6:
      return {
        update: [
          { op: "set", key, value: choose.value() },
          { op: "delete", key: "note" },
        ],
      };
    case 7:
      return { update: [{ op: "merge", key, value: { [key]: choose.value() } }] };
    default:
      return {};
  }
}

/** A picture that a tool shows. */
const picture = { type: "image", image: "aGk=", mediaType: "image/png" } as const;

/** The defaults. */
export const defaultSettlers: Settlers = {
  llm: answerLlm,
  tool(_directive, choose) {
    switch (choose(8)) {
      case 5:
        return {
          type: "tool.failed",
          reason: "error",
          error: failure("The tool failed."),
          content: [picture],
        };
      case 6:
        return { type: "tool.failed", reason: "timeout", error: failure("Too late."), attempts: 2 };
      case 7:
        return { type: "tool.failed", reason: "unknown", error: failure("Nobody knows.") };
      default:
        return { type: "tool.succeeded", output: choose.value(), ...updateOf(choose) };
    }
  },
  approval(directive, choose) {
    switch (choose(6)) {
      case 3:
        return { type: "approval.decided", approve: false };
      case 4:
        return { type: "approval.decided", approve: false, reason: "Not today.", by: "someone" };
      case 5:
        return {
          type: "approval.decided",
          approve: true,
          input: edited(directive.subject, choose),
        };
      default:
        return { type: "approval.decided", approve: true };
    }
  },
  timer: () => ({ type: "timer.fired" }),
  read: (_directive, choose) =>
    choose(4) === 3
      ? { type: "read.failed", error: failure("The store is away.") }
      : { type: "read.succeeded", value: choose.value() },
  write: (_directive, choose) =>
    choose(4) === 3
      ? { type: "write.failed", error: failure("The store is away.") }
      : { type: "write.succeeded" },
  run(_directive, choose) {
    const kind = choose(4);
    const usage = kind === 0 ? {} : { usage: { requests: kind, totalTokens: choose(50) } };
    return kind === 3
      ? { type: "run.failed", error: failure("The child failed."), ...usage }
      : { type: "run.succeeded", runId: "child", output: choose.value(), ...usage };
  },
};

/** Other arguments than the model's: the same again, none, or anything. */
function edited(subject: Json, choose: Choose): Json {
  const { input = null } = (subject ?? {}) as { readonly input?: Json };
  return [input, {}, choose.value()][choose(3)] as Json;
}

/** A directive's settlement: the answer of its settler, with its id and a time. */
export function settle(
  effect: Effect,
  settlers: shapes.Options<Partial<Settlers>>,
  choose: Choose,
  at: number,
): Settlement {
  const settler = (settlers[effect.type] ?? defaultSettlers[effect.type]) as Settler<"tool">;
  const name = `the settler of ${effect.type}`;
  const answer = callUserFunction(name, () =>
    settler(effect as Extract<Effect, { type: "tool" }>, choose),
  );
  if (settles[answer?.type] !== effect.type) {
    const types = Object.keys(settles).filter((type) => settles[type] === effect.type);
    throw wrongAnswer(name, `an answer of type ${types.join(" or ")}`, answer);
  }
  return { ...answer, id: effect.id, at };
}
