// The main job, by `npm run demo`: runs are killed and resumed, no effect is repeated, and each replays
// identically in a process of its own.
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Document, runDemo } from "../support/demo.js";

let folder: string;
let journal: string;
let document: Document;

beforeAll(() => {
  ({ folder, journal, document } = runDemo());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run demo -- --json", () => {
  test("prints one document with a row for each run", () => {
    expect(Object.keys(document)).toEqual(["runs"]);
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    const events = lines.filter((line) => "event" in JSON.parse(line)).length;
    expect(document.runs).toEqual([
      {
        reasoner: "agent",
        status: "done",
        events,
        journal: join(folder, "files", "journal.jsonl"),
        resumedFrom: 4,
        replay: { journal, status: "identical", events, notices: [] },
      },
      expect.objectContaining({ reasoner: "thoughts", status: "done", resumedFrom: null }),
      expect.objectContaining({
        reasoner: "planner",
        status: "done",
        resumedFrom: expect.any(Number),
      }),
    ]);
  });

  test("no tool that may not be repeated has run twice, by the tools' own count", () => {
    const log = readFileSync(join(dirname(journal), "executions.log"), "utf8")
      .trimEnd()
      .split("\n");
    const processes = (tool: string) =>
      log.filter((line) => line.startsWith(`${tool} `)).map((line) => line.split(" ").at(-1));
    const [killed, resumed] = processes("read");
    expect(killed).not.toBe(resumed);
    expect(processes("read")).toEqual([killed, resumed]);
    expect(processes("list")).toEqual([killed]);
    expect(processes("search")).toEqual([killed]);
    expect(processes("note")).toEqual([killed]);
    expect(processes("report")).toEqual([resumed]);
    expect(readFileSync(join(dirname(journal), "notes.md"), "utf8").split("\n")).toHaveLength(2);
  });
});
