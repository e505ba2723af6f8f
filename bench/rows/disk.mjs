// Durable records against bare `write` and `fsync` in the same place. One run by itself, and a hundred at once.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { againstBare } from "../durable.mjs";
import { seconds } from "../figure.mjs";
import { warmUp } from "../turns.mjs";

const { fileJournal } = await import("../../dist/adapters/file-journal/index.js");

export async function measure({ rounds }) {
  await warmUp();
  const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
  let files = 0;
  const place = () => join(folder, `${files++}.jsonl`);
  const bare = async (records, bytes) => {
    const path = place();
    const record = `${"x".repeat(Math.max(1, Math.round(bytes) - 1))}\n`;
    const fd = openSync(path, "w");
    const took = await seconds(() => {
      for (let i = 0; i < records; i++) {
        writeSync(fd, record);
        fsyncSync(fd);
      }
    });
    closeSync(fd);
    rmSync(path);
    return records / took;
  };
  const journal = () => fileJournal(place());
  const of = { id: "disk", records: "bare records", journal, bare, aims: [1, 1.5] };
  try {
    return await againstBare(rounds, of);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
