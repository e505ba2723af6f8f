// One run of very many events: what it keeps grows with its state and by nothing else, and when it is
// over no listener, timer or handle is left. `node --expose-gc scripts/soak/long-run.mjs --events 100000`
import { getEventListeners } from "node:events";
import { parseArgs } from "node:util";
import { agent, run, tool } from "../../dist/index.js";

const { values } = parseArgs({ options: { events: { type: "string", default: "100000" } } });
const events = Number(values.events);
const turns = events / 2;

function collected() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const journal = {
  name: "forgetful",
  open: async () => ({ append() {}, close: async () => {} }),
  async *read() {},
};
const echo = tool({ name: "echo", execute: () => "ok" });
const reasoner = agent({ name: "worker", tools: [echo], maxIterations: turns + 1 });
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
let asked = 0;
const model = {
  name: "instant",
  generate: async () => {
    asked += 1;
    const content =
      asked > turns
        ? [{ type: "text", text: "done" }]
        : [{ type: "tool-call", toolCallId: `c${asked}`, toolName: "echo", input: {} }];
    return { content, finishReason: asked > turns ? "stop" : "tool-calls", usage };
  },
};

const { signal } = new AbortController();
const resources = () => process.getActiveResourcesInfo();
const before = { resources: resources(), heap: collected() };
const samples = [];
let listeners = 0;
const live = run(reasoner, "go", {
  model,
  journal,
  runId: "long",
  signal,
  observers: [
    ({ type, seq }) => {
      if (type !== "step" || seq === 0 || seq % Math.floor(events / 10) !== 0) return;
      samples.push({ seq, heap: collected() });
      listeners = Math.max(listeners, getEventListeners(signal, "abort").length);
    },
  ],
});
const end = await live;
await new Promise((resolve) => setImmediate(resolve));

const bytesAnEvent = (a, b) => (b.heap - a.heap) / (b.seq - a.seq);
const half = samples[Math.floor(samples.length / 2) - 1];
const early = bytesAnEvent(samples[0], half);
const late = bytesAnEvent(half, samples.at(-1));
const left = getEventListeners(signal, "abort").length;
const after = resources();
for (const each of before.resources) if (after.includes(each)) after.splice(after.indexOf(each), 1);
const wrong = [
  ...(end.status === "done" ? [] : [`the run ended as ${end.status}`]),
  ...(late <= early * 1.25
    ? []
    : [`an event keeps ${Math.round(late)} bytes late and ${Math.round(early)} early`]),
  ...(listeners <= 4 ? [] : [`${listeners} listeners at once on the run's signal`]),
  ...(left === 0 ? [] : [`${left} listeners are left on the run's signal`]),
  ...(after.length === 0 ? [] : [`left behind: ${after.join(", ")}`]),
];
console.log(
  JSON.stringify({
    events: end.state.seq + 1,
    bytesAnEventEarly: Math.round(early),
    bytesAnEventLate: Math.round(late),
    stateBytesAnEvent: Math.round(JSON.stringify(end.state).length / events),
    listeners,
    wrong,
  }),
);
process.exitCode = wrong.length === 0 ? 0 : 1;
