// Wide is as flat as long (P5): what one of many costs, with ten times as many beside it. A batch of
// tool calls, approvals that are decided in one resume, child runs, a generate with many responses,
// and the start of a run at the end of a chain of linked ones.
import { cpuSeconds, figure, inTurns, ratios } from "../figure.mjs";
import { collected } from "../heap.mjs";
import { agent, memoryJournal, resume, run, tool } from "../turns.mjs";

const { generate, plan, thoughts } = await import("../../dist/thoughts.js");
const { agentTool } = await import("../../dist/index.js");

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const say = (text) => ({ content: [{ type: "text", text }], finishReason: "stop", usage });
const callsOf = (count, name, input) => ({
  content: Array.from({ length: count }, (_, i) => ({
    type: "tool-call",
    toolCallId: `call-${i}`,
    toolName: name,
    input,
  })),
  finishReason: "tool-calls",
  usage,
});

/** A model that asks a parent for so many calls at once, and says "done" to all else. */
const asks = (count, name, input = {}) => ({
  name: "instant",
  generate: async ({ system, messages }) =>
    system === "parent" && messages.length === 1 ? callsOf(count, name, input) : say("done"),
});

const ended = (end, status = "done") => {
  if (end.status !== status) throw new Error(`The run ended in ${end.reason}.`);
  return end;
};
const parent = (tools) => agent({ name: "parent", system: "parent", tools, maxIterations: 5 });

/** Seconds of the processor for each of so many tool calls in one answer. */
async function batch(count) {
  const echo = tool({ name: "echo", execute: () => "ok" });
  const options = { model: asks(count, "echo"), journal: memoryJournal() };
  return (await cpuSeconds(async () => ended(await run(parent([echo]), "go", options)))) / count;
}

/** … for each of so many approvals that one resume decides. */
async function approvals(count) {
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const one = parent([pay]);
  const model = asks(count, "pay");
  const journal = memoryJournal();
  const rest = ended(await run(one, "go", { model, journal }), "waiting");
  const yes = Object.fromEntries(rest.approvals.map(({ id }) => [id, { approve: true }]));
  return (
    (await cpuSeconds(async () => ended(await resume(one, journal, { model, approvals: yes })))) /
    count
  );
}

/** … for each of so many child runs of one answer. */
async function children(count) {
  const child = agent({ name: "child", system: "child" });
  const one = parent([agentTool(child, { name: "ask" })]);
  const options = { model: asks(count, "ask", { prompt: "x" }), journal: memoryJournal() };
  return (await cpuSeconds(async () => ended(await run(one, "go", options)))) / count;
}

/** … for each response of one generate, and the bytes that each keeps in the heap. */
async function fan(count) {
  const model = { name: "instant", generate: async () => say("a thought") };
  const reasoner = thoughts({ policy: plan([generate({ responses: count })]) });
  const kept = [];
  const before = collected();
  const took = await cpuSeconds(async () => {
    kept.push(ended(await run(reasoner, "why?", { model, journal: memoryJournal() })));
  });
  const heap = (collected() - before) / count;
  if (kept.length !== 1) throw new Error("It is kept until here.");
  return { time: took / count, heap };
}

/** Bytes that the start of the last of so many linked runs reads, and all of them together wrote. */
async function chain(count) {
  const talk = agent({ name: "talk", system: "talk" });
  const model = { name: "instant", generate: async () => say("yes") };
  let read = 0;
  const counted = () => {
    const port = memoryJournal();
    return {
      ...port,
      async *read(from) {
        for await (const chunk of port.read(from)) {
          read += chunk.length;
          yield chunk;
        }
      },
    };
  };
  let last = counted();
  ended(await run(talk, "go", { model, journal: last }));
  for (let i = 1; i <= count; i++) {
    const next = counted();
    read = 0;
    ended(await run(talk, "and", { model, journal: next, from: last }));
    last = next;
  }
  return read;
}

export async function measure({ rounds, longest }) {
  const times = Math.min(rounds, 3);
  const cut = (count) => Math.min(count, longest);
  const grows = async (id, what, work, [few, many]) => {
    await work(few);
    const [short, long] = await inTurns(times, [() => work(few), () => work(many)]);
    return figure(
      `wide.${id}`,
      `${what}: time for each of ${many} against ${few}`,
      ratios(long, short),
      {
        aim: { atMost: 1.5 },
        kept: true,
      },
    );
  };
  const responses = [cut(5_000), cut(50_000)];
  await fan(1_000);
  const [short, long] = await inTurns(
    1,
    responses.map((count) => () => fan(count)),
  );
  const links = [await chain(10), await chain(cut(1_000))];
  const aim = { atMost: 1.5 };
  return [
    await grows("batch", "tool calls of one answer", batch, [cut(1_000), cut(10_000)]),
    await grows("approvals", "approvals decided in one resume", approvals, [
      cut(1_000),
      cut(10_000),
    ]),
    await grows("children", "child runs", children, [cut(250), cut(1_000)]),
    figure(
      "wide.fan",
      `responses of one generate: time for each of ${responses[1]} against ${responses[0]}`,
      [long[0].time / short[0].time],
      { aim, kept: true },
    ),
    figure(
      "wide.fan.heap",
      `responses of one generate: heap for each of ${responses[1]} against ${responses[0]}`,
      [long[0].heap / short[0].heap],
      { aim, kept: true },
    ),
    figure(
      "wide.chain",
      `bytes of journals that the start of the last of ${cut(1_000)} linked runs reads, against the last of 10`,
      [links[1] / links[0]],
      { aim, kept: true },
    ),
  ];
}
