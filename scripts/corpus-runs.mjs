// The runs of the corpus's layer of the format, with the code that wrote them. Times, ids and answers are fixed, so
// that whoever records one anew gets the same bytes. What is here does not change once the layer is closed: a
// change of the format gets runs of its own.
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "../dist/adapters/file-journal/index.js";
import {
  agent,
  agentTool,
  contextUpdate,
  ModelError,
  models,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
  withUpdate,
} from "../dist/index.js";
import { checkpoint, fork, rewind } from "../dist/time-travel.js";

const START = 1_700_000_000_000;
const world = (more) => ({ clock: virtualClock(START), seed: "corpus", ...more });
const pay = tool({
  name: "pay",
  description: "Pays an amount.",
  jsonSchema: { type: "object", properties: { amount: { type: "number" } } },
  needsApproval: true,
  execute: ({ amount }) => ({ paid: amount }),
});
const look = tool({
  name: "look",
  jsonSchema: { type: "object", properties: { at: { type: "string" } } },
  idempotent: true,
  execute: ({ at }) =>
    withUpdate({ saw: at, size: "x".repeat(400) }, contextUpdate().increment("n")),
});
const worker = agent({ name: "worker", system: "Work.", tools: [look, pay] });
const boss = agent({
  name: "boss",
  system: "Delegate.",
  deps: { n: 0 },
  tools: [agentTool(worker, { name: "ask" }), look],
});
const chat = agent({ name: "chat", system: "Talk.", conversation: true });
const later = agent({
  name: "boss",
  system: "Lead.",
  version: 2,
  migrations: { 1: (context) => context },
  deps: { n: 0 },
  tools: [agentTool(worker, { name: "ask" }), look],
});
const echo = scriptedModel(({ messages }) => {
  const { content } = messages.at(-1);
  return `You said ${typeof content === "string" ? content : JSON.stringify(content)}.`;
});
/** Answers by the system prompt of who asks, and by how often it was asked. */
const byRole = (script) => {
  const asked = {};
  return scriptedModel(({ system }) => {
    const role = system.split(".")[0];
    asked[role] = (asked[role] ?? -1) + 1;
    return script[role][asked[role]] ?? "done";
  });
};
const asks = (...prompts) => ({
  calls: prompts.map((prompt) => ({ name: "ask", input: { prompt } })),
});
const wants = (name, input) => ({ calls: [{ name, input }] });
export const journalIn = (folder) => fileJournal(join(folder, "run.jsonl"));

/** The agent of the runs that are killed. @param execute of the tool in the middle of which they are */
const stuckAgent = (execute) =>
  agent({
    name: "worker",
    system: "Work.",
    tools: [look, tool({ name: "stuck", jsonSchema: {}, execute })],
  });

/** What a killed process leaves: the files as they are in the middle of a tool. */
async function killedIn(folder, model, more = {}) {
  let left;
  const copy = `${folder}.copy`;
  const stuck = stuckAgent(() => {
    cpSync(folder, copy, { recursive: true });
    left();
    return new Promise(() => {});
  });
  const killed = new Promise((resolve) => {
    left = resolve;
  });
  const live = run(stuck, "Go.", {
    ...world({ model, journal: journalIn(folder), runId: "killed", ...more }),
  });
  await killed;
  live.cancel("the copy is made");
  await live;
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });
  rmSync(copy, { recursive: true });
  for (const name of readdirSync(folder)) if (name.includes(".lock")) rmSync(join(folder, name));
}
const stuckModel = () => scriptedModel([wants("look", { at: "a" }), wants("stuck", {})]);

