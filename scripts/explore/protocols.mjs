// The journal's protocol: a small run is led through every plan of faults there is, one fault and two,
// at each of its writes and calls. Nothing is drawn by chance.
import fc from "fast-check";
import { agent, agentTool, tool } from "reckoner";
import { decisions } from "reckoner/decisions";
import { brokenUnderFaults, surviving } from "reckoner/testing";

const anything = { type: "object" };
const once = (name) => tool({ name, jsonSchema: anything, execute: () => 1 });
const script = { moves: [], answers: [], values: [] };
const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that calls tools first, and then says that it is done. */
const model =
  (...names) =>
  (directive) => {
    const asked = directive.messages.length ?? directive.messages["@list"]?.size ?? 0;
    const first = !JSON.stringify(directive.messages).includes('"assistant"') && asked < 2;
    const calls = first ? names : [];
    return {
      type: "llm.succeeded",
      content:
        calls.length === 0
          ? [{ type: "text", text: "done" }]
          : calls.map((toolName, i) => ({
              type: "tool-call",
              toolCallId: `call-${i}`,
              toolName,
              input: { prompt: "go", label: "a" },
            })),
      finishReason: calls.length === 0 ? "stop" : "tool-calls",
      usage,
    };
  };

const REACHED = ["nothing", "part", "all"];

/** Every crash at each of so many writes, by itself and followed by a second one. */
function* crashes(writes) {
  for (let at = 0; at < writes; at++) {
    for (const reached of REACHED) {
      const first = { in: "append", at, reached };
      yield { crashes: [first] };
      for (let then = 0; then < writes - at; then++) {
        for (const again of REACHED)
          yield { crashes: [first, { in: "append", at: then, reached: again }] };
      }
    }
  }
}

/** A second process goes on at each write, behind each crash. */
function* twoWriters(writes) {
  for (let takeover = 0; takeover < writes; takeover++) {
    yield { takeover };
    for (let at = 1; at < writes; at++) {
      for (const reached of REACHED) yield { crashes: [{ in: "append", at, reached }], takeover };
    }
  }
}

/** At each call and each observation the process dies; each call goes wrong in each way. */
function* atCalls(writes) {
  for (let at = 0; at < writes; at++) {
    yield { crashes: [{ in: "observation", at, reached: "nothing" }] };
    for (const reached of REACHED) {
      const crash = { in: "call", at, reached };
      yield { crashes: [crash] };
      for (let then = 0; then < 3; then++) yield { crashes: [crash, { ...crash, at: then }] };
    }
    for (const how of TROUBLES) {
      for (const ms of how === "late" ? [1, 60, 1_000_000] : [0]) {
        yield { calls: [{ at, how, ms }] };
        yield { calls: [{ at, how, ms }], stands: [0, 1_000] };
        yield { calls: [{ at, how, ms }], upgrade: 1 };
      }
    }
  }
}

/** Each approval is decided from outside, so many steps after it was asked for; a crash, or none. */
function* races(writes) {
  for (let steps = 0; steps <= 40; steps++) {
    yield { decisions: [steps] };
    yield { decisions: [steps, steps] };
    for (let at = 0; at < writes; at++)
      yield { decisions: [steps, 0], crashes: [{ in: "append", at, reached: "all" }] };
  }
}

/** The driver is dropped after each take, and after each two; a crash, or none. */
function* drops(writes) {
  for (let first = 1; first <= 2 * writes; first++) {
    for (let then = first; then <= 2 * writes; then++) {
      const handovers = [first, then];
      yield { handovers };
      yield { handovers, crashes: [{ in: "append", at: first % writes, reached: "part" }] };
    }
  }
}

/** Behind each crash the run goes on under another configuration, and perhaps crashes once more. */
function* upgrades(writes) {
  for (const plan of crashes(writes)) {
    yield { ...plan, upgrade: 1 };
    if (plan.crashes.length > 1) yield { ...plan, upgrade: 2 };
  }
}

const TROUBLES = ["late", "twice", "never", "refused", "lost"];

/** Each crash, and in each process a call that goes wrong: in each way, at each call. */
function* mixed(writes) {
  for (let at = 0; at < writes; at++) {
    for (const reached of REACHED) {
      for (let call = 0; call < 4; call++) {
        for (const how of TROUBLES) {
          const trouble = { at: call, how, ms: 60 };
          yield { crashes: [{ in: "append", at, reached }], calls: [trouble] };
          yield { crashes: [{ in: "append", at, reached }], calls: [trouble], upgrade: 1 };
        }
      }
    }
  }
}

