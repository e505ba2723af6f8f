// What `reckoner.mjs` does, in the AI SDK 7.
import { generateText, isStepCount, tool } from "ai-7";
import { z } from "zod";
import { instantModel, TURNS } from "./instant.mjs";

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const { text } = await generateText({
  model: {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "instant",
    supportedUrls: {},
    doGenerate: instantModel(JSON.stringify, usage, (unified) => ({ unified, raw: unified })),
  },
  system: "Call echo until you are told to stop.",
  prompt: "go",
  tools: {
    echo: tool({ description: "echo", inputSchema: z.object({}), execute: async () => "ok" }),
  },
  stopWhen: isStepCount(TURNS + 1),
});
if (text !== "done") throw new Error("The loop has not come to its end.");