/** How each is written, into a folder that is empty. */
export const runs = {
  async tree(folder) {
    const model = byRole({
      Delegate: [asks("one", "two"), wants("look", { at: "b" })],
      Work: [wants("look", { at: "c" })],
    });
    await run(boss, "Go.", world({ model, journal: journalIn(folder), runId: "tree" }));
  },
  async "waiting-tree"(folder) {
    const model = byRole({ Delegate: [asks("one")], Work: [wants("pay", { amount: 5 })] });
    await run(boss, "Go.", world({ model, journal: journalIn(folder), runId: "waiting-tree" }));
  },
  async decided(folder) {
    const model = scriptedModel([wants("pay", { amount: 5 }), "paid"]);
    const journal = journalIn(folder);
    const common = world({ model });
    await run(worker, "Go.", {
      ...common,
      journal,
      runId: "decided",
      tenant: "t",
      person: "p",
      tags: ["x"],
    });
    const decision = { approve: true, input: { amount: 4 }, by: "ada" };
    await resume(worker, journal, { ...common, approvals: { "approval/0/0": decision } });
  },
  async conversation(folder) {
    const journal = journalIn(folder);
    const common = world({ model: echo });
    await run(chat, "one", { ...common, journal, runId: "conversation" });
    for (const message of ["two", "three"]) {
      common.clock.advance(1_000);
      await resume(chat, journal, { ...common, messages: [message] });
    }
  },
  /** Its snapshots share rows of messages, and pieces of rows. */
  async long(folder) {
    const common = world({ model: echo });
    const message = (i) => `Message ${i}, of some words. `.repeat(8);
    await run(chat, message(0), { ...common, runId: "long", journal: journalIn(folder) });
    for (let i = 1; i < 20; i++) {
      await resume(chat, journalIn(folder), { ...common, messages: [message(i)] });
    }
  },
  async fork(folder) {
    await this.conversation(folder);
    const common = world({ model: echo });
    const { clock } = common;
    const made = await fork(journalIn(folder), { at: 1, name: "other", runId: "forked", clock });
    await resume(chat, made.journal, { ...common, messages: ["two, otherwise"] });
  },
  async rewound(folder) {
    await this.conversation(folder);
    const journal = journalIn(folder);
    const common = world({ model: echo });
    await checkpoint(journal, { name: "early", at: 1, clock: common.clock });
    await rewind(
      journal,
      { checkpoint: "early" },
      { clock: common.clock, name: "back", runId: "back" },
    );
    await resume(chat, journal, { ...common, messages: ["two, again"] });
  },
  async killed(folder) {
    await killedIn(folder, stuckModel());
  },
  async torn(folder) {
    await killedIn(folder, stuckModel(), { runId: "torn" });
    const path = join(folder, "run.jsonl");
    truncateSync(path, statSync(path).size - 20);
    rmSync(`${path}.end`, { force: true });
  },
  async upgraded(folder) {
    const model = byRole({
      Delegate: [asks("one")],
      Work: [wants("pay", { amount: 5 })],
      Lead: ["done"],
    });
    const journal = journalIn(folder);
    const common = world({ model });
    await run(boss, "Go.", { ...common, journal, runId: "upgraded" });
    common.clock.advance(60_000);
    const approvals = { "tool/0/0/0:approval/0/0": { approve: false, reason: "no" } };
    await resume(later, journal, { ...common, upgrade: true, approvals });
  },
  async attempts(folder) {
    const down = {
      name: "down",
      async generate() {
        throw new ModelError({
          code: "llm.failed",
          message: "Overloaded.",
          status: 529,
          transient: true,
        });
      },
    };
    const model = models([down, { ...echo, name: "up" }]);
    await run(chat, "one", world({ model, journal: journalIn(folder), runId: "attempts" }));
  },
  async linked(folder) {
    const journal = fileJournal(join(folder, "first.jsonl"));
    const common = world({ model: echo });
    await run(worker, "one", { ...common, journal, runId: "first" });
    await run(worker, "two", {
      ...common,
      journal: journalIn(folder),
      runId: "linked",
      from: journal,
    });
  },
};

const unstuck = stuckAgent(() => "free");

/** The code of each run, its last version first, and of what goes on what it is given and comes to. */
export const machines = {
  tree: { code: [boss], status: "done" },
  "waiting-tree": {
    code: [boss],
    given: { approvals: { "tool/0/0/0:approval/0/0": { approve: true } } },
    status: "done",
  },
  decided: { code: [worker], status: "done" },
  conversation: { code: [chat], given: { messages: ["four"] }, status: "waiting" },
  long: { code: [chat], given: { messages: ["one more"] }, status: "waiting" },
  fork: { code: [chat], given: { messages: ["four"] }, status: "waiting" },
  rewound: { code: [chat], given: { messages: ["three, again"] }, status: "waiting" },
  killed: { code: [unstuck], status: "done" },
  torn: { code: [unstuck], status: "done" },
  upgraded: { code: [later, boss], status: "done" },
  attempts: { code: [chat], given: { messages: ["two"] }, status: "waiting" },
  linked: { code: [worker], status: "done" },
};
/** Goes on with any of them. */
export const goOn = (name, journal, more = {}) =>
  resume(machines[name].code, journal, {
    ...world({ model: scriptedModel(() => "done") }),
    ...machines[name].given,
    ...more,
  });
/** Replays any of them. */
export const replayed = (name, journal) => replay(machines[name].code, journal);
