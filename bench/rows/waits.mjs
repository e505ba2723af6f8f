// What people wait for beside a turn: the longest stop of the event loop under many runs at once, a further call of
// an answer against the AI SDK 7, a replay against doing it live, and time travel in a long journal against reading
// and hashing it. Stops are of processor time, so that what else the machine does is left out.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateText, isStepCount, tool as sdkTool } from "ai-7";
import { z } from "zod";
import { agentTool } from "../../dist/index.js";
import { diff, fork, Timeline } from "../../dist/time-travel.js";
import { cpuSeconds, figure, inTurns, mainThreadSeconds, ratios } from "../figure.mjs";
import { agent, memoryJournal, replay, run, tool, turns, warmUp, worker } from "../turns.mjs";

const MANY = 1_000;
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const say = (text) => ({ content: [{ type: "text", text }], finishReason: "stop", usage });
const called = (count, name, input) =>
  Array.from({ length: count }, (_, i) => ({
    type: "tool-call",
    toolCallId: `call-${i}`,
    toolName: name,
    input,
  }));
/** A model that asks once for so many calls of a tool. */
const asks = (count, name) => ({
  name: "instant",
  generate: async ({ system, messages }) =>
    system === "parent" && messages.length === 1
      ? { content: called(count, name, { prompt: "go" }), finishReason: "tool-calls", usage }
      : say("done"),
});
const parent = (tools) => agent({ name: "parent", system: "parent", tools, maxIterations: 5 });
const child = agent({ name: "child", system: "child" });
const ask = agentTool(child, { name: "ask" });
const echo = tool({ name: "echo", execute: () => "ok" });

/** Milliseconds of the longest time between two turns of the event loop while something is done. */
async function longestStop(work) {
  let longest = 0;
  let last = mainThreadSeconds();
  let isOver = false;
  const look = () => {
    const now = mainThreadSeconds();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await new Promise(setImmediate);
  await work();
  await new Promise(setImmediate);
  look();
  isOver = true;
  return longest * 1_000;
}

const manyRuns = () =>
  Promise.all(
    Array.from({ length: MANY }, () =>
      run(child, "go", { model: asks(0, "none"), journal: memoryJournal() }),
    ),
  );
const manyChildren = () =>
  run(parent([ask]), "go", { model: asks(MANY, "ask"), journal: memoryJournal() });

/** Seconds of each of so many parallel calls beside the first. */
const perCall = (loop) => async () => {
  const [one, many] = await inTurns(3, [
    () => cpuSeconds(() => loop(1)),
    () => cpuSeconds(() => loop(201)),
  ]);
  return (Math.min(...many) - Math.min(...one)) / 200;
};
const ours = async (count) => {
  const end = await run(parent([echo]), "go", {
    model: asks(count, "echo"),
    journal: memoryJournal(),
  });
  if (end.status !== "done") throw new Error(`The run ended in ${end.reason}.`);
};
const sdkUsage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const theirs = async (count) => {
  let asked = 0;
  const { text } = await generateText({
    model: {
      specificationVersion: "v4",
      provider: "bench",
      modelId: "instant",
      supportedUrls: {},
      doGenerate: async () => {
        asked += 1;
        const unified = asked === 1 ? "tool-calls" : "stop";
        return {
          content: asked === 1 ? called(count, "echo", "{}") : [{ type: "text", text: "done" }],
          finishReason: { unified, raw: unified },
          usage: sdkUsage,
          warnings: [],
        };
      },
    },
    prompt: "go",
    tools: {
      echo: sdkTool({ description: "echo", inputSchema: z.object({}), execute: async () => "ok" }),
    },
    stopWhen: isStepCount(5),
  });
  if (text !== "done") throw new Error("The AI SDK's loop has not come to its end.");
};

/** Seconds of a replay of so many turns, against those of doing them. */
async function replayed(count) {
  const journal = memoryJournal();
  const live = await cpuSeconds(() => turns(count, journal));
  const again = await cpuSeconds(() => replay(worker(count), journal));
  return again / live;
}

/** Seconds of reading and hashing a journal line by line, and of what time travel does in it. */
async function travelled(path, events) {
  const hashed = () =>
    cpuSeconds(() => {
      for (const line of readFileSync(path, "utf8").split("\n")) {
        createHash("sha256").update(line).digest("base64url");
      }
    });
  const middle = Math.floor(events / 2);
  const state = async () => (await Timeline.open(worker(1e6), path)).at(middle);
  const forked = () => fork(path, { at: middle, name: `f${Math.random().toString(36).slice(2)}` });
  const other = (await forked()).journal;
  return {
    hash: await hashed(),
    state: await cpuSeconds(state),
    fork: await cpuSeconds(forked),
    diff: await cpuSeconds(() => diff(path, other)),
  };
}

export async function measure({ rounds, longest }) {
  await warmUp();
  const folder = mkdtempSync(join(tmpdir(), "bench-waits-"));
  try {
    const [runs, children] = await inTurns(rounds, [
      () => longestStop(manyRuns),
      () => longestStop(manyChildren),
    ]);
    const [own, sdk] = await inTurns(rounds, [perCall(ours), perCall(theirs)]);
    const [again] = await inTurns(rounds, [() => replayed(2_000)]);
    const events = Math.min(100_000, longest);
    const path = join(folder, "long.jsonl");
    await turns(Math.round(events / 2), path);
    const few = Math.min(rounds, 3);
    const [trips] = await inTurns(few, [() => travelled(path, events)]);
    const against = (name) => trips.map((each) => each[name] / each.hash);
    return [
      figure("stop.runs", `ms, the longest stop of the event loop, ${MANY} runs at once`, runs, {
        aim: { atMost: 50 },
      }),
      figure("stop.children", `ms, the same, ${MANY} children of one run`, children, {
        aim: { atMost: 50 },
      }),
      figure("call.sdk", "a further parallel call against the AI SDK 7's", ratios(own, sdk), {
        aim: { atMost: 1.5 },
      }),
      figure("replay.live", "replay against doing it live", again, { aim: { atMost: 0.6 } }),
      ...["state", "fork", "diff"].map((name) =>
        figure(
          `travel.${name}`,
          `${name} in a journal of ${events} events, against reading and hashing it`,
          against(name),
          { aim: { atMost: 2 } },
        ),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
