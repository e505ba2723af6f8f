// The journals of child runs as files: whose they are is never in doubt.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { childFile, fileName } from "../../../../src/adapters/file-journal/child-file.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { pairKey, splitPair } from "../../../../src/core/kernel/index.js";
import {
  type End,
  resume,
  run,
  systemClock,
  virtualClock,
  type Waiting,
} from "../../../../src/index.js";
import { childRunId } from "../../../../src/runtime/journals/child-journal.js";
import { familyOf, worker } from "../../../support/family.js";
import { rejection } from "../../../support/thrown.js";
import { bytesOf, folder } from "./place.js";

/** A parent with two children that each ask before they pay. */
function family(paid: string[], prompt = "pay, please") {
  const pay = () => worker(paid, "pay", { needsApproval: true });
  const member = (name: string) => ({
    name,
    tools: [pay()],
    says: [{ calls: [{ name: "pay" }] }, "paid"],
  });
  return familyOf({
    name: "parent",
    says: [{ calls: ["one", "two"].map((name) => ({ name, input: { prompt } })) }, "done"],
    children: [member("one"), member("two")],
  });
}

const approvalsOf = (end: End) =>
  Object.fromEntries(
    (end as Waiting<unknown, unknown>).approvals.map(({ id }) => [id, { approve: true }]),
  );

/** What a parent and its children are told. */
interface Told {
  readonly name?: string;
  readonly runId?: string;
  /** The children's input. */
  readonly prompt?: string;
  readonly time?: number;
}

/** A parent's journal whose children wait. */
async function resting({ name = "run.jsonl", runId = "r", prompt, time = 1_000 }: Told = {}) {
  const at = await folder();
  const path = join(at, name);
  const clock = virtualClock(time);
  const paid: string[] = [];
  const { parent, model } = family(paid, prompt);
  const end = await run(parent, "go", { model, journal: fileJournal(path), runId, clock });
  expect(end.status).toBe("waiting");
  return { at, path, paid, parent, model, approvals: approvalsOf(end) };
}

const ONE = "tool/0/0/0";
const TWO = "tool/0/1/0";

describe("ids never meet", () => {
  const long = "x".repeat(4_000);
  const ids = [
    ...[
      "a",
      "a/b",
      "A",
      "a.1",
      "aǍ",
      "a%2fb",
      "a%2Fb",
      "a\\b",
      ".",
      "..",
      "",
      "~",
      "~a",
      "a:b",
      "a%3ab",
    ],
    ...[
      "r:a",
      "a b",
      "a\n",
      "a\0",
      "é",
      "e\u0301",
      "İ",
      "ſ",
      "s",
      "K",
      "k",
      "con",
      long,
      `${long}y`,
      long.toUpperCase(),
    ],
    ...[
      "%",
      "%25",
      "%c7%8d",
      "Ǎ",
      "-",
      "_",
      "\ud800",
      "\udfff",
      "\ufffd",
      "%ud800",
      `${long}\ud800`,
      `${long}\ufffd`,
      "tool/0/0",
      "tool/00",
      "tool%2f0%2f0",
    ],
  ];

  it("as files, on a file system to which the case does not matter", () => {
    const names = ids.map((id) => fileName(id).toLowerCase().normalize("NFD"));
    expect(new Set(names).size).toBe(ids.length);
    for (const id of ids) {
      const name = fileName(id);
      expect(name).toMatch(/^[a-z0-9_%~-]*$/);
      expect(Buffer.byteLength(`${name}.jsonl.snapshots`)).toBeLessThan(255);
      expect(dirname(childFile("/x/run.jsonl", id))).toBe("/x/run.jsonl.runs");
    }
  });

  it("as runs, keys and approvals, in pairs and in pairs of pairs", () => {
    const pairs = ids.flatMap((a) => ids.map((b) => [a, b] as const));
    expect(new Set(pairs.map(([a, b]) => pairKey(a, b))).size).toBe(pairs.length);
    for (const pair of pairs) expect(splitPair(pairKey(...pair))).toEqual(pair);
    for (const nested of [
      pairs.map(([a, b]) => childRunId(childRunId("r", a), b)),
      pairs.map(([a, b]) => pairKey(a, pairKey(b, "approval"))),
    ]) {
      expect(new Set(nested).size).toBe(nested.length);
    }
  });
});

