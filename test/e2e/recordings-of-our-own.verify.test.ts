// Hypothesis: whatever a provider does in the middle of a conversation (calls side by side, broken
// arguments, a refusal, an error in a stream, a lost connection), the agent's run comes to its end,
// asks for nothing that was not expected, and its journal replays. Over HTTP, through the AI SDK's
// own clients, with conversations that lie in the project.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Agent,
  agent,
  type Clock,
  type LlmSettings,
  type ModelPort,
  replay,
  run,
  toArray,
  tool,
} from "reckoner";
import { aiSdk, resolveModel } from "reckoner/ai-sdk";
import { fileJournal } from "reckoner/file-journal";
import { journalTraces } from "reckoner/trace";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  type Conversation,
  type ConversationServer,
  ownConversation,
  serveConversation,
} from "../support/conversation-server.js";
import { type Major, majors, providerModel } from "../support/provider-model.js";
import { tracesAre } from "../support/trace-check.js";

const folderOfConversations = new URL("../fixtures/conversations/", import.meta.url);

const weather = tool({
  name: "weather",
  description: "The weather in a city",
  inputSchema: z.strictObject({ city: z.string() }),
  execute: ({ city }) => `${city}: ${city === "Lisbon" ? "rain" : "snow"}`,
});
const asking = (system?: string, settings?: LlmSettings): Agent =>
  agent({
    name: "weather",
    tools: [weather],
    ...(system === undefined ? {} : { system }),
    ...(settings === undefined ? {} : { settings }),
  });
const thinking = asking("Advise on luggage.", {
  providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
});
const luggage = "Lisbon, then Oslo: umbrella or coat?";
const both = "Both: Lisbon is wet, Oslo is white.";

interface Held {
  readonly model: string;
  readonly agent: Agent;
  readonly prompt: string;
  readonly output: string;
  readonly usage: Record<string, number>;
  /** How long the run waited before it asked again, in milliseconds. */
  readonly waited?: readonly number[];
}

const conversations: Record<string, Held> = {
  "openai-chat-parallel": {
    model: "gpt-4o-mini",
    agent: asking("Advise on luggage."),
    prompt: luggage,
    output: both,
    usage: { requests: 2, toolCalls: 2, totalTokens: 103 + 139, cacheReadInputTokens: 64 },
  },
  "openai-chat-stream-malformed": {
    model: "gpt-4o-mini",
    agent: asking(),
    prompt: "How is Lisbon?",
    output: "It rains.",
    usage: { requests: 3, totalTokens: 49 + 82 + 99 },
  },
  "openai-chat-bad-day": {
    model: "gpt-4o-mini",
    agent: asking(),
    prompt: "How is Oslo?",
    output: "It snows.",
    usage: { requests: 4, toolCalls: 1, totalTokens: 55 + 69 },
    // What the provider asked for, and where it asks for nothing, what is usual.
    waited: [7000, 500],
  },
  "openai-chat-rejected-call": {
    model: "gpt-4o-mini",
    agent: agent({ name: "weather", tools: [weather], onRejectedCall: "tell" }),
    prompt: "How is Lisbon?",
    output: "It rains.",
    usage: { toolCalls: 1, totalTokens: 82 + 94 },
  },
  "openai-chat-stream-unfinished": {
    model: "gpt-4o-mini",
    agent: agent({ name: "weather", tools: [weather], onRejectedCall: "tell" }),
    prompt: "How is Lisbon?",
    output: "It rains.",
    // The server tells no usage: what is charged are estimates.
    usage: { requests: 3, toolCalls: 1, totalTokens: 328 },
  },
  "openai-responses-reasoning": {
    model: "gpt-5-mini",
    agent: asking(),
    prompt: "Do I need a coat in Oslo?",
    output: "Yes, it snows.",
    usage: { requests: 2, totalTokens: 100 + 142, cacheReadInputTokens: 96 },
  },
  "openai-responses-stream-reasoning": {
    model: "gpt-5-mini",
    agent: asking(),
    prompt: "Do I need a coat in Oslo?",
    output: "Yes, it snows.",
    usage: { requests: 2, totalTokens: 100 + 142, cacheReadInputTokens: 96 },
  },
  "anthropic-thinking": {
    model: "claude-sonnet-4-5",
    agent: thinking,
    prompt: luggage,
    output: both,
    usage: {
      requests: 2,
      inputTokens: 1230 + 1360,
      outputTokens: 90 + 14,
      cacheCreationInputTokens: 1200,
      cacheReadInputTokens: 1200,
    },
  },
  "anthropic-stream-thinking": {
    model: "claude-sonnet-4-5",
    agent: thinking,
    prompt: luggage,
    output: both,
    usage: { requests: 4, outputTokens: 90 + 14, cacheReadInputTokens: 1200 },
    waited: [500, 1000],
  },
};

