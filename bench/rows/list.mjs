// A list of a folder of 10 000 runs that is indexed: its processor time and memory, against reading and parsing the
// index and one stat a run. Each is a process of its own, less one that lists a folder of one run, or does nothing.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, inTurns, ratios } from "../figure.mjs";
import { agent, memoryJournal, run, textIn } from "../turns.mjs";

const COMMAND = join(import.meta.dirname, "../../dist/cli/main.js");
const INDEX = ".reckoner-rows";

/** Prints the processor time of the main thread in milliseconds, and the most memory that was held in MiB. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from "node:fs";
  process.on("exit", () => {
    const { maxRSS } = process.resourceUsage();
    let ms;
    try {
      ms = Number(readFileSync("/proc/self/task/" + process.pid + "/schedstat", "utf8").split(" ")[0]) / 1e6;
    } catch {
      const { user, system } = process.cpuUsage();
      ms = (user + system) / 1e3;
    }
    writeSync(3, JSON.stringify({ ms, MiB: maxRSS / 1024 }));
  });
`)}`;

/** The least that a list can do. */
const BARE = `
  import { readFileSync, statSync } from "node:fs";
  const rows = readFileSync("${INDEX}", "utf8").split("\\n").filter(Boolean).map((line) => JSON.parse(line));
  let bytes = 0;
  for (const { journal } of rows) bytes += statSync(journal).size;
  if (bytes === 0) process.exitCode = 1;
`;

function spent(cwd, words) {
  const { status, output } = spawnSync(process.execPath, ["--import", TELL, ...words], {
    cwd,
    stdio: ["ignore", "ignore", 2, "pipe"],
  });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}.`);
  return JSON.parse(String(output[3]));
}

/** Puts so many finished runs of a few turns into a folder. */
async function fill(folder, count) {
  mkdirSync(folder);
  const talk = agent({ name: "talk", system: "You talk." });
  const model = {
    name: "instant",
    generate: async () => ({
      content: [{ type: "text", text: "A train leaves every hour, on the hour." }],
      finishReason: "stop",
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    }),
  };
  for (let i = 0; i < count; i++) {
    const journal = memoryJournal();
    const prompt = `When does train ${i} leave, and when does it come to the place to which it goes?`;
    await run(talk, prompt, { model, journal, runId: `run-${i}` });
    writeFileSync(join(folder, `${i}.jsonl`), await textIn(journal));
  }
}

export async function measure({ rounds, longest }) {
  const count = Math.min(10_000, longest);
  const place = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
  const [folder, one] = [join(place, "runs"), join(place, "one")];
  try {
    await fill(folder, count);
    mkdirSync(one);
    cpSync(join(folder, "0.jsonl"), join(one, "0.jsonl"));
    const list = (cwd, ...words) => spent(cwd, [COMMAND, ...words]);
    const first = list(folder, "list", ".");
    if (!readdirSync(folder).includes(INDEX)) throw new Error("The folder has no index.");
    list(one, "list", ".");
    const commands = [
      ["list", "."],
      ["list", ".", "--json"],
      ["observe", "status", "."],
    ];
    const works = commands.flatMap((words) => [
      () => list(folder, ...words),
      () => list(one, ...words),
    ]);
    const bare = (code) => spent(folder, ["--input-type=module", "-e", code]);
    const [least, nothing, ...all] = await inTurns(rounds, [
      () => bare(BARE),
      () => bare(""),
      ...works,
    ]);
    const over = (more, less) => more.map(({ ms }, i) => ms - less[i].ms);
    const floor = over(least, nothing);
    return [
      figure("list.bare", `ms to read and parse an index of ${count} runs, and a stat each`, floor),
      figure("list.first", `ms of the first list of ${count} runs, which reads their journals`, [
        first.ms,
      ]),
      ...commands.flatMap((words, i) => {
        const [whole, alone] = [all[2 * i], all[2 * i + 1]];
        const name = words.join(" ");
        return [
          figure(
            `list.${words.join("-").replace("-.", "")}`,
            `reckoner ${name} of ${count} runs against reading the index and a stat each`,
            ratios(over(whole, alone), floor),
            { aim: { atMost: 2 }, kept: true },
          ),
          figure(
            `list.${words.join("-").replace("-.", "")}.memory`,
            `MiB that reckoner ${name} of ${count} runs holds at most`,
            whole.map(({ MiB }) => MiB),
            { aim: { atMost: 150 } },
          ),
        ];
      }),
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
