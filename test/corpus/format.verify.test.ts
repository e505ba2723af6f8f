// The corpus, its layer of the format: journals as earlier builds wrote them. Every build verifies their chain,
// lists, shows, diffs and forks them, and none of that needs the code that wrote them.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a plain script, so that it runs without a build
import { faults } from "../../scripts/corpus.mjs";
import { fileJournal } from "../../src/adapters/file-journal/index.js";
import { summaryOf } from "../../src/index.js";
import { diff, fork } from "../../src/time-travel.js";
import { rejection } from "../support/thrown.js";
import { aFolder, called } from "../unit/cli/support.js";

const FORMAT = join(import.meta.dirname, "format");
const names = readdirSync(FORMAT, { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);
/** How each run stands. */
const STANDS: { readonly [name: string]: string } = {
  tree: "done",
  decided: "done",
  linked: "done",
  upgraded: "done",
  "waiting-tree": "waiting",
  killed: "open",
  torn: "open",
};

/** A copy of a run's files, and the journals among them. */
function copyOf(name: string) {
  const folder = aFolder();
  cpSync(join(FORMAT, name), folder, { recursive: true });
  const journals = (readdirSync(folder, { recursive: true }) as string[]).filter((file) =>
    file.endsWith(".jsonl"),
  );
  return { folder, journals, path: join(folder, "run.jsonl") };
}

describe.each(names)("the run %s", (name) => {
  it("is listed and shown as it stands", async () => {
    const { folder, journals } = copyOf(name);
    for (const journal of journals) {
      const listed = await called(folder, ["list", journal]);
      expect([listed.code, listed.stderr]).toEqual([0, expect.not.stringContaining("reckoner:")]);
      const shown = await called(folder, ["show", journal]);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain("#0");
    }
    const { status } = await summaryOf(fileJournal(join(folder, "run.jsonl")));
    expect(status).toBe(STANDS[name] ?? "ready");
  });

  it("has a chain: a byte that is another one is refused, whichever line it is in", async () => {
    const { path } = copyOf(name);
    const bytes = readFileSync(path);
    const whole = bytes.lastIndexOf(10) + 1;
    for (let at = 40; at < whole - 1; at += Math.ceil(whole / 12)) {
      if (bytes[at] === 10) continue;
      const other = Buffer.from(bytes);
      other[at] = (bytes[at] as number) ^ 1;
      writeFileSync(path, other);
      const refused = await rejection(summaryOf(fileJournal(path)));
      expect(refused.code).toMatch(/^journal\./);
    }
  });

  it("is forked at each of its events, and a fork differs from it by nothing that it shares", async () => {
    const { folder, path: first } = copyOf(name);
    // The head of a run that was rewound leads there.
    const path = name === "rewound" ? join(folder, "run.jsonl.forks/back.jsonl") : first;
    const { events } = await summaryOf(fileJournal(path));
    for (let at = 0; at < events; at++) {
      const made = await fork(path, { at, limit: 1000 }).catch((thrown) => thrown.code);
      if (typeof made === "string") {
        expect(made).toBe("fork.point");
        continue;
      }
      expect(made.retained + made.removed).toBe(events);
      const { parting } = await diff(path, made.journal);
      // Of a child that has only begun in the fork, its parent is said to differ.
      const own = parting?.child?.parting ?? parting;
      expect([at, own?.seqB]).toEqual([at, undefined]);
    }
  });
});

describe("the check of the corpus", () => {
  const list = { closed: true, files: { a: "1", b: "2" } };
  const hashes: { readonly [name: string]: string } = { a: "1", b: "2", c: "3" };
  const check = (now: object, files: readonly string[], before: object = list) =>
    faults(now, before, files, (name: string) => hashes[name] as string);

  it("takes what is as it was noted, and what is added", () => {
    expect(check(list, ["a", "b"])).toEqual([]);
    const more = { closed: true, files: { ...list.files, c: "3" } };
    expect(check(more, ["a", "b", "c"])).toEqual([]);
  });

  it("refuses a file that was changed, is gone or is not noted, and a list that forgets", () => {
    expect(check({ closed: true, files: { a: "1", b: "9" } }, ["a", "b"])).toEqual([
      "b was changed",
      "b was in the list with another hash, and is only ever added to",
    ]);
    expect(check(list, ["a"])).toEqual(["b is missing"]);
    expect(check(list, ["a", "b", "c"])).toEqual(["c is not in the list"]);
    expect(check({ closed: true, files: { a: "1" } }, ["a"])).toHaveLength(1);
    expect(check({ ...list, closed: false }, ["a", "b"])).toHaveLength(1);
    expect(check({ closed: false, files: {} }, [], { closed: false, files: { a: "1" } })).toEqual(
      [],
    );
  });
});
