// How long a journal takes to be opened, by its size: 10, 100 and 1 000 MiB, or what is named
// (`node bench/journals.mjs 10 50`). Opening verifies every byte: up to the snapshot by hashing, from
// there by a replay; `replay` folds every event. Each is done by a process of its own, whose most
// memory is printed: a journal is read as a stream, so it does not grow with the file.
// Prints JSON on standard output, a table on standard error. Not run in CI.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replay, resume, run } from "../dist/index.js";
import { assign, setupReasoner } from "../dist/kernel.js";
import { countOf } from "./flags.mjs";

const MIB = 1024 * 1024;
const PAD = "a note that is kept in the journal and nowhere else; ".repeat(320);
/** Notes that are sent before the run is waited for: what is in memory at a time, some 34 MiB. */
const BATCH = 2_048;

const { createReasoner } = setupReasoner();
const notes = createReasoner({
  id: "notes",
  machine: {
    context: { count: 0 },
    initial: "taking",
    states: {
      taking: {
        on: { note: { actions: assign(({ context }) => ({ count: context.count + 1 })) } },
      },
    },
  },
});

/** Writes a journal of so many MiB, as a run does it. */
async function write(path, mib) {
  let live = run(notes, null, { journal: path });
  let count = 0;
  await live;
  while (statSync(path).size < mib * MIB) {
    const left = Math.ceil((mib * MIB - statSync(path).size) / PAD.length);
    const events = Array.from({ length: Math.min(BATCH, left) }, () => {
      count += 1;
      return { type: "note", n: count, text: PAD };
    });
    // With nothing outstanding a run waits at once; each resume adds a batch.
    live = resume(notes, path, { events });
    await live;
  }
  return count;
}

/** In a process of its own. */
async function measure(how, path) {
  const before = performance.now();
  const { events, status } = how === "open" ? await resume(notes, path) : await replay(notes, path);
  const ms = performance.now() - before;
  return { ms, events, status, peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) };
}

function inProcess(how, path) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), `--${how}`, path],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const [first, path] = process.argv.slice(2);
if (first === "--open" || first === "--replay") {
  process.stdout.write(JSON.stringify(await measure(first.slice(2), path)));
} else if (first === "--write") {
  process.stdout.write(JSON.stringify(await write(path, Number(process.argv[4]))));
} else {
  const [, , ...given] = process.argv;
  const sizes = given.map((size) => countOf(import.meta.filename, "a size in MiB", size));
  const folder = mkdtempSync(join(tmpdir(), "reckoner-journals-"));
  const rows = [];
  try {
    for (const mib of sizes.length > 0 ? sizes : [10, 100, 1_000]) {
      const journal = join(folder, `${mib}.jsonl`);
      const written = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), "--write", journal, String(mib)],
        { encoding: "utf8" },
      );
      if (written.status !== 0) throw new Error(written.stderr);
      for (const how of ["open", "replay"]) {
        const { ms, events, peakMiB } = inProcess(how, journal);
        const size = statSync(journal).size / MIB;
        rows.push({
          journalMiB: Math.round(size),
          how,
          events,
          seconds: Number((ms / 1000).toFixed(2)),
          mibPerSecond: Math.round(size / (ms / 1000)),
          peakMiB,
        });
      }
      rmSync(journal);
      rmSync(`${journal}.snapshots`, { recursive: true, force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  const names = Object.keys(rows[0] ?? {});
  const line = (cells) => cells.map((cell) => String(cell).padStart(14)).join("");
  process.stderr.write(
    [line(names), ...rows.map((row) => line(names.map((n) => row[n])))].join("\n"),
  );
  process.stderr.write("\n");
}
