// Durable records against bare `write` and `fsync` of as many records of the same size in the same
// place: 1 is bare. One run by itself, and a hundred at once.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, inTurns, ratios, seconds } from "../figure.mjs";
import { textIn, turns, warmUp } from "../turns.mjs";

const { fileJournal } = await import("../../dist/adapters/file-journal/index.js");
const RUNS = 100;

export async function measure({ rounds }) {
  await warmUp();
  const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
  let files = 0;
  const place = () => join(folder, `${files++}.jsonl`);

  /** Records a second of runs side by side, and how large a record was. */
  const ours = async (runs, size) => {
    const journals = Array.from({ length: runs }, () => fileJournal(place()));
    const took = await seconds(() => Promise.all(journals.map((each) => turns(size, each))));
    const text = await textIn(journals[0]);
    const records = text.split("\n").length - 1;
    return { perSecond: (records * runs) / took, bytes: Buffer.byteLength(text) / records };
  };
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
  try {
    // What writes files has to be learnt as well: the fifth run takes two thirds of the first.
    for (let i = 0; i < 6; i++) await ours(1, 400);
    const { bytes } = await ours(4, 20);
    const [one, bareOne] = await inTurns(rounds, [
      async () => (await ours(1, 400)).perSecond,
      () => bare(800, bytes),
    ]);
    const [many, bareMany] = await inTurns(rounds, [
      async () => (await ours(RUNS, 10)).perSecond,
      () => bare(800, bytes),
    ]);
    return [
      figure("disk.bare", "bare records a second", bareOne),
      figure("disk.one", "durable records, one run, against bare", ratios(one, bareOne), {
        aim: { atLeast: 1 },
        kept: true,
      }),
      figure(
        "disk.many",
        `durable records, ${RUNS} runs at once, against bare`,
        ratios(many, bareMany),
        {
          aim: { atLeast: 1.5 },
          kept: true,
        },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
