// Kills real processes with SIGKILL, at random moments and at exact points, resumes their runs in new
// ones until they end, and checks from outside that nothing ran twice (P2) and that every journal
// replays (P1). Half of the kills hit trees of runs, at any place of the tree. Then plants a fault in
// the journal, and has to find it.
//
//   npm run kill                            200 kills, then the planted fault
//   npm run kill -- --kills 50 --seed 7     the same again
//   npm run kill -- --no-plant              without the planted fault
//   npm run kill -- --plant late-mark       with the fault: start marks are written behind the tool
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./ensure-built.mjs";
import { randomFrom } from "./random.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    plant: { type: "string", default: "" },
    side: { type: "string", default: "2" },
    "no-plant": { type: "boolean", default: false },
  },
});
if (!["", "late-mark"].includes(values.plant)) {
  console.error(`No fault is called ${values.plant}; there is late-mark.`);
  process.exit(2);
}
ensureBuilt();
const { checkProcess, checkRun, counted, journalled } = await import("./kill/check.mjs");
const { journalFile, SHAPES, toolFile } = await import("./kill/agent.mjs");

const CHILD = join(import.meta.dirname, "kill/child.mjs");
/** A process that does nothing for so long hangs. */
const HANGS_MS = 30_000;
/** Processes that may be killed before one run must have ended. */
const MOST_PROCESSES = 200;

const EXACT = ["tool", "tool-done", "tool-done", "model", "append", "appended", "torn"];

/** When a process is to die: at a point of its own, after a time, or when a file has grown. */
function chooseKill(random) {
  const whole = (below) => Math.floor(random() * below);
  const kind = random();
  if (kind < 0.5) return { at: EXACT[whole(EXACT.length)], count: 1 + whole(7) };
  if (kind < 0.75) return { at: "time", count: whole(120) };
  return { at: random() < 0.5 ? "tool lines" : "journal bytes", count: whole(5) };
}

/** Runs a process until it ends or is killed; resolves to whether it was killed. */
function runChild(folder, shape, kill, plant) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, folder, shape, JSON.stringify(kill), plant], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    let erred = "";
    let watch;
    const hang = setTimeout(() => {
      erred += `\nIt did nothing for ${HANGS_MS} ms.`;
      child.kill("SIGKILL");
    }, HANGS_MS);
    child.stderr.on("data", (chunk) => {
      erred += chunk;
    });
    child.stdout.on("data", (chunk) => {
      if (said === "") watch = killLater(child, folder, kill);
      said += chunk;
    });
    child.on("exit", (code, signal) => {
      clearTimeout(hang);
      clearInterval(watch);
      clearTimeout(watch);
      if (erred === "" && signal === "SIGKILL") {
        dropNamelessLocks(folder);
        resolve(true);
      } else if (erred === "" && code === 0) resolve(false);
      else reject(new Error(`a process ended ${signal ?? code}: ${erred}`));
    });
  });
}

/** A lock that was killed before its name was in it is free in half a minute: nobody waits for that here. */
function dropNamelessLocks(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (/\.lock(?:\.|$)/.test(name) && sizeOf(path) === 0) rmSync(path, { force: true });
  }
}

const sizeOf = (path) => (existsSync(path) ? statSync(path).size : 0);

function killLater(child, folder, { at, count }) {
  if (at === "time") return setTimeout(() => child.kill("SIGKILL"), count);
  const size = {
    "tool lines": () => sizeOf(toolFile(folder)),
    "journal bytes": () => sizeOf(journalFile(folder)),
  }[at];
  if (size === undefined) return undefined;
  const due = size() + 1 + count * (at === "tool lines" ? 20 : 700);
  return setInterval(() => {
    if (size() >= due) child.kill("SIGKILL");
  }, 1);
}

/** One run, killed again and again until it ends or no kills are left. */
async function journey(tally, random, plant) {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-kill-"));
  const shape = SHAPES[tally.trees * 2 > tally.kills ? 0 : 1];
  const wrong = [];
  try {
    for (let i = 0; i < MOST_PROCESSES; i++) {
      const before = journalled(folder);
      const countedBefore = counted(folder);
      const spare = tally.kills < tally.wanted;
      const kill = spare ? chooseKill(random) : { at: "never", count: 0 };
      const killed = await runChild(folder, shape, kill, plant);
      if (killed) {
        tally.kills += 1;
        if (shape === "tree") tally.trees += 1;
        tally.at.set(kill.at, (tally.at.get(kill.at) ?? 0) + 1);
      }
      // Without a whole header the run never began: it is removed, as the message of resume says.
      if (killed && !journalled(folder).begun) rmSync(journalFile(folder), { force: true });
      wrong.push(...checkProcess(before, countedBefore, counted(folder)));
      if (!killed) break;
    }
    const run = await checkRun(folder, shape);
    wrong.push(...run.wrong);
    tally.unknown += run.unknown;
  } catch (error) {
    wrong.push(error.message);
  }
  tally.runs += 1;
  tally.wrong.push(...wrong);
  if (wrong.length === 0 || plant !== "") rmSync(folder, { recursive: true, force: true });
  else console.error(`${wrong.join("\n")}\nThe files are kept in ${folder}`);
}

/** Journeys until enough processes were killed, several side by side. */
async function campaign({ kills, seed, plant, side }) {
  const tally = {
    wanted: kills,
    kills: 0,
    trees: 0,
    runs: 0,
    unknown: 0,
    at: new Map(),
    wrong: [],
  };
  const lane = async (number) => {
    const random = randomFrom(seed + number * 7_919);
    while (tally.kills < kills && (plant === "" || tally.wrong.length === 0)) {
      await journey(tally, random, plant);
    }
  };
  await Promise.all(Array.from({ length: side }, (_, number) => lane(number)));
  return tally;
}

const seed = Number(values.seed);
const side = Number(values.side);
console.log(`kill: seed ${seed}; repeat with --seed ${seed}`);
const begun = performance.now();
const main = await campaign({ kills: Number(values.kills), seed, plant: values.plant, side });
const planted =
  values.plant === "" && !values["no-plant"] && main.wrong.length === 0
    ? await campaign({ kills: 60, seed, plant: "late-mark", side })
    : undefined;
// What counts is a tool that ran twice, not a process that fell over.
const found = planted?.wrong.some((each) => /ran \d+ times/.test(each));
const blind = planted !== undefined && !found;
const points = [...main.at].map(([at, count]) => `${at} ${count}`).join(", ");
console.log(
  [
    `kill: ${main.kills} kills of ${main.runs} runs, ${main.trees} of trees (${points})`,
    `${main.unknown} tools left unknown`,
    `${main.wrong.length} violations`,
    ...(planted === undefined
      ? []
      : [
          blind
            ? "the planted fault was NOT found"
            : `the planted fault found after ${planted.kills}`,
        ]),
    `${((performance.now() - begun) / 1_000).toFixed(1)} s`,
  ].join("; "),
);
if (values.plant !== "") for (const each of main.wrong) console.error(each);
process.exit(main.wrong.length > 0 || blind ? 1 : 0);
