// The agent that is killed: tools of every kind of repeatability, which count their executions in a
// file of their own, and a scripted model that counts its calls.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { agent, agentTool, scriptedModel, tool } from "../../dist/index.js";

/** What the model asks for, turn by turn; then it says that it is done. Capitals are agents. */
const TURNS = {
  alone: [
    ["charge", "note", "pay"],
    ["note"],
    ["flaky", "charge", "big", "note"],
    ["seal", "charge"],
    ["refuse", "note", "pay"],
    ["charge", "charge", "flaky"],
    ["note", "seal", "big"],
  ],
  tree: [["charge", "A", "B"], ["note", "B", "pay"], ["A"]],
  A: [
    ["charge", "note"],
    ["flaky", "pay"],
  ],
  B: [
    ["C", "note"],
    ["charge", "C"],
  ],
  C: [["charge", "pay", "big"], ["seal"]],
};

/** Which agents each may call. */
const CHILDREN = { alone: [], tree: ["A", "B"], A: [], B: ["C"], C: [] };

/** The run id of the first run; those of its children follow from it. */
export const RUN_ID = "killed";

/** Tools that may run again where their outcome is lost. */
export const IDEMPOTENT = new Set(["note", "flaky"]);

/** Runs: one agent by itself, and one with two child agents, of which one has a child. */
export const SHAPES = ["alone", "tree"];

/** The files in which executions are counted, outside of everything that reckoner writes. */
export const toolFile = (folder) => join(folder, "tools");
export const modelFile = (folder) => join(folder, "models");
export const journalFile = (folder) => join(folder, "journal.jsonl");

/**
 * @param folder where executions are counted
 * @param shape one of {@link SHAPES}
 * @param reach called before and after each effect; it may not return
 */
export function killable(folder, shape, reach = () => {}) {
  const counted = (name, options, work) =>
    tool({
      name,
      idempotent: IDEMPOTENT.has(name),
      ...options,
      async execute(_input, context) {
        const id = context.idempotencyKey;
        reach("tool");
        await sleep(5 * (id.charCodeAt(id.length - 1) % 3));
        appendFileSync(toolFile(folder), `${id} ${name}\n`);
        reach("tool-done");
        await sleep(id.charCodeAt(id.length - 1) % 4);
        return work(context);
      },
    });
  const fails = () => {
    throw new Error("it does not work");
  };
  const tools = [
    counted("charge", {}, () => ({ charged: 1 })),
    counted("note", {}, () => "noted"),
    counted("pay", { needsApproval: true }, () => "paid"),
    counted("flaky", { retries: 2 }, ({ retry }) => (retry === 0 ? fails() : "at last")),
    counted("seal", { sequential: true }, () => "sealed"),
    counted("refuse", {}, fails),
    // Long enough for snapshots to be written beside the journal.
    counted("big", {}, () => "big ".repeat(6_000)),
  ];
  const made = (name) => {
    const children = CHILDREN[name].map((child) => agentTool(made(child), { name: child }));
    return agent({ name, system: name, tools: [...tools, ...children] });
  };
  const model = scriptedModel(async ({ system, messages }, turn) => {
    // Each run is given its own id as its prompt.
    const runId = messages[0].content;
    appendFileSync(modelFile(folder), `${runId}:llm/${turn}\n`);
    reach("model");
    await sleep(turn % 3);
    const names = TURNS[system][turn];
    if (names === undefined) return "done";
    const prompt = (i) => `${runId}/tool/${turn}/${i}/0`;
    return { calls: names.map((name, i) => ({ name, input: { prompt: prompt(i) } })) };
  });
  return { agent: made(shape), model };
}