describe("a child's journal belongs to one parent", () => {
  it("another run's is refused, when a run begins in its place and when one is resumed", async () => {
    const old = await resting();
    const before = bytesOf(childFile(old.path, ONE));
    rmSync(old.path);
    const { parent, model } = old;
    // Somebody begins anew where the removed run was.
    const refused = await rejection(
      run(parent, "go", { model, journal: fileJournal(old.path), runId: "other" }),
    );
    // Both begin side by side; either is refused first.
    expect(refused.code).toBe("journal.child");
    expect([ONE, TWO]).toContain(refused.place);
    expect(old.paid).toEqual([]);
    expect(bytesOf(childFile(old.path, ONE))).toBe(before);
    const again = await rejection(resume(parent, fileJournal(old.path), { model }));
    expect(again.code).toBe("journal.child");
    expect(bytesOf(childFile(old.path, ONE))).toBe(before);
  });

  it("that of another run with the same id is refused, when it begins and when it is resumed", async () => {
    const old = await resting();
    const { path, parent, model, paid } = old;
    await resume(parent, fileJournal(path), { model, approvals: old.approvals });
    const before = [ONE, TWO].map((id) => bytesOf(childFile(path, id)));
    rmSync(path);
    const options = { model, runId: "r", unattended: "deny" as const };
    const first = await rejection(run(parent, "go", { ...options, journal: fileJournal(path) }));
    expect(first.code).toBe("journal.child");
    expect([ONE, TWO]).toContain(first.place);
    expect(first.message).toContain("belongs to another run with that id");
    const again = await rejection(resume(parent, fileJournal(path), { model }));
    expect(again.code).toBe("journal.child");
    expect([ONE, TWO]).toContain(again.place);
    expect(paid).toHaveLength(2);
    expect([ONE, TWO].map((id) => bytesOf(childFile(path, id)))).toEqual(before);
  });

  it("is its parent's also where the clock was set back before it began", async () => {
    const { parent, model } = family([]);
    const path = join(await folder(), "run.jsonl");
    let now = 5_000_000;
    const back = {
      ...systemClock,
      now: () => {
        now -= 1_000;
        return now;
      },
    };
    await run(parent, "go", { model, journal: fileJournal(path), runId: "r", clock: back });
    const end = await resume(parent, fileJournal(path), { model, clock: back });
    expect(end.status).toBe("waiting");
  });

  it("that of another run with the same id is refused, however late it was", async () => {
    const { path, parent, model, approvals, paid } = await resting();
    for (const time of [0, 1_001, 2 ** 45]) {
      const other = await resting({ time });
      cpSync(childFile(other.path, ONE), childFile(path, ONE));
      const { code, place, message } = await rejection(
        resume(parent, fileJournal(path), { model, approvals }),
      );
      expect([code, place]).toEqual(["journal.child", ONE]);
      expect(message).toContain("belongs to another run with that id");
    }
    expect(paid).toEqual([]);
  });

  it("a run that begins finds none, not even that of one that is the same to the millisecond", async () => {
    const { path, parent, model, paid } = await resting();
    rmSync(path);
    const same = { model, runId: "r", clock: virtualClock(1_000), journal: fileJournal(path) };
    expect(await rejection(run(parent, "go", same))).toMatchObject({ code: "journal.child" });
    expect(paid).toEqual([]);
  });

  it("another directive's is refused", async () => {
    const { path, parent, model, approvals, paid } = await resting();
    cpSync(childFile(path, TWO), childFile(path, ONE));
    expect(await rejection(resume(parent, fileJournal(path), { model, approvals }))).toMatchObject({
      code: "journal.child",
      place: ONE,
    });
    expect(paid).toEqual([]);
  });

  it("another input's is refused", async () => {
    const { path, parent, model, approvals, paid } = await resting();
    const other = await resting({ prompt: "pay more, please" });
    cpSync(childFile(other.path, ONE), childFile(path, ONE));
    const { code, message } = await rejection(
      resume(parent, fileJournal(path), { model, approvals }),
    );
    expect([code, message]).toEqual(["journal.child", expect.stringContaining("another input")]);
    expect(paid).toEqual([]);
  });

  it("one that has begun and is not there is refused", async () => {
    const { path, parent, model, approvals, paid } = await resting();
    rmSync(childFile(path, TWO));
    const before = bytesOf(path);
    const { code, place, message } = await rejection(
      resume(parent, fileJournal(path), { model, approvals }),
    );
    expect([code, place]).toEqual(["journal.child", TWO]);
    expect(message).toContain(childFile(path, TWO));
    expect([paid, bytesOf(path)]).toEqual([[], before]);
  });

  it("is found after a move, and through links to the parent and to its folder", async () => {
    for (const way of ["moved", "linked", "folder"]) {
      const { at, path, parent, model, approvals, paid } = await resting();
      let through = join(at, "elsewhere", "other.jsonl");
      mkdirSync(dirname(through));
      if (way === "moved") {
        for (const end of ["", ".runs", ".snapshots"])
          renameSync(`${path}${end}`, `${through}${end}`);
      } else if (way === "linked") symlinkSync(path, through);
      else {
        rmSync(dirname(through), { recursive: true });
        symlinkSync(at, dirname(through));
        through = join(dirname(through), "run.jsonl");
      }
      expect(await resume(parent, fileJournal(through), { model, approvals })).toMatchObject({
        status: "done",
      });
      expect([way, paid.sort()]).toEqual([
        way,
        [ONE, TWO].map((id) => pairKey(pairKey("r", id), "tool/0/0")).sort(),
      ]);
    }
  });
});

describe("a wide tree", () => {
  it("of 400 children lives under 200 open files, and is resumed under them", async () => {
    const at = await folder();
    const program = join(import.meta.dirname, "wide.mjs");
    const { stdout } = await promisify(execFile)(
      "/bin/sh",
      [
        "-c",
        `ulimit -n 200 && exec "$0" "$1" "$2" 400`,
        process.execPath,
        program,
        join(at, "run.jsonl"),
      ],
      { timeout: 600_000 },
    );
    expect(JSON.parse(stdout)).toEqual({
      first: "waiting",
      approvals: 400,
      second: "done",
      paid: 400,
    });
  });
});
