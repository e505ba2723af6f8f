// Options that write a file: over what the same option wrote, and over nothing else. A name that was
// mistyped must not cost a journal, a config or a text of somebody's own.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo } from "../support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

async function aFolderWithRuns() {
  const folder = aFolder();
  for (const name of ["a.jsonl", "b.jsonl", "b.txt"]) {
    await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", name);
  }
  writeFileSync(join(folder, "own.md"), "# What I wrote\n");
  return folder;
}

const FEW = ["--runs", "1", "--depth", "1"];
const written = {
  "replay --junit": ["replay", "a.jsonl", "--config", "notes.ts", "--junit"],
  "check --junit": ["check", "notes.ts", ...FEW, "--junit"],
  "graph --out": ["graph", "notes.ts", "--format", "svg", "--out"],
  "graph of a journal": ["graph", "a.jsonl", "--view", "trace", "--format", "json", "--out"],
} as const;

it.each(Object.entries(written))("%s writes over no journal, config or text", async (_, words) => {
  const folder = await aFolderWithRuns();
  for (const name of ["b.jsonl", "b.txt", "plain.mjs", "own.md"]) {
    const before = readFileSync(join(folder, name));
    const refused = await say(folder, ...words, name);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/^reckoner: --(junit|out) \S+ .* name.*\. \[cli\.usage\]\n$/);
    expect(readFileSync(join(folder, name))).toEqual(before);
  }
});

it.each(Object.entries(written))("%s gives nothing the name of a journal", async (_, words) => {
  const folder = await aFolderWithRuns();
  const refused = await say(folder, ...words, "new.jsonl");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("new.jsonl has the name of a journal, which a ");
});

it.each(Object.entries(written))("%s writes anew what it wrote", async (_, words) => {
  const folder = await aFolderWithRuns();
  writeFileSync(join(folder, "out"), "");
  expect((await say(folder, ...words, "out")).code).toBeLessThan(2);
  expect((await say(folder, ...words, "out")).code).toBeLessThan(2);
});

it.each([
  ["--junit", "pom.xml", '<?xml version="1.0"?>\n<project/>\n'],
  ["--out", "logo.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg>\n'],
  ["--out", "page.mmd", "---\ntitle: A page\n---\n\nWhat I wrote\n"],
  ["--out", "own.json", '{\n  "kind": "Deployment",\n  "spec": {}\n}\n'],
])(
  "%s %s is kept: another tool, or a person, makes files that begin alike",
  async (flag, name, own) => {
    const folder = await aFolderWithRuns();
    writeFileSync(join(folder, name), own);
    const words = flag === "--out" ? ["graph", "notes.ts"] : written["replay --junit"].slice(0, -1);
    const refused = await say(folder, ...words, flag, name);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(readFileSync(join(folder, name), "utf8")).toBe(own);
  },
);

it("writes each format of a picture over each other", async () => {
  const folder = await aFolderWithRuns();
  for (const format of ["svg", "mermaid", "json", "svg"]) {
    const words = ["graph", "notes.ts", "--format", format, "--out", "picture"];
    expect(await say(folder, ...words)).toMatchObject({ code: 0 });
  }
});

it("adds to a baseline whatever it begins with, and makes none of a journal's name", async () => {
  const folder = await aFolderWithRuns();
  writeFileSync(join(folder, "base.json"), '{ "why": "agreed", "accepted": [] }');
  const words = ["replay", "a.jsonl", "--config", "notes.ts", "--accept", "--baseline"];
  expect(await say(folder, ...words, "base.json")).toMatchObject({ code: 0 });
  const refused = await say(folder, ...words, "new.jsonl");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("--baseline new.jsonl has the name of a journal");
});

it("writes no two things to one file", async () => {
  const folder = await aFolderWithRuns();
  const words = ["replay", "a.jsonl", "--config", "notes.ts", "--accept"];
  const refused = await say(folder, ...words, "--baseline", "x", "--junit", "./x");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("--junit and --baseline name the same file, x; name two.");
});

it("writes a counterexample over a counterexample, and over no run that was recorded", async () => {
  const folder = aFolder();
  const config = `
    import { agent, defineConfig } from "reckoner";
    import { law, never } from "reckoner/testing";
    export default defineConfig({
      reasoner: agent({ name: "notes", system: "You keep notes." }),
      check: { laws: [law("it is silent", never(({ event }) => event.type === "start"))] },
    });`;
  writeFileSync(join(folder, "loud.ts"), config);
  const words = ["check", "loud.ts", ...FEW, "--out", "found"];
  const found = join(folder, "found", "it-is-silent.jsonl");
  expect(await say(folder, ...words)).toMatchObject({ code: 1 });
  const first = readFileSync(found, "utf8");
  expect(await say(folder, ...words)).toMatchObject({ code: 1 });
  expect(readFileSync(found, "utf8")).toBe(first);

  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "a.jsonl");
  const recorded = readFileSync(join(folder, "a.jsonl"));
  writeFileSync(found, recorded);
  const refused = await say(folder, ...words);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/is a file already, and not a counterexample.*\[cli\.usage\]/);
  expect(readFileSync(found)).toEqual(recorded);
});
