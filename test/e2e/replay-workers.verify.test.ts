// A folder of journals on several workers, as a user has it: the built command in a folder of its own.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agent, run, scriptedModel } from "../../src/index.js";
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

/** A config whose reasoner ends the process at the third journal that a thread is handed. */
const LEAVES = `
  import { agent, defineConfig } from "reckoner";
  let asked = 0;
  process.stdout.write("loaded");
  const system = () => {
    asked += 1;
    if (asked === 3) process.exit(0);
    return "You greet.";
  };
  export default defineConfig({ reasoner: agent({ name: "greeter", system }) });`;

it.each(["1", "3"])(
  "tells what was judged where the config ends the process, --jobs %s",
  async (n) => {
    const folder = aFolder();
    mkdirSync(join(folder, "runs"));
    writeFileSync(join(folder, "leaves.ts"), LEAVES);
    await run(agent({ name: "greeter", system: () => "You greet." }), "Hi", {
      model: scriptedModel(["Hello."]),
      journal: join(folder, "runs", "0.jsonl"),
    });
    for (let i = 1; i < 8; i++) {
      copyFileSync(join(folder, "runs", "0.jsonl"), join(folder, "runs", `${i}.jsonl`));
    }
    const words = ["replay", "runs", "--config", "leaves.ts", "--jobs", n, "--junit", `${n}.xml`];
    const { code, stdout, stderr } = await reckoner(folder, [...words, "--json"]);
    expect(code).toBe(2);
    const { journals, summary } = JSON.parse(stdout);
    expect(summary.journals).toBe(8);
    expect(summary.refused).toBeGreaterThan(0);
    expect(summary.identical).toBeGreaterThan(1);
    expect(summary.identical + summary.refused).toBe(8);
    expect(readFileSync(join(folder, `${n}.xml`), "utf8")).toContain(`errors="${summary.refused}"`);
    for (const { status, error, journal } of journals) {
      if (status !== "refused") continue;
      expect(error.code).toBe("config.invalid");
      expect(stderr).toContain(journal);
    }
    expect(stderr).toContain("ended the process before the command did");
    const people = await reckoner(folder, words);
    expect(people.code).toBe(2);
    expect(people.stdout).toMatch(/8 journals: [2-7] identical, .* [1-6] refused/);
  },
);
