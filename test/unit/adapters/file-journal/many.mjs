// A process of its own, under a limit of open files: so many runs at once, each with a journal in a file, all
// of them open while their models think. It says how many files were open, where the system tells that.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "../../../../dist/adapters/file-journal/index.js";
import { agent, run } from "../../../../dist/index.js";

const [folder, count] = process.argv.slice(2);
const OPEN = "/proc/self/fd";
const openFiles = () => (existsSync(OPEN) ? readdirSync(OPEN).length : 0);
const before = openFiles();
/** Files that stay open between two appends of whoever wrote last. */
const KEPT = 64;
let asked = 0;
let most = 0;
let atOnce = 0;
let answer = () => {};
/** Waits until what was to be written is written: all runs are open, and none has anything to say. */
async function quiet() {
  for (let i = 0; i < 20_000 && openFiles() > before + KEPT; i++) await new Promise(setImmediate);
  atOnce = openFiles();
}
const all = new Promise((resolve) => {
  answer = resolve;
});
const model = {
  name: "slow",
  async generate() {
    asked += 1;
    most = Math.max(most, openFiles());
    if (asked === Number(count)) quiet().then(answer);
    await all;
    return { content: [{ type: "text", text: "done" }], finishReason: "stop", usage: {} };
  },
};
const chat = agent({ name: "chat", conversation: true });
const ends = await Promise.all(
  Array.from({ length: Number(count) }, (_, i) =>
    run(chat, "go", { model, journal: fileJournal(join(folder, `${i}.jsonl`)) }),
  ),
);
const waiting = ends.filter(({ status }) => status === "waiting").length;
const left = openFiles() - before;
process.stdout.write(JSON.stringify({ asked, waiting, most, atOnce, before, left }));
