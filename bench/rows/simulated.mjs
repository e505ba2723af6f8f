// Simulated runs of a tree: events a second, with a journal and without one, against an older build. What
// decides and proves is in both; the older one awaited promises and wrote a journal for each child.
//
//   RECKONER_OLDER=/path/to/an/older/checkout npm run bench -- --rows simulated
import { join } from "node:path";
import fc from "fast-check";
import { agent, agentTool, tool } from "reckoner";
import { check, surviving } from "reckoner/testing";
import { cpuSeconds, figure, inTurns, ratios } from "../figure.mjs";

const RUNS = 20;
const script = { moves: [], answers: [], values: [] };

/** A model that calls each tool that it is given, three times. */
const settlers = {
  llm({ tools = [], messages }) {
    const isDone = (messages.length ?? messages.size) > 6;
    const calls = tools.map(({ name }, i) => {
      const input = name.startsWith("ask_") ? { prompt: "go" } : {};
      return { type: "tool-call", toolCallId: `${name}${i}`, toolName: name, input };
    });
    return {
      type: "llm.succeeded",
      usage: {},
      finishReason: isDone ? "stop" : "tool-calls",
      content: isDone ? [{ type: "text", text: "done" }] : calls,
    };
  },
  tool: () => ({ type: "tool.succeeded", output: { ok: true } }),
};

/** A root with tools and two levels of children, made of a build's own functions. */
function tree({ agent, agentTool, tool }) {
  const plain = (name) => tool({ name, execute: () => null });
  const asked = (of, name) => agentTool(of, { name: `ask_${name}`, description: "Asks." });
  const leaf = agent({ name: "leaf", tools: [plain("a"), plain("b")] });
  const middle = agent({ name: "middle", tools: [plain("a"), asked(leaf, "leaf")] });
  return agent({
    name: "root",
    tools: [plain("a"), asked(leaf, "leaf"), asked(middle, "middle")],
  });
}

/** Events a second of a build's simulated runs. */
function simulated(build) {
  const root = tree(build);
  const options = { input: fc.constant("go"), settlers, bound: 1_000 };
  return async () => {
    let events = 0;
    const spent = await cpuSeconds(async () => {
      for (let i = 0; i < RUNS; i++) {
        const { last } = await build.surviving(root, "go", script, {}, options);
        const text = last.text ?? [...last.journal.texts.values()].join("");
        events += text.split('"event":').length - 1;
      }
    });
    return events / spent;
  };
}

/** Events a second of random runs of a tree, without lines. */
async function checked() {
  const weights = {
    cancel: 0,
    interrupt: 0,
    message: 0,
    start: 0,
    stale: 0,
    mistaken: 0,
    again: 0,
  };
  const options = { input: "go", tree: true, settlers, weights, runs: RUNS };
  const root = tree({ agent, agentTool, tool });
  let events = 0;
  const spent = await cpuSeconds(() => {
    events = check(root, { ...options, events: 100, without: [] }).events;
  });
  return events / spent;
}

export async function measure({ rounds }) {
  const older = process.env.RECKONER_OLDER;
  const now = simulated({ agent, agentTool, tool, surviving });
  const works = [now, checked];
  if (older !== undefined) {
    const root = await import(join(older, "dist/index.js"));
    const testing = await import(join(older, "dist/testing.js"));
    works.push(simulated({ ...root, ...testing }));
  }
  for (let i = 0; i < 5; i++) for (const work of works) await work();
  const [own, drawn, before] = await inTurns(rounds, works);
  return [
    figure("simulated", "events a second of a tree, with its journal", own, { better: "more" }),
    figure("simulated.check", "events a second of a tree in check, without", drawn, {
      better: "more",
    }),
    ...(before === undefined
      ? []
      : [
          figure(
            "simulated.older",
            "with its journal, against the older build",
            ratios(own, before),
            {
              aim: { atLeast: 2 },
            },
          ),
        ]),
  ];
}
