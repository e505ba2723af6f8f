// Figures of the studio in a Chromium of this machine: first paint, a step of the slider, memory. Others on the
// machine make it slower: the work of the page's own thread is told beside that.
//
//   node bench/studio.mjs            prints a table; needs npm run build, and RECKONER_CHROMIUM where it lies elsewhere
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { fileJournal } from "../dist/adapters/file-journal/index.js";
import { agent, memoryJournal, run, scriptedModel, tool } from "../dist/index.js";
import { beamSearch, thoughts } from "../dist/thoughts.js";
import { copyJournal } from "../dist/time-travel.js";

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "reckoner-studio-"));

const look = tool({ name: "look", idempotent: true, execute: ({ text = "" }) => `seen ${text}` });

/** A run of so many turns, each with calls side by side. @param size characters of each argument */
async function ofTurns(journal, turns, size, calls = 2) {
  const own = agent({
    name: "looker",
    system: "You look.",
    tools: [look],
    maxIterations: turns + 1,
  });
  const model = scriptedModel((_request, turn) =>
    turn < turns
      ? {
          calls: Array.from({ length: calls }, (_each, n) => ({
            name: "look",
            input: { text: `${turn} ${n} ${"x".repeat(size)}` },
          })),
        }
      : "That is all.",
  );
  await written(journal, (port) => run(own, "Look.", { model, journal: port }));
}

/** Records in memory first: no line waits for the disk. */
async function written(path, record) {
  const port = memoryJournal();
  await record(port);
  await copyJournal(port, fileJournal(path));
}

/** A run of about so many thoughts. */
async function ofThoughts(journal, count) {
  const own = thoughts({
    name: "thinker",
    policy: beamSearch({
      rounds: Math.ceil(count / 100),
      branching: 10,
      beam: 10,
      score: { by: ({ content }) => content.length % 10 },
      connect: false,
      aggregate: false,
    }),
    maxNodes: count,
  });
  let asked = 0;
  const model = scriptedModel(() => `Thought ${"x".repeat(asked++ % 7)} ${asked}.`);
  await written(journal, (port) => run(own, "Think.", { model, journal: port }));
}

/** A folder of runs, and the code of them. */
async function manyRuns() {
  if (existsSync(join(folder, "many"))) return;
  mkdirSync(join(folder, "many"));
  for (let i = 0; i < 2_000; i++) await ofTurns(join(folder, "many", `${i}.jsonl`), 3, 20);
  const entry = JSON.stringify(join(ROOT, "dist/index.js"));
  const code = `import { agent } from ${entry}; export default { reasoner: agent({ name: "looker" }) };`;
  writeFileSync(join(folder, "code.mjs"), code);
}

/** The journals of the demo, each in a folder of its own. */
async function demo() {
  if (existsSync(join(folder, "demo"))) return;
  const words = [join(ROOT, "scripts/demo.mjs"), "--json", "--folder", join(folder, "demo")];
  execFileSync(process.execPath, words, { stdio: "ignore" });
}

const cases = [
  ["the demo's files", "demo/files/journal.jsonl", demo],
  ["the demo's thoughts", "demo/thoughts/journal.jsonl", demo],
  ["the demo's decisions", "demo/decisions/journal.jsonl", demo],
  ["10 000 events", "large.jsonl", () => ofTurns(join(folder, "large.jsonl"), 100, 20, 99)],
  ["200 MB", "huge.jsonl", () => ofTurns(join(folder, "huge.jsonl"), 170, 30_000, 20)],
  ["2 000 runs", "many", manyRuns],
  ["the same with `--config`", "many --config code.mjs", manyRuns],
  ["500 thoughts", "thoughts.jsonl", () => ofThoughts(join(folder, "thoughts.jsonl"), 500)],
];
const only = process.argv.slice(2);

/** Starts a studio. @returns its address and process */
function studio(words) {
  const main = join(ROOT, "dist/cli/main.js");
  const child = spawn(process.execPath, [main, "studio", ...words], { cwd: folder });
  const url = new Promise((done) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (each) => {
      text += each;
      const [found] = /http\S+\/$/m.exec(text) ?? [];
      if (found !== undefined) done(found);
    });
  });
  return url.then((address) => ({ address, child }));
}

const browser = await chromium.launch({
  executablePath: process.env.RECKONER_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-precise-memory-info"],
});

/** The work of the page's main thread so far, in seconds: what others do on the machine does not count. */
async function workOf(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Takes the time at which the frame was drawn that shows an element first, in milliseconds of the page. */
const painted = (selector) => `
  globalThis.painted = new Promise((done) => {
    new MutationObserver((_all, watch) => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now())));
    }).observe(document, { childList: true, subtree: true });
  });`;

/** Moves the slider through a run, back from its end or forward; each step is drawn before the next one. */
async function stepped(page, isBack) {
  const tookMs = await page.evaluate(async (back) => {
    const slider = document.querySelector("input[type=range]");
    const last = Number(slider.max);
    const from = performance.now();
    for (let i = 0; i < 60; i++) {
      const share = (i + 1) / 61;
      slider.value = String(Math.floor(last * (back ? 1 - share : share)));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => drawn(undefined)));
    }
    return performance.now() - from;
  }, isBack);
  return 60_000 / tookMs;
}

const columns = [
  "what",
  "first paint, s",
  "its work, s",
  "all read, s",
  "steps a second forward",
  "back",
  "with _State_",
  "work of a step, ms",
  "heap, MiB",
  "load",
];
console.log(`| ${columns.join(" | ")} |\n|${" --- |".repeat(columns.length)}`);
try {
  for (const [name, word, make] of cases) {
    if (only.length > 0 && !only.includes(word.split(" ")[0])) continue;
    await make();
    const words = word.split(" ");
    const size = statSync(join(folder, words[0])).size;
    const { address, child } = await studio(words);
    const page = await browser.newPage();
    page.setDefaultTimeout(600_000);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const isRun = word.endsWith(".jsonl");
    await page.addInitScript(painted(isRun ? ".entry" : ".run-row"));
    const begun = performance.now();
    const since = () => ((performance.now() - begun) / 1_000).toFixed(1);
    await page.goto(address);
    const cells = [((await page.evaluate("painted")) / 1_000).toFixed(1)];
    cells.push((await workOf(session)).toFixed(1));
    await page.getByText(/reading (?:\d+ )?more…/).waitFor({ state: "detached" });
    cells.push(since());
    if (isRun) {
      const before = await workOf(session);
      cells.push((await stepped(page, false)).toFixed(0), (await stepped(page, true)).toFixed(0));
      const work = (((await workOf(session)) - before) / 120) * 1_000;
      await page.getByRole("tab", { name: "State" }).click();
      cells.push((await stepped(page, false)).toFixed(0), work.toFixed(0));
    } else cells.push("", "", "", "");
    // What is garbage is not held.
    await session.send("HeapProfiler.collectGarbage");
    const heap = await page.evaluate(() => performance.memory.usedJSHeapSize / 1024 / 1024);
    const told = isRun ? `${name} (${(size / 1e6).toFixed(1)} MB)` : name;
    console.log(`| ${[told, ...cells, heap.toFixed(0), loadavg()[0].toFixed(0)].join(" | ")} |`);
    await page.close();
    child.kill("SIGINT");
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
