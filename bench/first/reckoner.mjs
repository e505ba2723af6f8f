// A program's first twenty turns, from its import on. `ai-sdk-7.mjs` is the same loop there.
import { agent, run, tool } from "../../dist/index.js";
import { instantModel, TURNS } from "./instant.mjs";

const worker = agent({
  name: "worker",
  system: "Call echo until you are told to stop.",
  tools: [tool({ name: "echo", execute: async () => "ok" })],
  maxIterations: TURNS + 1,
});
const answers = instantModel((input) => input, { inputTokens: 10, outputTokens: 5 });
const end = await run(worker, "go", { model: { name: "instant", generate: answers } });
if (end.status !== "done") throw new Error("The run has not come to its end.");
