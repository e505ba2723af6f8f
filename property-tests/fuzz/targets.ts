// What is fuzzed: each target is given something hostile, and comes to an outcome that is allowed: it
// went well, or it was refused with a code. Anything else is a find, and thrown.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { jsonSchema } from "../../src/adapters/json-schema/index.js";
import { main } from "../../src/cli/program.js";
import type { Io } from "../../src/cli/terminal/io.js";
import { HASH_KEY, lineHash } from "../../src/core/journal/index.js";
import { digestOf, isReckonerError, type Json } from "../../src/core/kernel/values/index.js";
import { DecisionGraph } from "../../src/decisions/pure/index.js";
import {
  agent,
  agentContext,
  fold,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../src/index.js";
import { splitJournal, textJournal } from "../../src/testing/text-journal.js";
import { textIn } from "../../test/support/journal-text.js";
import { bent, garbled, oddJson, oddValue, type Random } from "./hostile.js";

const { deserialize } = agentContext;

/** What a case came to. */
export type Outcome = "well" | "refused";

/** One kind of input. It throws what must not happen. */
export type Target = (random: Random) => Promise<Outcome>;

const anything = { type: "object" } as const;

const worker = agent({
  name: "worker",
  deps: { sum: 0 },
  tools: [
    tool({
      name: "look",
      jsonSchema: anything,
      idempotent: true,
      execute: () => ["seen", { at: 1 }],
    }),
    tool({ name: "pay", jsonSchema: anything, needsApproval: true, execute: () => "paid" }),
  ],
  maxIterations: 4,
});
const model = () =>
  scriptedModel([
    { text: "Looking.", calls: [{ name: "look", input: { a: 1 } }, { name: "look" }] },
    { calls: [{ name: "pay", input: { cents: 100 } }] },
    "Paid.",
  ]);
const approvals = { "approval/1/0": { approve: true } };

/** Lets a case fail with a code, and with nothing else. */
async function coded(work: () => unknown): Promise<Outcome> {
  try {
    await work();
    return "well";
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.message.length < 100_000) return "refused";
    throw thrown;
  }
}

