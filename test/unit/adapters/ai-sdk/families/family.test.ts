// Which family a model is of, by its client's name for the provider and by its own.
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { familyOf, targetOf } from "../../../../../src/adapters/ai-sdk/families/index.js";
import { aiSdk } from "../../../../../src/adapters/ai-sdk/index.js";
import { agent, memoryJournal, resume, run } from "../../../../../src/index.js";
import type { Observation } from "../../../../../src/runtime/index.js";
import { aCall, answer, asked, hello } from "../support.js";

describe("a model's family", () => {
  it.each([
    ["openai.chat", "gpt-4o", "openai-chat"],
    ["openai.responses", "gpt-5", "openai-responses"],
    ["azure.chat", "my-deployment", "openai-chat"],
    ["azure-openai.responses", "my-deployment", "openai-responses"],
    ["anthropic.messages", "claude-sonnet-4-5", "anthropic"],
    ["vertex.anthropic.messages", "claude-sonnet-4-5@20250929", "anthropic"],
    ["bedrock.anthropic.messages", "anthropic.claude-sonnet-4-5", "anthropic"],
    ["google.generative-ai", "gemini-2.5-pro", "google"],
    ["google.vertex.chat", "gemini-2.5-pro", "google"],
    ["amazon-bedrock", "amazon.nova-pro-v1:0", "bedrock"],
    ["mistral.chat", "mistral-large-latest", "mistral"],
    ["ollama.chat", "qwen3", "openai-compatible"],
    ["groq.chat", "llama-3.3-70b-versatile", "openai-compatible"],
    ["xai.responses", "grok-4", "openai-compatible"],
    // Its name does not make a server Anthropic's.
    ["anthropic.chat", "claude", "openai-compatible"],
    ["gateway", "anthropic/claude-sonnet-4.5", "anthropic"],
    ["gateway", "openai/gpt-5", "openai-responses"],
    ["gateway", "mistral/mistral-large", "mistral"],
    ["gateway", "constructor/x", "openai-compatible"],
    ["whatever", "gpt-4o", "openai-compatible"],
  ])("follows from %s and %s", (provider, modelId, family) => {
    expect(familyOf(provider, modelId)).toBe(family);
  });

  it("says whether a schema reaches the server, and whether the client has a form for own parts", () => {
    const model = { provider: "local.chat", modelId: "m", specificationVersion: "v3" };
    expect(targetOf(model)).toMatchObject({ structuredOutputs: false, ownParts: false });
    expect(targetOf({ ...model, supportsStructuredOutputs: true }).structuredOutputs).toBe(true);
    expect(targetOf({ ...model, provider: "groq.chat" }).structuredOutputs).toBe(true);
    expect(targetOf({ ...model, provider: "openai.chat" }).structuredOutputs).toBe(true);
    expect(targetOf({ ...model, specificationVersion: "v4" }).ownParts).toBe(true);
  });

  it("is what the option says", async () => {
    const model = new MockLanguageModelV3({ doGenerate: answer([]) });
    const messages = [{ role: "system", content: "a" }, ...hello.messages] as const;
    await aiSdk(model, { family: "openai-chat" }).generate({ messages }, aCall());
    expect(model.doGenerateCalls[0]?.prompt).toHaveLength(2);
    expect((await asked({ system: "b", messages })).prompt).toHaveLength(2);
  });

  it("is refused where there is none of that name", () => {
    const model = new MockLanguageModelV3();
    expect(() => aiSdk(model, { family: "openai" as never })).toThrow(
      /family of aiSdk must be .*openai-chat.*openai-compatible/,
    );
  });
});

describe("what a mend loses", () => {
  it("is a notice to observers, once in a run for each thing", async () => {
    const model = new MockLanguageModelV3({ doGenerate: answer([{ type: "text", text: "ok" }]) });
    const seen: Observation[] = [];
    const options = {
      model: aiSdk(model),
      journal: memoryJournal(),
      observers: [(each: Observation) => void seen.push(each)],
    };
    const chat = agent({ name: "chat", conversation: true });
    const reasoning = { type: "reasoning", text: "hm" } as const;
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [reasoning, { type: "text", text: "so" }] },
      { role: "user", content: "and?" },
    ] as const;
    const end = await run(chat, { messages }, options);
    expect(end.status).toBe("waiting");
    const notices = () =>
      seen.flatMap((each) =>
        each.type === "notice" && each.code === "request.mended" ? [each] : [],
      );
    expect(notices()).toEqual([
      {
        type: "notice",
        code: "request.mended",
        message:
          "Reasoning of an unknown model is not sent to mock-provider:mock-model-id: it is not its own.",
      },
    ]);
    // A process that goes on with it says it once more.
    await resume(chat, options.journal, { ...options, messages: ["more", "still"] });
    expect(notices()).toHaveLength(2);
    expect(model.doGenerateCalls.length).toBeGreaterThan(2);
  });
});
