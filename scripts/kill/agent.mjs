// The agent that is killed: tools of every kind of repeatability, which count their executions in a
// file of their own, and a scripted model that counts its calls.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { agent, scriptedModel, tool } from "../../dist/node.js";

/** What the model asks for, turn by turn; then it says that it is done. */
const TURNS = [
  ["charge", "note", "pay"],
  ["note"],
  ["flaky", "charge", "big", "note"],
  ["seal", "charge"],
  ["refuse", "note", "pay"],
  ["charge", "charge", "flaky"],
  ["note", "seal", "big"],
];

/** Tools that may run again where their outcome is lost. */
export const IDEMPOTENT = new Set(["note", "flaky"]);

/** The files in which executions are counted, outside of everything that reckoner writes. */
export const toolFile = (folder) => join(folder, "tools");
export const modelFile = (folder) => join(folder, "models");
export const journalFile = (folder) => join(folder, "journal.jsonl");

/**
 * @param folder where executions are counted
 * @param reach called before and after each effect; it may not return
 */
export function killable(folder, reach = () => {}) {
  const counted = (name, options, work) =>
    tool({
      name,
      idempotent: IDEMPOTENT.has(name),
      ...options,
      async execute(context) {
        const id = context.idempotencyKey.slice(context.runId.length + 1);
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
  const model = scriptedModel(async (_request, turn) => {
    appendFileSync(modelFile(folder), `llm/${turn}\n`);
    reach("model");
    await sleep(turn % 3);
    const calls = TURNS[turn];
    return calls === undefined ? "done" : { calls: calls.map((name) => ({ name })) };
  });
  return { agent: agent({ name: "killable", tools }), model };
}
