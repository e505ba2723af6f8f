// J4 to the last byte: whichever byte of a journal is changed, the journal is refused with the line
// that the byte is in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decode } from "../../../src/adapters/file-journal/read-text.js";
import { main } from "../../../src/cli/program.js";
import { readJournal, splitJournal } from "../../../src/core/journal/index.js";
import { refusal } from "../../support/thrown.js";
import { aFolder, anIo } from "./support.js";

async function aJournal(): Promise<Buffer> {
  const folder = aFolder();
  const words = ["run", "notes.ts", "--prompt", "clean – up", "--journal", "run.jsonl"];
  expect(await main(anIo(folder), words)).toBe(3);
  return readFileSync(join(folder, "run.jsonl"));
}

describe("a changed byte", () => {
  it("is refused wherever it is, and the line is named", async () => {
    const bytes = await aJournal();
    let line = 1;
    for (let at = 0; at < bytes.length; at++) {
      const before = bytes[at] as number;
      // One bit, a byte that is no UTF-8, an end of line, the other case.
      for (const after of new Set([before ^ 1, 0xff, 10, before ^ 32])) {
        if (after === before) continue;
        bytes[at] = after;
        const refused = refusal(() => readJournal(splitJournal(decode(bytes))));
        expect(refused.code).toMatch(/^journal\./);
        expect(refused.place, `byte ${at} as ${after}`).toBe(`line ${line}`);
      }
      bytes[at] = before;
      if (before === 10) line += 1;
    }
    expect(line).toBeGreaterThan(4);
    expect(readJournal(splitJournal(decode(bytes))).torn).toBe("");
  });

  it("that is missing at the end is a torn line, whose length is known", async () => {
    const bytes = await aJournal();
    const last = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    const whole = readJournal(splitJournal(decode(bytes))).lines.length;
    for (let end = last; end < bytes.length; end++) {
      const read = readJournal(splitJournal(decode(bytes.subarray(0, end))));
      expect(read.lines.length).toBe(whole - 1);
      expect(Buffer.byteLength(read.torn)).toBe(end - last);
    }
  });
});
