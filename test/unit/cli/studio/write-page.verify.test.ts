// A page in one file that would be larger than any mail takes.
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { agent, memoryJournal, run, scriptedModel } from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { expect, it } from "vitest";
import { aFolder, called } from "../support.js";

it("is refused, nothing is written, and it is said what cuts it: that is written", async () => {
  const cwd = aFolder();
  const journal = memoryJournal();
  const model = scriptedModel(["z".repeat(4_500_000)]);
  await run(agent({ name: "huge", system: "You answer." }), "Hello.", { model, journal });
  await copyJournal(journal, fileJournal(join(cwd, "0.jsonl")));
  for (let i = 1; i < 12; i++) cpSync(join(cwd, "0.jsonl"), join(cwd, `${i}.jsonl`));
  const refused = await called(cwd, ["studio", ".", "--html", "page.html"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/MB, and may have 50; cut it with --run RUN or --at SEQ/);
  expect(existsSync(join(cwd, "page.html"))).toBe(false);
  const cut = ["studio", ".", "--html", "page.html", "--run", "3.jsonl", "--at", "0"];
  expect((await called(cwd, cut)).code).toBe(0);
  expect(existsSync(join(cwd, "page.html"))).toBe(true);
});
