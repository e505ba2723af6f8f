// Our own machines, searched through: what may happen to each, and what has to hold.
import { agent, agentTool, messagesOf, toArray, tool } from "reckoner";
import { decisions } from "reckoner/decisions";
import { law, transcriptFault } from "reckoner/testing";
import {
  beamSearch,
  generate,
  keepBest,
  keepValid,
  plan,
  score,
  thoughts,
} from "reckoner/thoughts";

const anything = { type: "object" };
const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model's answer: a text, or calls by the names of their tools. */
function answer(...names) {
  const calls = names.map((toolName, i) => ({
    type: "tool-call",
    toolCallId: `call-${i}`,
    toolName,
    input: { prompt: "go" },
  }));
  return {
    type: "llm.succeeded",
    content: calls.length === 0 ? [{ type: "text", text: "done" }] : calls,
    finishReason: calls.length === 0 ? "stop" : "tool-calls",
    usage,
  };
}

const failed = { code: "scripted", message: "It failed." };
const oneOf = (answers) => (_directive, choose) => answers[choose(answers.length)];
const everyOutcome = oneOf([
  { type: "tool.succeeded", output: 1 },
  { type: "tool.failed", reason: "error", error: failed },
  { type: "tool.failed", reason: "timeout", error: failed },
  { type: "tool.failed", reason: "unknown", error: failed },
]);

/** P3: before each request, and where nothing is outstanding, every call has one result. */
const validTranscript = law("every call has one result", ({ state, directives }) => {
  const asked = directives.filter(({ type }) => type === "llm");
  for (const { id, messages } of asked) {
    const fault = transcriptFault(messagesOf({ messages }));
    if (fault !== undefined) return `the request ${id}: ${fault}`;
  }
  if (state.status === "active" && state.value !== "ready")
    return asked.length > 0 ? true : undefined;
  const fault = transcriptFault(toArray(state.context.messages));
  return fault === undefined || `the transcript: ${fault}`;
});

/** What has to be approved is begun only where somebody did. */
const approvedFirst = law(
  "what needs approval begins when it is approved",
  ({ event, directives }) => {
    const paid = directives.filter(({ type, name }) => type === "tool" && name === "pay");
    if (paid.length === 0) return undefined;
    return (event.type === "approval.decided" && event.approve) || "it is begun by another event";
  },
);

/** An iteration is an answer; no turn takes more than it may. */
const bounded = law("no turn asks more often than it may", ({ state, directives }) => {
  if (!directives.some(({ type }) => type === "llm")) return undefined;
  const { iteration, turnIteration, maxIterations } = state.context;
  return (
    iteration - turnIteration < maxIterations ||
    `${iteration - turnIteration} answers of ${maxIterations}`
  );
});

const tools = [
  tool({ name: "look", jsonSchema: anything, idempotent: true, execute: () => 1 }),
  tool({ name: "pay", jsonSchema: anything, needsApproval: true, execute: () => 1 }),
  tool({ name: "file", jsonSchema: anything, sequential: true, execute: () => 1 }),
];
const agentLaws = [validTranscript, approvedFirst, bounded];

/** Two turns at least, three tools side by side, each outcome; whatever may come at any moment. */
const oneRun = {
  name: "agent",
  what: "two answers, up to three tools side by side, every outcome; cancel and interrupt at any moment",
  reasoner: agent({ name: "worker", tools, maxIterations: 2 }),
  options: {
    input: "go",
    laws: agentLaws,
    alphabet: { interrupt: true, answers: 6 },
    settlers: {
      llm: oneOf([
        answer(),
        answer("look", "pay", "file"),
        answer("pay", "pay"),
        { type: "llm.failed", error: failed },
      ]),
      tool: everyOutcome,
    },
    depth: 24,
  },
};

/** The same, which goes on under another prompt, with one tool more, at any moment. */
const upgraded = {
  ...oneRun,
  name: "upgrade",
  what: "the agent, which goes on under another prompt and with one tool more at any moment",
  options: {
    ...oneRun.options,
    upgrade: agent({
      name: "worker",
      version: 2,
      system: "Be careful.",
      tools: [...tools, tool({ name: "more", jsonSchema: anything, execute: () => 1 })],
      maxIterations: 2,
    }),
  },
};