let server: ConversationServer;
let conversation: Conversation;
let journal: string;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reckoner-conversations-"));
  journal = join(folder, "run.jsonl");
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

/** Serves one of our conversations and gives a model that holds it. */
async function modelOf(name: string, major?: Major): Promise<ModelPort> {
  conversation = ownConversation(name);
  server = await serveConversation(conversation);
  return aiSdk(providerModel(conversation.api, conversations[name]!.model, server.url, major), {
    stream: name.includes("-stream-"),
  });
}

/** Time passes at once where a run waits to ask again; time limits never come. */
function impatientClock(): Clock & { readonly waited: number[] } {
  const waited: number[] = [];
  let now = 0;
  return {
    waited,
    now: () => now,
    setTimer(ms, wake) {
      let isOff = ms >= 30_000;
      if (!isOff) {
        queueMicrotask(() => {
          if (isOff) return;
          waited.push(ms);
          now += ms;
          wake();
        });
      }
      return () => {
        isOff = true;
      };
    },
    sleep: async () => {},
  };
}

async function hold(name: string, model: ModelPort) {
  const held = conversations[name]!;
  const clock = impatientClock();
  const end = await run(held.agent, held.prompt, { model, journal, clock });
  expect(end).toMatchObject({ status: "done", output: held.output });
  expect(end.context.usage).toMatchObject(held.usage);
  expect(clock.waited).toEqual(held.waited ?? []);
  expect(server.report).toEqual({ served: conversation.exchanges.length, mismatches: [] });
  expect(await replay(held.agent, journal)).toMatchObject({
    status: "identical",
    events: end.events,
  });
  const traces = journalTraces(fileJournal(journal));
  await tracesAre(traces, [readFileSync(journal, "utf8")], () => true);
  return end;
}

describe("conversations of our own", () => {
  describe.each(majors)("with the clients of ai %i", (major) => {
    it.each(Object.keys(conversations))("%s comes to its end and replays", async (name) => {
      await hold(name, await modelOf(name, major));
    });
  });

  it("are all held here", async () => {
    await modelOf("openai-chat-parallel");
    const names = readdirSync(folderOfConversations).map((file) => file.replace(/\.json$/, ""));
    expect(names.sort()).toEqual(Object.keys(conversations).sort());
  });

  it("go on through a model's name, and nothing of the key is in the journal", async () => {
    await modelOf("openai-chat-bad-day");
    // The package reads its address once, when it is loaded.
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", "sk-very-secret");
    await hold("openai-chat-bad-day", await resolveModel("openai.chat:gpt-4o-mini"));
    expect(readFileSync(journal, "utf8")).not.toContain("sk-very-secret");
  });

  it("keep what the model said of its broken arguments, and tell it", async () => {
    const end = await hold(
      "openai-chat-stream-malformed",
      await modelOf("openai-chat-stream-malformed"),
    );
    const [, said, told] = toArray(end.context.messages);
    expect(said?.content).toMatchObject([
      { type: "text", text: "Let me look." },
      { type: "tool-call", input: '{"city": "Lis', malformed: true },
    ]);
    expect(JSON.stringify(told)).toContain("not valid JSON");
  });

  it("end in a failure that says what the provider said, where it does not pass", async () => {
    const model = await modelOf("openai-chat-bad-day");
    const end = await run(conversations["openai-chat-bad-day"]!.agent, "How is Oslo?", {
      model,
      journal,
      clock: impatientClock(),
      retry: { attempts: 1 },
      modelDown: "fail",
    });
    expect(end).toMatchObject({
      status: "failed",
      error: {
        code: "llm.failed",
        status: 429,
        retryAfterMs: 7000,
        detail: { error: { code: "rate_limit_exceeded" } },
      },
    });
    expect(server.report.served).toBe(1);
    expect(await replay(conversations["openai-chat-bad-day"]!.agent, journal)).toMatchObject({
      status: "identical",
    });
  });
});
