// A page in one file: one that would be larger than any mail takes, and one of runs that are cut.
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agent, memoryJournal, run, scriptedModel } from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { expect, it } from "vitest";
import { aFolder, called } from "../support.js";
import { aFolderOfRuns } from "./support.js";

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

it("has the row of a run that is cut as of its last event there", async () => {
  const cwd = await aFolderOfRuns();
  await called(cwd, ["studio", "paid.jsonl", "--html", "page.html", "--at", "10"]);
  const page = readFileSync(join(cwd, "page.html"), "utf8");
  const data = JSON.parse(/id="studio-data">(.*?)<\/script>/s.exec(page)?.[1] ?? "");
  expect(data.listed.runs).toMatchObject([
    { journal: "paid.jsonl", status: "waiting", events: 11, approvals: [{ id: "approval/2/0" }] },
  ]);
});
