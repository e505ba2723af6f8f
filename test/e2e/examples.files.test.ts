// The example that reads files: its folder cannot be left, and its agent works without being killed.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryJournal, replay, resume, run, toArray } from "reckoner";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reader, services } from "../../examples/files/agent.js";
import { type Folder, openFolder } from "../../examples/files/folder.js";
import { question, scriptedReader } from "../../examples/files/script.js";

let place: string;
let inside: string;
let folder: Folder;

beforeAll(() => {
  place = mkdtempSync(join(realpathSync(tmpdir()), "reckoner-files-"));
  inside = join(place, "inside");
  mkdirSync(join(inside, "sub"), { recursive: true });
  writeFileSync(join(inside, "sub", "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(place, "secret.txt"), "two secrets\n");
  mkdirSync(join(place, "insider"));
  symlinkSync(join(place, "secret.txt"), join(inside, "link.txt"));
  symlinkSync(place, join(inside, "up"));
  symlinkSync(join(place, "new.txt"), join(inside, "dangling.txt"));
  symlinkSync(join(inside, "sub"), join(inside, "fine"));
  folder = openFolder(inside);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("a folder", () => {
  test("lists, reads and searches what is in it", async () => {
    expect(await folder.list("sub")).toEqual(["a.txt"]);
    expect(await folder.list(".")).toContain("sub/");
    expect(await folder.read("sub/a.txt", 2, 1)).toBe("two");
    expect(await folder.search("two", ".")).toEqual([{ path: "sub/a.txt", line: 2, text: "two" }]);
    expect(await folder.read("fine/a.txt")).toContain("one");
  });

  test.each([
    "..",
    "../secret.txt",
    "sub/../../secret.txt",
    "/etc/hostname",
    "link.txt",
    "up",
    "up/secret.txt",
    "../insider",
  ])("cannot be left by reading %s", async (path) => {
    const outside = /lies outside the folder|ENOENT/;
    await expect(folder.read(path)).rejects.toThrow(outside);
    await expect(folder.list(path)).rejects.toThrow(outside);
    await expect(folder.search("two", path)).rejects.toThrow(outside);
  });

  test.each(["../new.txt", "link.txt", "up/new.txt", "dangling.txt", "sub/../../new.txt"])(
    "cannot be left by writing %s",
    async (path) => {
      await expect(folder.write(path, "x")).rejects.toThrow("lies outside the folder");
      await expect(folder.append(path, "x")).rejects.toThrow("lies outside the folder");
      expect(readFileSync(join(place, "secret.txt"), "utf8")).toBe("two secrets\n");
    },
  );
});

describe("the agent", () => {
  test("waits for the approval, goes on with the decision, and replays", async () => {
    const journal = memoryJournal();
    const desk = openFolder(join(place, "desk"));
    const world = { model: scriptedReader(), services: { ...services, desk } };
    const waiting = await run(reader, question, { ...world, journal });
    if (waiting.status !== "waiting") throw new Error(waiting.status);
    expect(waiting.approvals.map(({ id }) => id)).toEqual(["approval/1/3"]);
    const approvals = { "approval/1/3": { approve: true } };
    const end = await resume(reader, journal, { ...world, approvals });
    if (end.status !== "done") throw new Error(end.reason);
    expect(end.output).toMatch(/src\/core\/journal\/[\w-]+\.ts:\d+ says so/);
    expect(end.output).toContain("its bytes do not give its hash");
    expect(end.output).toContain("The report is written.");
    expect(end.context.deps.findings).toHaveLength(1);
    expect(await desk.read("notes.md")).toMatch(/^A changed byte is refused at .+\n$/);
    expect(await desk.read("report.md")).toContain("src/core/journal/");
    expect(toArray(end.context.toolCalls).map(({ name }) => name)).toEqual([
      "list",
      "search",
      "read",
      "remember",
      "note",
      "report",
    ]);
    expect((await replay(reader, journal)).status).toBe("identical");
  });

  test("says so where the report is rejected", async () => {
    const desk = openFolder(join(place, "empty-desk"));
    const end = await run(reader, question, {
      model: scriptedReader(),
      services: { ...services, desk },
      approve: () => ({ approve: false, reason: "not now" }),
    });
    if (end.status !== "done") throw new Error(end.reason);
    expect(end.output).toContain("The report was not written.");
    expect(await desk.list(".")).toEqual(["notes.md"]);
  });

  test("reads that a path lies outside, and not what is there", async () => {
    const { scriptedModel } = await import("reckoner");
    const model = scriptedModel([
      { calls: [{ name: "read", input: { path: "link.txt" } }] },
      "I cannot read that.",
    ]);
    const end = await run(reader, question, { model, services: { project: folder, desk: folder } });
    const [call] = toArray(end.context.toolCalls);
    expect(call).toMatchObject({ status: "failed" });
    expect(JSON.stringify(end.context)).not.toContain("two secrets");
    expect(JSON.stringify(call?.output)).toContain("link.txt lies outside the folder");
  });
});
