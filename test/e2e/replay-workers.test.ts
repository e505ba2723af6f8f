// A folder of journals on several workers, as a user has it: the built command in a folder of its own.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aFolder, reckoner } from "../unit/cli/support.js";

it("comes to the same on workers as in one thread", async () => {
  const folder = aFolder();
  await reckoner(folder, ["run", "notes.ts", "--prompt", "go", "--journal", "run.jsonl"]);
  mkdirSync(join(folder, "runs"));
  for (let i = 10; i < 34; i++) {
    copyFileSync(join(folder, "run.jsonl"), join(folder, "runs", `${i}.jsonl`));
  }
  appendFileSync(join(folder, "runs", "12.jsonl"), "x\n");
  const text = readFileSync(join(folder, "notes.ts"), "utf8");
  writeFileSync(join(folder, "other.ts"), text.replace("a house", "the house"));
  const words = ["replay", "runs", "--config", "other.ts", "--json", "--jobs"];
  const [one, three] = [
    await reckoner(folder, [...words, "1"]),
    await reckoner(folder, [...words, "3"]),
  ];
  expect(one.code).toBe(2);
  expect(JSON.parse(one.stdout).summary).toMatchObject({ journals: 24, diverged: 23, refused: 1 });
  expect(JSON.parse(three.stdout).groups).toMatchObject([{ journals: 23, places: 23 }]);
  expect(JSON.parse(three.stdout).journals).toEqual(JSON.parse(one.stdout).journals);
  expect(three.code).toBe(2);
});
