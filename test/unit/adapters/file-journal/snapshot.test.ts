// The snapshot is a side file that can be lost: replaced as a whole, and never in the way.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { place, refusal } from "./place.js";

it("lies beside the journal, and leaves no draft", async () => {
  const path = await place();
  await fileJournal(path).snapshot?.write("state");
  expect(readFileSync(`${path}.snapshot`, "utf8")).toBe("state");
  expect(readdirSync(dirname(path))).toEqual(["run.jsonl.snapshot"]);
});

it("is replaced as a whole over what a killed process left of a draft", async () => {
  const path = await place();
  writeFileSync(`${path}.snapshot.tmp`, "half of a much longer st");
  const { snapshot } = fileJournal(path);
  await snapshot?.write("state");
  expect(await snapshot?.read()).toBe("state");
});

it("is as good as missing where it cannot be read", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshot`);
  expect(await fileJournal(path).snapshot?.read()).toBeUndefined();
});

it("says in one line that it cannot be written, and can be tried again", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshot`);
  const { snapshot } = fileJournal(path);
  expect(await refusal(snapshot!.write("state"))).toMatch(
    /^journal\.write: The snapshot .*\.snapshot could not be written: E[^\n]*$/,
  );
  expect(readdirSync(dirname(path))).toEqual(["run.jsonl.snapshot"]);
  expect(await refusal(snapshot!.write("state"))).toContain("journal.write");
});