/** Leads a reasoner through all plans. @returns how many, and what broke first */
function through(reasoner, settlers, plansOf) {
  const input = fc.constant("go");
  const options = { input, script: fc.constant(script), settlers, stores: ["d"], bound: 60 };
  // How many writes there are where nothing goes wrong; a crash makes no more of them.
  const writes = surviving(reasoner, "go", script, {}, options).last.lines.length + 2;
  let plans = 0;
  let processes = 0;
  for (const plan of plansOf(writes)) {
    plans += 1;
    const { crashes = [], takeover, calls, decisions, handovers } = plan;
    const troubled = (calls ?? decisions ?? handovers) === undefined ? 0 : 1;
    processes += crashes.length + (takeover === undefined ? 0 : 2) + troubled + 1;
    const broken = brokenUnderFaults(reasoner, "go", script, plan, options);
    if (broken === undefined) continue;
    const { law, message, text } = broken;
    const told = `${law}\n${JSON.stringify(plan)}\n${message}\n${text}`;
    return { ok: false, plans, processes, text: told };
  }
  return { ok: true, plans, processes };
}

const worker = agent({ name: "worker", tools: [once("a"), once("b")], maxIterations: 3 });
const child = agent({ name: "child", tools: [once("a")], maxIterations: 2 });
const parent = agent({
  name: "parent",
  tools: [agentTool(child, { name: "delegate", description: "Has it done." }), once("b")],
  maxIterations: 2,
});
/** Both ask before they act. */
const asking = (name) =>
  tool({ name, jsonSchema: anything, needsApproval: true, execute: () => 1 });
const careful = agent({ name: "careful", tools: [asking("a")], maxIterations: 2 });
const guarded = agent({
  name: "guarded",
  tools: [agentTool(careful, { name: "delegate", description: "Has it done." }), asking("b")],
  maxIterations: 2,
});
const recorder = agent({
  name: "recorder",
  plugins: [decisions({ store: "d" })],
  maxIterations: 2,
});

const asParent = {
  llm: (directive) =>
    model(
      ...(directive.tools?.some(({ name }) => name === "delegate") ? ["delegate", "b"] : ["a"]),
    )(directive),
};
const withStore = {
  llm: model("add_goal"),
  read: () => ({
    type: "read.succeeded",
    value: { goals: [], goalCount: 0, decisions: [], truncated: false },
  }),
  write: () => ({ type: "write.succeeded", value: { seq: 1, at: 0, nodes: [], edges: [] } }),
};

export const protocols = [
  {
    name: "crashes",
    what: "an agent with two tools that may not be repeated; one and two crashes, before, in and after every write",
    search: () => through(worker, { llm: model("a", "b") }, crashes),
  },
  {
    name: "two-writers",
    what: "the same; a second process goes on at every write, behind every crash",
    search: () => through(worker, { llm: model("a", "b") }, twoWriters),
  },
  {
    name: "calls",
    what: "the same; the process dies at every call, and every call goes wrong in every way",
    search: () => through(worker, { llm: model("a", "b") }, atCalls),
  },
  {
    name: "races",
    what: "an agent and its child, whose approvals are decided as the run comes to wait, 0 to 40 steps later",
    search: () => through(guarded, asParent, races),
  },
  {
    name: "dropped-drivers",
    what: "the same two; the driver is dropped after every take, and every two, with a crash and without",
    search: () => through(guarded, asParent, drops),
  },
  {
    name: "parent-and-child",
    what: "an agent and its child; one and two crashes of either, before, in and after every write",
    search: () => through(parent, asParent, crashes),
  },
  {
    name: "upgrades",
    what: "the same two; behind a crash the run goes on under another configuration",
    search: () => through(parent, asParent, upgrades),
  },
  {
    name: "mixed",
    what: "the same two; one crash, a call that goes wrong in each way, with an upgrade and without",
    search: () => through(parent, asParent, mixed),
  },
  {
    name: "decision-writes",
    what: "an agent that writes decisions; one and two crashes, before, in and after every write",
    search: () => through(recorder, withStore, crashes),
  },
];
