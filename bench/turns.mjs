// Runs of an agent for the bench. A turn is one model call and one tool call, both instant, so what is
// measured is reckoner alone; it makes two events.
import { ensureBuilt } from "../scripts/ensure-built.mjs";

await ensureBuilt();
export const { agent, memoryJournal, replay, resume, run, tool } = await import("../dist/index.js");

const echo = tool({ name: "echo", idempotent: false, execute: () => "ok" });
const echoLong = (text) => tool({ name: "echo", execute: () => text });

/** An agent with one tool. @param output what the tool says @param more of its definition */
export const worker = (turns, output, more = {}) =>
  agent({
    name: "worker",
    system: "Call echo until you are told to stop.",
    tools: [output === undefined ? echo : echoLong(output)],
    maxIterations: turns + 1,
    ...more,
  });

/** A model that asks for the tool so many times, and then is done. */
export function instantModel(turns) {
  let asked = 0;
  return {
    name: "instant",
    generate: async () => {
      asked += 1;
      const done = asked > turns;
      return {
        content: done
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool-call", toolCallId: `call-${asked}`, toolName: "echo", input: {} }],
        finishReason: done ? "stop" : "tool-calls",
        // About as many as there are: what cannot be is doubted, and told.
        usage: { inputTokens: 40 * asked, outputTokens: 5, totalTokens: 40 * asked + 5 },
      };
    },
  };
}

/** A program defines its agent once, and runs it many times. */
const defined = new Map();

function workerOf(count, output) {
  const key = `${count} ${output}`;
  if (!defined.has(key)) defined.set(key, worker(count, output));
  return defined.get(key);
}

/** One run of so many turns. */
export async function turns(count, journal, output, reasoner = workerOf(count, output)) {
  const end = await run(reasoner, "go", {
    model: instantModel(count),
    journal,
    runId: "bench",
  });
  if (end.status !== "done") throw new Error(`The run ended in ${end.reason}.`);
  return end;
}

/** Every agent has functions of its own, which the engine has to learn. */
export async function warmUp(output) {
  for (const size of [2_000, 1_900, 2_100]) await turns(size, memoryJournal(), output);
}

/** What a journal holds, as text. */
export async function textIn(journal) {
  const chunks = [];
  for await (const chunk of journal.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
