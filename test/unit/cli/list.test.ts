// `reckoner list`: the runs of a folder, for people and for programs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { aFolder, anIo } from "./support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

it("lists what waits first, then what is over; a journal that is broken is told of", async () => {
  const folder = aFolder();
  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "done.jsonl");
  await say(folder, "resume", "done.jsonl", "--approve", "approval/1/0");
  await say(
    folder,
    "run",
    "notes.ts",
    "--prompt",
    "clean\nup \u001b[2Jagain",
    "--journal",
    "w.jsonl",
  );
  const listed = await say(folder, "list", ".");
  expect(listed.code).toBe(0);
  const lines = listed.stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^waiting +w\.jsonl: notes “clean up .*again”/);
  expect(lines[0]).not.toContain("\u001b");
  expect(lines[1]).toMatch(/^ {2}waits for approval\/1\/0: /);
  expect(lines[2]).toMatch(
    /^done +done\.jsonl: notes “clean up” +\d{4}-\d\d-\d\d \d\d:\d\d, 8 events/,
  );

  writeFileSync(join(folder, "broken.jsonl"), "nothing\n");
  const broken = await say(folder, "list", ".", "--json");
  expect(broken.code).toBe(2);
  expect(JSON.parse(broken.stdout)).toMatchObject({
    runs: [{ journal: "w.jsonl", status: "waiting" }, { journal: "done.jsonl" }],
    unreadable: [{ journal: "broken.jsonl" }],
  });
});

it("refuses a journal that is named by itself and cannot be read, as every other command does", async () => {
  const folder = aFolder();
  const missing = await say(folder, "list", "nope");
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toMatch(/^reckoner: .*nope.* \[journal\.missing\]\n$/);
  const asJson = await say(folder, "list", "nope", "--json");
  expect(asJson.code).toBe(2);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: "journal.missing" } });
});

it.each(["list", "replay", "redrive"])(
  "%s of no path is refused, and is not of the folder",
  async (command) => {
    const { code, stderr } = await say(aFolder(), command, "");
    expect([code, stderr]).toEqual([
      2,
      "reckoner: A journal's path is empty; name a journal or a folder. [cli.usage]\n",
    ]);
  },
);
