// Opening a run of 100 000 events at its end, from a file with its snapshots: a conversation that
// waits is resumed, and there is nothing to do.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, inTurns, seconds } from "../figure.mjs";
import { instantModel, memoryJournal, resume, run, textIn, worker } from "../turns.mjs";

const { fileJournal } = await import("../../dist/adapters/file-journal/index.js");

export async function measure({ rounds, longest }) {
  const count = Math.min(50_000, longest);
  const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
  const chat = worker(count, undefined, { conversation: true });
  try {
    const made = memoryJournal();
    const model = instantModel(count);
    const { status, events } = await run(chat, "go", { model, journal: made, runId: "bench" });
    if (status !== "waiting") throw new Error(`The run is ${status}.`);
    const text = await textIn(made);
    const path = join(folder, "long.jsonl");
    writeFileSync(path, text, { mode: 0o600 });
    const { snapshots } = fileJournal(path);
    for (const { seq } of await made.snapshots.list()) {
      const held = await made.snapshots.read(seq);
      await snapshots.write(seq, held, await made.snapshots.rows());
    }
    const open = async () => {
      const end = await resume(chat, fileJournal(path), { model });
      if (end.status !== "waiting") throw new Error(`The resumed run is ${end.status}.`);
    };
    const [took] = await inTurns(rounds, [() => seconds(open)]);
    return [
      figure("open", `seconds to open a run of ${events} events at its end`, took, {
        aim: { atMost: 1 },
      }),
      figure("open.size", "MiB of its journal", [Buffer.byteLength(text) / 2 ** 20]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
