// A process of its own, under a limit of open files: a run with so many children that ask, in a file,
// and its resume with all of them approved.
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";

const load = createJiti(import.meta.url);
const source = (path) =>
  load.import(fileURLToPath(new URL(`../../../../src/${path}`, import.meta.url)));
const { agent, agentTool, resume, run, scriptedModel, tool } = await source("index.ts");
const { fileJournal } = await source("adapters/file-journal/index.ts");

const [path, count] = process.argv.slice(2);
let paid = 0;
const pay = tool({
  name: "pay",
  jsonSchema: {},
  needsApproval: true,
  execute: () => {
    paid += 1;
    return "paid";
  },
});
const child = agent({ name: "child", system: "child", tools: [pay] });
const parent = agent({
  name: "parent",
  system: "parent",
  tools: [agentTool(child, { name: "child" })],
});
const call = { name: "child", input: { prompt: "go" } };
const model = scriptedModel(({ system }, turn) => {
  if (turn > 0) return "done";
  return { calls: system === "parent" ? Array(Number(count)).fill(call) : [{ name: "pay" }] };
});

const first = await run(parent, "go", { model, journal: fileJournal(path) });
const approvals = Object.fromEntries(
  (first.approvals ?? []).map(({ id }) => [id, { approve: true }]),
);
const second = await resume(parent, fileJournal(path), { model, approvals });
process.stdout.write(
  JSON.stringify({
    first: first.status,
    approvals: Object.keys(approvals).length,
    second: second.status,
    paid,
  }),
);
