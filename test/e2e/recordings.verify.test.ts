// Hypothesis: an agent of ours holds conversations that real models once held with another library,
// through the AI SDK's own clients: it sends back what was sent back then, comes to the same end, and
// its journal replays. The recordings lie beside the project; where they do not, nothing is shown.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Agent, agent, replay, run, tool } from "reckoner";
import { aiSdk } from "reckoner/ai-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { majors, providerModel } from "../support/provider-model.js";

const shared = fileURLToPath(new URL("../../../shared/", import.meta.url));
const recordings = join(shared, "data/recordings");
const there = existsSync(recordings);
const notThere = "../shared/data/recordings is not there: nothing to compare with";
if (!there) console.info(notThere);

interface Held {
  readonly model: string;
  readonly agent: Agent;
  readonly prompt: string;
  /** What the conversation came to. */
  readonly output: unknown;
  /** Model calls, tool calls, and tokens in all, as the provider counted them. */
  readonly usage: { requests: number; toolCalls: number; totalTokens: number };
}

/** A tool that takes nothing and always says the same. */
const saying = (name: string, text: string) => tool({ name, execute: () => text });
const city = z.object({ city: z.string() });

const conversations: Record<string, Held> = {
  "anthropic-two-tools": {
    model: "claude-sonnet-4-5",
    agent: agent({
      name: "capitals",
      system:
        "Always call `country_source` first, then call `capital_lookup` with that result before replying.",
      tools: [
        saying("country_source", "Japan"),
        tool({
          name: "capital_lookup",
          inputSchema: z.object({ country: z.string() }),
          execute: ({ country }) => (country === "Japan" ? "Tokyo" : "unknown"),
        }),
      ],
    }),
    prompt: "Use the registered tools and respond exactly as `Capital: <city>`.",
    output: "Capital: Tokyo",
    usage: { requests: 3, toolCalls: 2, totalTokens: 678 + 744 + 763 },
  },
  "openai-chat-stream-parallel-tools": {
    model: "gpt-4o",
    agent: agent({
      name: "facts",
      toolChoice: "required",
      tools: [
        saying("get_country", "Mexico"),
        saying("get_product_name", "Pydantic AI"),
        tool({
          name: "get_weather",
          inputSchema: city,
          execute: (input) => (input.city === "Mexico City" ? "sunny" : "unknown"),
        }),
        tool({
          name: "final_result",
          final: true,
          inputSchema: z.object({
            answers: z.array(z.object({ label: z.string(), answer: z.string() })),
          }),
          reduce: ({ answers }) => answers,
        }),
      ],
    }),
    prompt: "Tell me: the capital of the country; the weather there; the product name",
    output: [
      { label: "Capital of the country", answer: "Mexico City" },
      { label: "Weather in the capital", answer: "Sunny" },
      { label: "Product Name", answer: "Pydantic AI" },
    ],
    usage: { requests: 3, toolCalls: 4, totalTokens: 404 + 438 + 497 },
  },
  "openai-chat-tool-retry": {
    model: "gpt-4o",
    agent: agent({
      name: "weather",
      tools: [
        tool({
          name: "get_weather_in_city",
          inputSchema: city,
          execute: (input) => {
            if (input.city !== "Mexico City") throw new Error("Did you mean Mexico City?");
            return "sunny";
          },
          formatError: ({ error }) => `${error.message}\n\nFix the errors and try again.`,
        }),
      ],
    }),
    prompt: "What is the weather in CDMX?",
    output: "The weather in Mexico City is currently sunny.",
    usage: { requests: 3, toolCalls: 2, totalTokens: 64 + 104 + 126 },
  },
  "openai-responses-one-tool": {
    model: "gpt-4o",
    agent: agent({
      name: "capitals",
      tools: [
        tool({
          name: "get_capital",
          inputSchema: z.object({ country: z.string() }),
          execute: ({ country }) => (country === "PotatoLand" ? "Potato City" : "unknown"),
        }),
      ],
    }),
    prompt: "What is the capital of PotatoLand?",
    output: "The capital of PotatoLand is Potato City.",
    usage: { requests: 2, toolCalls: 1, totalTokens: 58 + 78 },
  },
};

let server: ChildProcess | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reckoner-recordings-"));
});
afterEach(() => {
  server?.kill();
  rmSync(folder, { recursive: true });
});

/** Serves a recording in a process of its own and gives its address. */
async function serve(file: string): Promise<string> {
  server = spawn(process.execPath, [join(shared, "tools/recording-server.mjs"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout!, "data");
  return JSON.parse(String(line)).url;
}

describe.each(majors)("recorded conversations, with the clients of ai %i", (major) => {
  it.each(there ? Object.keys(conversations) : [])("%s comes to its recorded end", async (name) => {
    const file = join(recordings, `${name}.json`);
    const held = conversations[name]!;
    const { api, exchanges } = JSON.parse(readFileSync(file, "utf8"));
    const url = await serve(file);
    const stream = exchanges[0].response.contentType.startsWith("text/event-stream");
    const model = aiSdk(providerModel(api, held.model, url, major), { stream });
    const journal = join(folder, "run.jsonl");

    const live = run(held.agent, held.prompt, { model, journal });
    let pieces = 0;
    for await (const observation of live) if (observation.type === "delta") pieces++;
    const end = await live;

    expect(end).toMatchObject({ status: "done", output: held.output });
    expect(end.context.usage).toMatchObject(held.usage);
    expect(pieces > 0).toBe(stream);
    const report = await (await fetch(`${url}/__report`)).json();
    expect(report).toEqual({ served: exchanges.length, total: exchanges.length, mismatches: [] });
    expect(await replay(held.agent, journal)).toMatchObject({
      status: "identical",
      events: end.events,
    });
  });

  it("are all held here", () => {
    // Whoever has the project alone has no recordings, and misses no test of them.
    const files = there ? readdirSync(recordings) : Object.keys(conversations);
    const names = files.map((file) => file.replace(/\.json$/, ""));
    expect(names.sort()).toEqual(Object.keys(conversations).sort());
  });
});
