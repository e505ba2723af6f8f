// Time travel, measured: `node bench/time-travel.mjs [events] [journals]` after `npm run build`.
//
// A journal of 100 000 events is opened at its end and at records all over it; 1 000 journals of 200
// events are checked against the code that wrote them, a prompt changed by one word, a tool that was
// added and a guard turned round: in one thread, and by `reckoner replay` on all cores. Next to the time
// on the clock stands that of the processor, which says more where the machine does something else.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { agent, replay, resume, run, scriptedModel, tool } from "reckoner";
import { diff, fork, Timeline } from "reckoner/time-travel";
import { countOf } from "./flags.mjs";

const [events = "100000", journals = "1000"] = process.argv.slice(2);
const EVENTS = countOf(import.meta.filename, "the number of events", events);
const JOURNALS = countOf(import.meta.filename, "the number of journals", journals);
/** Runs that differ; the other journals are copies. */
const RUNS = Math.min(20, JOURNALS);
const COMMAND = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bench-travel-"));

const look = tool({
  name: "look",
  jsonSchema: { type: "object" },
  execute: ({ n }) => `seen ${n}`,
});
const note = tool({ name: "note", jsonSchema: { type: "object" }, execute: () => "noted" });
const clerk = (system = "You are a careful clerk.", tools = [look]) =>
  agent({ name: "clerk", system, tools, maxIterations: 1e9 });
/** A model that counts for itself: to look the turn up in a long transcript costs its length. */
function model(turns) {
  let asked = 0;
  return {
    name: "counting",
    async generate() {
      const n = asked++;
      const content =
        n < turns
          ? { type: "tool-call", toolCallId: `call-${n + 1}`, toolName: "look", input: { n } }
          : { type: "text", text: "done" };
      return {
        content: [content],
        finishReason: n < turns ? "tool-calls" : "stop",
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      };
    },
  };
}

/** A machine that goes on by one of two ways, by a guard. Its source, for a config as well. */
const WALKER = `
import { assign, setupReasoner } from "reckoner/kernel";
const { createReasoner } = setupReasoner();
const ask = {
  type: "issue",
  params: ({ context }) => ({ type: "tool", id: "tool/" + context.n, name: "x", input: {} }),
};
const on = (turned) => ({
  "tool.failed": [
    { guard: ({ context }) => context.n === 198, target: "done" },
    ...["left", "right"].map((target, i) => ({
      guard: ({ context }) => (context.n % 2 === i) !== turned,
      target,
      reenter: true,
      actions: assign(({ context }) => ({ n: context.n + 1 })),
    })),
  ],
});
export const walker = (turned) =>
  createReasoner({
    id: "walker",
    machine: {
      context: { n: 0 },
      initial: "left",
      states: {
        left: { entry: ask, on: on(turned) },
        right: { entry: ask, on: on(turned) },
        done: { type: "final" },
      },
    },
  });
`;
const { walker } = await import(`data:text/javascript,${encodeURIComponent(resolved(WALKER))}`);

/** A module by a URL has no folder from which packages are found. */
function resolved(source) {
  return source.replace("reckoner/kernel", import.meta.resolve("reckoner/kernel"));
}

async function timed(what, work) {
  const from = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000;
  console.log(`${what}: ${ms.toFixed(0)} ms (processor ${cpu.toFixed(0)} ms)`);
  return { result, ms, cpu };
}

/** So many journals of so many different runs. */
async function corpus(name, begin) {
  const at = join(folder, name);
  mkdirSync(at);
  const journals = [];
  for (let i = 0; i < JOURNALS; i++) {
    const journal = join(at, `${i}.jsonl`);
    if (i < RUNS) await begin(i, journal);
    else copyFileSync(journals[i % RUNS], journal);
    journals.push(journal);
  }
  return { at, journals };
}

/** Checks each journal in this thread. @returns how many events a second of the processor */
async function inTurn(what, journals, reasoner) {
  const groups = new Map();
  const { result, ms, cpu } = await timed(what, async () => {
    let events = 0;
    for (const journal of journals) {
      const checked = await replay(reasoner, journal, { keepGoing: true });
      events += checked.events;
      for (const { cause } of checked.causes)
        groups.set(cause.what, (groups.get(cause.what) ?? 0) + 1);
    }
    return events;
  });
  const rate = (time) => ((1000 * result) / time).toFixed(0);
  console.log(`  ${result} events, ${rate(ms)} a second, ${rate(cpu)} of the processor`);
  for (const [cause, n] of groups) console.log(`  ${n} × ${cause}`);
}

/** The same by the command, on all cores. */
async function byCommand(what, at, config) {
  const file = join(folder, "config.mjs");
  writeFileSync(file, config);
  const words = ["replay", at, "--config", file, "--json"];
  const { result, ms } = await timed(what, () =>
    spawnSync(process.execPath, [COMMAND, ...words], { encoding: "utf8", maxBuffer: 2 ** 30 }),
  );
  if (result.stdout === "") throw new Error(result.stderr);
  const { summary, groups, journals } = JSON.parse(result.stdout);
  console.log(
    `  ${journals.length} journals, ${((1000 * journals.length) / ms).toFixed(0)} a second`,
  );
  console.log(`  ${JSON.stringify(summary)}`);
  for (const { journals: n, what: cause } of groups) console.log(`  ${n} × ${cause}`);
}

try {
  const long = join(folder, "long.jsonl");
  await timed(`a run of ${EVENTS} events`, () =>
    run(clerk(), "begin", { model: model(EVENTS / 2 - 1), journal: long }),
  );
  const { result: timeline } = await timed("opened", () => Timeline.open(clerk(), long));
  await timed("the state at its end", () => timeline.stateAt(timeline.events - 1));
  for (const part of [0.999, 0.5, 0.123, 0.87]) {
    const fresh = await Timeline.open(clerk(), long);
    await timed(`the record at ${part}`, () => fresh.at(Math.floor(fresh.events * part)));
    await timed("  the one before", () => fresh.previous());
  }
  const { result: forked } = await timed("forked in its middle", () =>
    fork(long, { at: Math.floor(timeline.events / 2) }),
  );
  await timed("the fork, resumed by one turn", () =>
    resume(clerk(), forked.journal, { model: scriptedModel(() => "done") }),
  );
  await timed("compared with the original", () => diff(long, forked.journal));

  const small = await corpus("clerks", (i, journal) =>
    run(clerk(), `question ${i}`, { model: model(99), journal }),
  );
  await timed("replayed by the same code", async () => {
    for (const journal of small.journals) await replay(clerk(), journal);
  });
  await inTurn("checked by the same code", small.journals, clerk());
  const careless = "You are a careless clerk.";
  await inTurn("a prompt changed by a word", small.journals, clerk(careless));
  await inTurn("a tool added", small.journals, clerk(undefined, [look, note]));
  const walks = await corpus("walks", (_i, journal) => run(walker(false), null, { journal }));
  await inTurn("a guard turned round", walks.journals, walker(true));
  const clerks = (system, tools) => `import { agent, tool } from "reckoner";
const of = (name) => tool({ name, jsonSchema: { type: "object" }, execute: () => "" });
export default agent({ name: "clerk", system: ${JSON.stringify(system)}, tools: [${tools}].map(of), maxIterations: 1e9 });
`;
  await byCommand("on all cores: a prompt", small.at, clerks(careless, '"look"'));
  const careful = "You are a careful clerk.";
  await byCommand("on all cores: a tool", small.at, clerks(careful, '"look", "note"'));
  await byCommand("on all cores: a guard", walks.at, `${WALKER}export default walker(true);`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
