// The note of a journal's end: it never leads, and what it proves to be lost is not run again.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileCalls, nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { headerOf, replay, summaryOf } from "../../../../src/runtime/index.js";
import { rejection } from "../../../support/thrown.js";
import { place } from "./place.js";

const paid: string[] = [];
const pay = tool({
  name: "pay",
  execute: (_input, { id }) => {
    paid.push(id);
    return "paid";
  },
});
const clerk = agent({ name: "clerk", conversation: true, tools: [pay], maxIterations: 200 });
/** So many turns with a call, and words behind them. */
const calls = (turns: number) =>
  scriptedModel([...Array.from({ length: turns }, () => ({ calls: [{ name: "pay" }] })), "Done."]);

/** A conversation that waits, in a file, without its snapshots: the note alone tells how long it was. */
async function waitingRun(turns = 1, faults: Partial<FileCalls> = {}): Promise<string> {
  const path = await place();
  paid.length = 0;
  await run(clerk, "Pay.", {
    model: calls(turns),
    journal: fileJournal(path, { calls: faults }),
    runId: "r",
  });
  rmSync(`${path}.snapshots`, { recursive: true, force: true });
  return path;
}

const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const noteOf = (path: string) => JSON.parse(readFileSync(`${path}.end`, "utf8"));

describe("the end of a journal", () => {
  it("is noted when its run waits: its lines, its bytes and its hash", async () => {
    const path = await waitingRun();
    const lines = linesOf(path);
    expect(noteOf(path)).toEqual({
      header: JSON.parse(lines[0] as string).hash,
      lines: lines.length,
      bytes: Buffer.byteLength(textOf(lines)),
      hash: JSON.parse(lines.at(-1) as string).hash,
    });
    const end = await resume(clerk, path, { messages: ["Thanks."], model: calls(0) });
    expect(end.status).toBe("waiting");
    expect(noteOf(path).lines).toBe(linesOf(path).length);
    expect(linesOf(path).length).toBeGreaterThan(lines.length);
  });

  it("is noted every 64 appends, behind what is durable, and is not synced itself", async () => {
    let durable = 0;
    let appends = 0;
    const noted: { readonly bytes: number; readonly durable: number; readonly at: number }[] = [];
    const path = await waitingRun(150, {
      overwrite(name, text) {
        expect(name.endsWith(".end")).toBe(true);
        noted.push({ bytes: JSON.parse(text).bytes, durable, at: appends });
        return nodeCalls.overwrite(name, text);
      },
      async fdatasync(fd) {
        await nodeCalls.fdatasync(fd);
        appends += 1;
        durable = nodeCalls.fstat(fd).size;
      },
    });
    expect(appends).toBeGreaterThan(128);
    expect(noted).toHaveLength(Math.floor(appends / 64) + (appends % 64 > 0 ? 1 : 0));
    for (const each of noted) expect(each.bytes).toBeLessThanOrEqual(each.durable);
    expect(noted.at(-1)?.bytes).toBe(Buffer.byteLength(readFileSync(path)));
  });

  it("that cannot be noted stops nothing", async () => {
    const path = await waitingRun(1, {
      async overwrite() {
        throw new Error("ENOSPC: no space left on device, open");
      },
    });
    expect(existsSync(`${path}.end`)).toBe(false);
    expect((await replay(clerk, path)).status).toBe("identical");
  });

  it.each([
    ["is no JSON", "{"],
    ["is empty, as a crash leaves it", ""],
    ["says nothing of lines", '{"header":"x","hash":"y"}'],
    ["has a negative number", '{"header":"x","hash":"y","lines":-1,"bytes":5}'],
  ])("says nothing where its note %s", async (_how, text) => {
    const path = await waitingRun();
    writeFileSync(path, textOf(linesOf(path).slice(0, 2)));
    writeFileSync(`${path}.end`, text);
    expect((await summaryOf(path)).events).toBe(1);
  });
});

describe("a journal that is shorter than its note", () => {
  it("is refused at any line by all that reads it through, and nothing runs or is written", async () => {
    const path = await waitingRun();
    const lines = linesOf(path);
    for (let keep = 0; keep < lines.length; keep++) {
      writeFileSync(path, textOf(lines.slice(0, keep)));
      paid.length = 0;
      const error = await rejection(resume(clerk, path, { model: calls(1) }));
      expect(error).toMatchObject({ code: "journal.short", place: path });
      expect(String(error)).toContain(
        `ends behind line ${keep}, and the note of its end says that it had ${lines.length} lines`,
      );
      expect(await rejection(replay(clerk, path))).toMatchObject({ code: "journal.short" });
      expect(await rejection(summaryOf(path))).toMatchObject({ code: "journal.short" });
      expect(paid).toEqual([]);
      expect(linesOf(path).join("\n")).toBe(lines.slice(0, keep).join("\n"));
    }
  });

  it("is one as well where it is as long, and its lines are others", async () => {
    const path = await waitingRun();
    const lines = linesOf(path);
    const end = readFileSync(`${path}.end`);
    // An older copy was restored without its note, and went on.
    writeFileSync(path, textOf(lines.slice(0, 2)));
    rmSync(`${path}.end`);
    await resume(clerk, path, { model: calls(3) });
    expect(linesOf(path).length).toBeGreaterThan(lines.length);
    writeFileSync(`${path}.end`, end);
    const error = await rejection(resume(clerk, path, { model: calls(1) }));
    expect(error).toMatchObject({ code: "journal.short" });
    expect(String(error)).toContain(`has another line ${lines.length}`);
  });

  it("goes on where the loss is accepted, with what may have begun as unknown, and once alone", async () => {
    const path = await waitingRun();
    const lines = linesOf(path);
    const asked = lines.findIndex((line) => line.includes('"type":"llm.succeeded"'));
    writeFileSync(path, textOf(lines.slice(0, asked + 1)));
    paid.length = 0;
    const done: string[] = [];
    const faults: Partial<FileCalls> = {
      overwrite(name, text) {
        done.push("note");
        return nodeCalls.overwrite(name, text);
      },
      async fdatasync(fd) {
        await nodeCalls.fdatasync(fd);
        done.push("append");
      },
    };
    const journal = fileJournal(path, { calls: faults });
    const end = await resume(clerk, journal, { model: calls(0), acceptLoss: true });
    expect(end.status).toBe("waiting");
    expect(paid).toEqual([]);
    expect(readFileSync(path, "utf8")).toContain('"reason":"unknown"');
    // Whoever dies behind the first append has not to accept it again.
    expect(done.slice(0, 3)).toEqual(["append", "note", "append"]);
    expect((await resume(clerk, path, { messages: ["Hi."], model: calls(0) })).status).toBe(
      "waiting",
    );
    expect((await replay(clerk, path)).status).toBe("identical");
  });

  it("can be seen by its header, which nothing behind it concerns", async () => {
    const path = await waitingRun();
    writeFileSync(path, textOf(linesOf(path).slice(0, 1)));
    expect((await headerOf(path)).runId).toBe("r");
  });

  it("is none where the note is an earlier run's", async () => {
    const path = await waitingRun(3);
    const end = readFileSync(`${path}.end`);
    rmSync(path);
    await run(clerk, "Pay.", { model: calls(0), journal: path, runId: "r" });
    expect(noteOf(path).lines).toBe(linesOf(path).length);
    writeFileSync(`${path}.end`, end);
    const { status } = await resume(clerk, path, { messages: ["Hi."], model: calls(0) });
    expect(status).toBe("waiting");
  });
});
