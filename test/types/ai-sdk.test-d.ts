// The AI SDK's adapter in strict consumer code: models and tools of either major, as they come.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAnthropic as createAnthropicOf7 } from "@ai-sdk/anthropic-4";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import type { LanguageModel, ToolSet } from "ai";
import type { LanguageModel as LanguageModelOf7, ToolSet as ToolSetOf7 } from "ai-7";
import { agent, type ModelPort, type Observation, type Tool } from "reckoner";
import { type AiSdkModel, aiSdk, fromAiSdkTools } from "reckoner/ai-sdk";
import { expectTypeOf, test } from "vitest";

test("models of either major are models", () => {
  expectTypeOf<LanguageModel>().toExtend<AiSdkModel>();
  expectTypeOf<LanguageModelOf7>().toExtend<AiSdkModel>();
  expectTypeOf(aiSdk(createOpenAI()("m"))).toEqualTypeOf<ModelPort>();
  aiSdk(createOpenAIOf7()("m"), { stream: true });
  aiSdk(createAnthropic()("m"));
  aiSdk(createAnthropicOf7()("m"));
  aiSdk("gateway/model");
  // @ts-expect-error no model
  aiSdk({ name: "m" });
});

test("tools of either major are tools", () => {
  const tools = (six: ToolSet, seven: ToolSetOf7) => [
    ...fromAiSdkTools(six),
    ...fromAiSdkTools(seven, { look: { idempotent: true } }),
  ];
  expectTypeOf(tools).returns.toEqualTypeOf<Tool[]>();
  // @ts-expect-error a tool's own word, not ours to change
  fromAiSdkTools({}, { look: { inputSchema: {} } });
});

test("system knows the deps", () => {
  agent<{ readonly user: string }>({ name: "a", system: ({ user }) => user });
  agent<{ readonly user: string }>({
    name: "a",
    // @ts-expect-error no such key
    system: ({ nobody }) => nobody,
  });
  // @ts-expect-error fail or tell
  agent({ name: "a", onRejectedCall: "ignore" });
});

test("a delta says which attempt and which call it is of", () => {
  const observe = (observation: Observation) => {
    if (observation.type !== "delta") return;
    expectTypeOf(observation.attempt).toEqualTypeOf<number>();
    expectTypeOf(observation.delta.toolCallId).toEqualTypeOf<string | undefined>();
  };
  expectTypeOf(observe).toBeFunction();
});
