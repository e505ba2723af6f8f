// The exported journal of a run of an engine is read as any other: shown, replayed, redriven, and put into a page.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replay } from "reckoner";
import { redrive } from "reckoner/time-travel";
import { expect, it } from "vitest";
import { searches, searching } from "../../engines/searching.js";
import { onFake, textOf } from "../../support/on-fake-restate.js";
import { aFolder, called } from "../cli/support.js";

it("shows, replays, redrives and draws what an engine has written", async () => {
  const world = onFake({ reasoners: [searching], model: searches(3) }, { kills: [60] });
  await world.verbs.start({ input: "Look." });
  await world.over();
  const cwd = aFolder();
  const file = join(cwd, "exported.jsonl");
  writeFileSync(file, await textOf(world.verbs));
  const shown = await called(cwd, ["show", "exported.jsonl"]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("llm.succeeded");
  expect(await replay(searching, file)).toMatchObject({ status: "identical" });
  expect(await redrive(searching, file)).toMatchObject({ fresh: 0 });
  expect((await called(cwd, ["studio", "exported.jsonl", "--html", "page.html"])).code).toBe(0);
  expect(readFileSync(join(cwd, "page.html"), "utf8")).toContain("searching");
});
