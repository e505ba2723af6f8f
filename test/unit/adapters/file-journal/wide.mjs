// A process of its own, under a limit of open files: a run with so many children that ask, in a file,
// and its resume with all of them approved.
import { fileJournal } from "../../../../dist/adapters/file-journal/index.js";
import { agent, agentTool, resume, run, scriptedModel, tool } from "../../../../dist/index.js";

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
