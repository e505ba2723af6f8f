// J4 to the last byte: whichever byte of a journal is changed, the journal is refused with the line
// that the byte is in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import type { JournalPort } from "../../../src/runtime/index.js";
import { viewOf } from "../../../src/runtime/index.js";
import { rejection } from "../../support/thrown.js";
import { aFolder, anIo } from "./support.js";

async function aJournal(): Promise<Buffer> {
  const folder = aFolder();
  const words = ["run", "notes.ts", "--prompt", "clean – up", "--journal", "run.jsonl"];
  expect(await main(anIo(folder), words)).toBe(3);
  return readFileSync(join(folder, "run.jsonl"));
}

/** How many lines of these bytes can be read, and how many bytes are behind them. */
async function read(bytes: Buffer): Promise<{ lines: number; torn: number }> {
  let torn = 0;
  let lines = 0;
  const port = {
    async *read() {
      yield Buffer.from(bytes);
    },
  } as unknown as JournalPort;
  for await (const line of viewOf(port).ownLines((more) => (torn = more))) lines = line.number;
  return { lines, torn };
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
        const refused = await rejection(read(bytes));
        expect(refused.code).toMatch(/^journal\./);
        expect(refused.place, `byte ${at} as ${after}`).toBe(`line ${line}`);
      }
      bytes[at] = before;
      if (before === 10) line += 1;
    }
    expect(line).toBeGreaterThan(4);
    expect((await read(bytes)).torn).toBe(0);
  });

  it("that is missing at the end is a torn line, whose length is known", async () => {
    const bytes = await aJournal();
    const last = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    const whole = (await read(bytes)).lines;
    for (let end = last; end < bytes.length; end++) {
      expect(await read(bytes.subarray(0, end))).toEqual({ lines: whole - 1, torn: end - last });
    }
  });
});