/** A folder with a journal that waits, and its snapshots. */
async function inFolder(
  work: (path: string, folder: string) => Promise<Outcome>,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-fuzz-"));
  try {
    const path = join(folder, "run.jsonl");
    await run(worker, "go", { model: model(), journal: path, runId: "r", timers: "return" });
    return await work(path, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let recorded: Promise<string> | undefined;
/** The text of a journal that is done. */
function journalText(): Promise<string> {
  recorded ??= (async () => {
    const journal = memoryJournal();
    await run(worker, "go", { model: model(), journal, runId: "r" });
    await resume(worker, journal, { model: model(), approvals });
    return textIn(journal);
  })();
  return recorded;
}

/** Lines with hashes that fit them, so that what they say is looked at. */
function signed(lines: readonly string[]): string {
  let previous = "";
  return lines
    .map((line) => {
      const open = line.slice(0, line.lastIndexOf(HASH_KEY));
      previous = lineHash(previous, open);
      return `${open}${HASH_KEY}${previous}"}\n`;
    })
    .join("");
}

/** Puts the mark of a snapshot into a journal, in place of its last line, which is one. */
function prove(path: string, text: string): void {
  const { lines } = splitJournal(readFileSync(path, "utf8"));
  const mark = { snapshot: digestOf(text), size: text.length };
  const last = `{"mark":${JSON.stringify(mark)}${HASH_KEY}${"x".repeat(32)}"}`;
  writeFileSync(path, signed([...lines.slice(0, -1), last]));
}

/** A line with a part of it bent; its hash still is the last part. */
function bentLine(random: Random, line: string): string {
  const { hash, ...parts } = JSON.parse(line) as { hash: string; [part: string]: Json };
  const made = bent(random, parts);
  const open = JSON.stringify(typeof made === "object" && !Array.isArray(made) ? made : { made });
  const comma = open === "{}" ? '{"x":1' : open.slice(0, -1);
  return `${comma}${HASH_KEY}${hash}"}`;
}

/** Every way to read a journal. */
async function readAll(text: string): Promise<Outcome> {
  const before = text;
  const journal = textJournal(text);
  const outcomes = [
    await coded(() => replay(worker, journal)),
    await coded(() => fold(worker, journal)),
    await coded(() =>
      resume(worker, textJournal(text), { model: model(), approvals, timers: "return" }),
    ),
  ];
  if (journal.text !== before) throw new Error("A journal that was only read was changed.");
  return outcomes.includes("refused") ? "refused" : "well";
}

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A run that must end or wait, whatever its ports say; its journal then replays. */
async function settles(start: (journal: ReturnType<typeof memoryJournal>) => PromiseLike<unknown>) {
  const journal = memoryJournal();
  const outcome = await coded(() => start(journal));
  if (outcome === "well") {
    const report = await replay(worker, journal);
    if (report.status !== "identical") throw new Error("What was recorded does not replay.");
  }
  return outcome;
}

/** A command's world, of which nothing is kept. */
function quietIo(cwd: string) {
  const sink = () => Object.assign(new PassThrough().resume(), { isTTY: false });
  let said = "";
  const stderr = sink().on("data", (text) => {
    said += String(text);
  });
  const io: Io = {
    stdin: new PassThrough(),
    stdout: sink(),
    stderr,
    cwd,
    env: {},
    onInterrupt: () => () => {},
    onTerminate: () => () => {},
    onKey: () => () => {},
    startWatchdog: () => () => {},
    onExit: () => () => {},
    exit() {},
  };
  return { io, said: () => said };
}

/** All targets, by name. */
export const targets: { readonly [name: string]: Target } = {
  async journals(random) {
    const { lines } = splitJournal(await journalText());
    const at = random.below(lines.length);
    const changed = [...lines];
    const way = random.below(4);
    if (way === 0) return readAll(garbled(random, lines.map((line) => `${line}\n`).join("")));
    if (way === 1) changed.splice(at, 1 + random.below(2));
    else if (way === 2) changed.splice(at, 0, lines[random.below(lines.length)] as string);
    else changed[at] = bentLine(random, lines[at] as string);
    return readAll(signed(changed));
  },

  snapshots: (random) =>
    inFolder(async (path) => {
      const folder = `${path}.snapshots`;
      const isProven = random.next() < 0.4;
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        // Rows that snapshots share are a text each, behind its hash.
        if (!name.endsWith(".json")) {
          if (random.next() < 0.5) writeFileSync(file, garbled(random, readFileSync(file, "utf8")));
          continue;
        }
        const parts = readFileSync(file, "utf8").split("\n");
        const at = isProven || random.next() < 0.5 ? 1 : 0;
        parts[at] = JSON.stringify(bent(random, JSON.parse(parts[at] as string)));
        const made = parts.join("\n");
        writeFileSync(file, isProven || random.next() < 0.6 ? made : garbled(random, made));
        // Whoever can rewrite the journal can prove anything: it ends well or with a code all the same.
        if (isProven) prove(path, parts[1] as string);
      }
      let status = "";
      // One that says that the journal was longer is refused, and not believed otherwise.
      const outcome = await coded(async () => {
        status = (await resume(worker, path, { model: model(), approvals })).status;
      });
      if (isProven || outcome === "refused") return outcome;
      if (status !== "done") throw new Error(`A snapshot made the run end as ${status}.`);
      if ((await replay(worker, path)).status !== "identical")
        throw new Error("It does not replay.");
      return "well";
    }),

  configs: (random) =>
    inFolder(async (path, folder) => {
      const parts = [
        () => `export default ${JSON.stringify(oddJson(random, 2)) ?? "1"};`,
        () =>
          garbled(random, 'import { agent } from "reckoner"; export default agent({ name: "a" });'),
        () =>
          `import { agent } from "reckoner"; export default agent(${JSON.stringify(oddJson(random, 2))});`,
        () => `export default { reasoner: ${JSON.stringify(oddJson(random, 1))}, model: 7 };`,
        () => "throw undefined;",
        () => `throw { toString() { throw 1; } };`,
        () => "export default new Proxy({}, { get() { throw new Error('a trap'); } });",
      ];
      const config = join(folder, "config.ts");
      writeFileSync(config, random.pick(parts)());
      const before = readFileSync(path, "utf8");
      const { io, said } = quietIo(folder);
      const words = random.pick([
        ["replay", "run.jsonl", "--config", "config.ts"],
        ["resume", "run.jsonl", "--config", "config.ts"],
        ["run", "config.ts", "--prompt", "go", "--json"],
        ["show", "run.jsonl", "--config", "config.ts"],
        ["graph", "config.ts"],
      ]);
      const code = await main(io, words);
      if (![0, 1, 2, 3].includes(code)) throw new Error(`The command ends with ${code}.`);
      if (said().includes("(unexpected;")) throw new Error(`No code: ${said()}`);
      if (code === 2 && readFileSync(path, "utf8") !== before)
        throw new Error("It was written to.");
      return code === 2 ? "refused" : "well";
    }),

  answers: (random) =>
    settles((journal) => {
      const plain = { content: [{ type: "text", text: "so" }], finishReason: "stop", usage };
      const call = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };
      const calls = { ...plain, content: [call, call], finishReason: "tool-calls" };
      const generate = async () => {
        const way = random.below(6);
        if (way === 0) throw oddValue(random);
        if (way === 1) return oddValue(random);
        if (way === 2)
          return { ...plain, [random.pick(["content", "usage", "type", "id"])]: oddValue(random) };
        if (way === 3)
          return {
            ...calls,
            content: [call, { ...call, [random.pick(Object.keys(call))]: oddValue(random) }],
          };
        return bent(random, (way === 4 ? plain : calls) as unknown as Json);
      };
      const port = { name: "hostile", generate } as never;
      return run(worker, "go", {
        model: port,
        journal,
        runId: "r",
        timers: "return",
        retry: { attempts: 1 },
      });
    }),

  results: (random) =>
    settles((journal) => {
      const execute = () => {
        if (random.next() < 0.3) throw oddValue(random);
        return oddValue(random);
      };
      const hostile = { ...worker.tools.look, execute };
      const reasoner = { ...worker, tools: { ...worker.tools, look: hostile } };
      return run(reasoner as never, "go", {
        model: model(),
        journal,
        runId: "r",
        timers: "return",
      });
    }),

  async contexts(random) {
    const good = { version: 1, agentName: "a", messages: [], deps: {}, toolCalls: [] };
    const made = random.next() < 0.3 ? oddValue(random) : bent(random, good as unknown as Json);
    const result = deserialize(made as never) as { ok: boolean; error?: string };
    if (result.ok) return "well";
    if (typeof result.error !== "string") throw new Error("It is refused without a word.");
    return "refused";
  },

  async decisions(random) {
    const id = (n: number) => n.toString(16).padStart(32, "0");
    const node = (n: number) => ({
      id: id(n),
      type: random.pick(["goal", "decision"]),
      label: `n${n}`,
    });
    const operations = [
      { type: "addNode", node: node(1), at: 1 },
      { type: "addNode", node: node(2), at: 2 },
      {
        type: "addEdge",
        edge: { id: id(9), fromId: id(1), toId: id(2), edgeType: "leads_to" },
        at: 3,
      },
      { type: "supersede", oldId: id(2), newId: id(1), rationale: "since", edgeId: id(8), at: 4 },
    ];
    const graph = new DecisionGraph();
    const seen = () =>
      JSON.stringify([graph.read({ type: "nodes" }), graph.read({ type: "stats" })]);
    const before = seen();
    const outcome = await coded(() =>
      graph.write(bent(random, operations as unknown as Json) as never),
    );
    if (outcome === "refused" && seen() !== before) throw new Error("The graph was changed.");
    return outcome;
  },

  async schemas(random) {
    const schema = {
      type: "object",
      properties: { a: { type: "string", pattern: "^a+$" }, b: { $ref: "#/$defs/b" } },
      required: ["a"],
      $defs: { b: { type: "array", items: { $ref: "#/$defs/b" } } },
    };
    return coded(async () => {
      const made = bent(random, schema as unknown as Json);
      const inputSchema = jsonSchema(made as never);
      const strange = tool({ name: "strange", inputSchema, execute: () => 1 });
      const reasoner = agent({ name: "s", tools: [strange], maxIterations: 2 });
      const asked = scriptedModel([
        { calls: [{ name: "strange", input: oddJson(random) }] },
        "done",
      ]);
      const end = await run(reasoner, "go", { model: asked, timers: "return" });
      if (end.status === "waiting") throw new Error("It waits for nothing.");
    });
  },
};
