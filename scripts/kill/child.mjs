// The process that is killed: it starts a run or goes on with it, and may kill itself at a point that
// no other process could hit. Arguments: folder, shape of the
// run, point as JSON, planted fault.
import { appendFileSync, existsSync, truncateSync } from "node:fs";
import { fileJournal } from "../../dist/adapters/file-journal/index.js";
import { resume, run } from "../../dist/index.js";
import { journalFile, killable, RUN_ID } from "./agent.mjs";

const [folder, shape, pointJson, plant] = process.argv.slice(2);
const { at, count } = JSON.parse(pointJson);
let left = count;

function die() {
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; nothing may happen any more.
  for (;;);
}

function reach(point) {
  if (point !== at) return;
  left -= 1;
  if (left === 0) die();
}

/** A port that is killed before, after and in the middle of a write. */
function watched(port) {
  return {
    ...port,
    async open(mode) {
      const writer = await port.open(mode);
      let before = Promise.resolve();
      let dying = false;
      return {
        async append(lines, expected) {
          reach("append");
          // What comes behind the write that is cut off is never written.
          if (dying) await new Promise(() => {});
          if (at === "torn" && --left === 0) {
            dying = true;
            // A write is cut off behind those before it, never in their place.
            await before;
            const text = lines.map((line) => `${line}\n`).join("");
            // As the writer does: what the process before left of a line is cut first.
            truncateSync(port.name, expected.bytes);
            appendFileSync(port.name, text.slice(0, Math.ceil(text.length * 0.7)));
            die();
          }
          const appended = writer.append(lines, expected);
          before = appended.catch(() => {});
          await appended;
          reach("appended");
        },
        close: () => writer.close(),
      };
    },
  };
}

/**
 * The planted fault: start marks are said to be durable, and are written with the next lines, which
 * is after their tool has run. What would tell of them beside the journal is not kept: the note of its
 * end refuses such a journal before anything runs twice.
 */
function lateMark(port) {
  return {
    ...port,
    endNote: undefined,
    snapshots: undefined,
    async open(mode) {
      const writer = await port.open(mode);
      let held = [];
      const flush = async () => {
        const due = held;
        held = [];
        for (const [some, where] of due) await writer.append(some, where);
      };
      return {
        async append(lines, expected) {
          held.push([lines, expected]);
          if (!lines.some((line) => /"starts":\[|^\{"mark"/.test(line))) await flush();
        },
        close: () => flush().then(() => writer.close()),
      };
    },
  };
}

const path = journalFile(folder);
const file = fileJournal(path);
const journal = watched(plant === "late-mark" ? lateMark(file) : file);
const { agent, model } = killable(folder, shape, reach);
const host = { model, approve: () => ({ approve: true }) };
process.stdout.write("started\n");
const end = existsSync(path)
  ? await resume(agent, journal, host)
  : await run(agent, RUN_ID, { ...host, journal, runId: RUN_ID });
process.stdout.write(`${end.status}\n`);