/** A conversation: messages at any moment too, so there is no last state. */
const talk = {
  name: "conversation",
  what: "messages, cancel and interrupt at any moment of a conversation",
  reasoner: agent({
    name: "talker",
    tools: tools.slice(0, 2),
    maxIterations: 2,
    conversation: true,
  }),
  options: {
    input: "go",
    laws: agentLaws,
    alphabet: { interrupt: true, messages: ["and?"], answers: 4 },
    settlers: { llm: oneOf([answer(), answer("look", "pay")]), tool: everyOutcome },
    depth: 9,
    beyond: { runs: 2_000, bugDepth: 3 },
  },
};

/** A parent whose children answer in every way. */
const parent = {
  name: "parent",
  what: "an agent with two children and a tool side by side, each with every outcome",
  reasoner: agent({
    name: "parent",
    tools: [
      tools[0],
      agentTool(agent({ name: "child" }), { name: "delegate", description: "Has it done." }),
    ],
    maxIterations: 2,
  }),
  options: {
    input: "go",
    laws: [validTranscript, bounded],
    alphabet: { interrupt: true },
    settlers: {
      llm: oneOf([answer(), answer("delegate", "look", "delegate")]),
      tool: everyOutcome,
      run: oneOf([
        { type: "run.succeeded", runId: "c", output: "did it", usage },
        { type: "run.failed", runId: "c", error: failed, usage },
        { type: "run.failed", error: failed },
      ]),
    },
    depth: 24,
  },
};

/** An agent that records decisions: every write holds, fails, or nobody knows. */
const recorder = {
  name: "decisions",
  what: "reads and writes of the decision graph, each held, failed or unknown, and the turn stopped",
  reasoner: agent({ name: "recorder", plugins: [decisions({ store: "d" })], maxIterations: 2 }),
  options: {
    input: "go",
    laws: [validTranscript, bounded],
    alphabet: { interrupt: true, answers: 6 },
    settlers: {
      llm: oneOf([
        answer(),
        {
          ...answer("add_goal", "add_goal"),
          content: ["a", "b"].map((label, i) => ({
            type: "tool-call",
            toolCallId: `call-${i}`,
            toolName: "add_goal",
            input: { label },
          })),
        },
      ]),
      read: oneOf([
        {
          type: "read.succeeded",
          value: { goals: [], goalCount: 0, decisions: [], truncated: false },
        },
        { type: "read.failed", error: failed },
      ]),
      write: oneOf([
        { type: "write.succeeded", value: { seq: 1, at: 0, nodes: [], edges: [] } },
        { type: "write.failed", error: failed },
        { type: "write.failed", error: { ...failed, code: "store.unknown" } },
      ]),
    },
    depth: 20,
  },
};

/** Every thought that there is room for, and none beyond it. */
const inBudget = law("no budget is passed", ({ state }) => {
  const { budgets, modelCalls } = state.context;
  if (budgets.modelCalls !== null && modelCalls > budgets.modelCalls) return `${modelCalls} calls`;
  const size = state.context.result?.thoughts;
  return (
    size === undefined ||
    budgets.maxNodes === null ||
    size <= budgets.maxNodes ||
    `${size} thoughts`
  );
});
const hasResult = law("what is done has a result", ({ state }) =>
  state.status === "active" ? undefined : state.status !== "done" || state.context.result !== null,
);

const text = (said) => ({
  type: "llm.succeeded",
  content: [{ type: "text", text: said }],
  finishReason: "stop",
  usage,
});
const thoughtsOptions = {
  input: "why?",
  laws: [inBudget, hasResult],
  settlers: { llm: oneOf([text("7"), text("yes"), { type: "llm.failed", error: failed }]) },
};

const planned = {
  name: "thoughts-plan",
  what: "three drafts, scored and validated side by side, with seven calls; every answer good, unreadable or lost",
  reasoner: thoughts({
    name: "planned",
    structured: false,
    policy: plan([generate({ responses: 3 }), score(), keepBest({ n: 2 }), keepValid()]),
    modelCalls: 7,
  }),
  options: { ...thoughtsOptions, depth: 16 },
};

const explored = {
  name: "thoughts-beam-search",
  what: "an exploration of two rounds and two branches with nine calls and seven thoughts",
  reasoner: thoughts({
    name: "explored",
    structured: false,
    policy: beamSearch({ rounds: 2, branching: 2, connect: false }),
    modelCalls: 9,
    maxNodes: 7,
  }),
  options: { ...thoughtsOptions, depth: 16 },
};

export const machines = [oneRun, upgraded, talk, parent, recorder, planned, explored];
