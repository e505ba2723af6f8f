// What `observe` prints in Markdown beside tables, and questions that are two at once.
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { agent, run, scriptedModel, tool } from "../../../src/index.js";
import { aFolder, anIo } from "./support.js";

/** A folder with a run whose tool fails in many lines. */
async function aFolderWithErrors() {
  const folder = aFolder();
  const fails = tool({
    name: "fails",
    idempotent: true,
    execute: () => {
      throw new Error("one\n```\n# two");
    },
  });
  const model = scriptedModel([{ calls: [{ name: "fails" }] }, "Alas."]);
  const journal = join(folder, "run.jsonl");
  await run(agent({ name: "clumsy", tools: [fails] }), "Go.", { model, journal });
  return folder;
}

async function observe(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, ["observe", ...words]);
  return { code, ...io.written };
}

it("sets columns between fences in Markdown, each error in a line", async () => {
  const folder = await aFolderWithErrors();
  const errors = await observe(folder, "stats", "run.jsonl", "--errors", "--format", "markdown");
  expect(errors.code).toBe(0);
  const lines = errors.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect([lines[0], lines[2]]).toEqual(["```text", "```"]);
  expect(lines[1]).toMatch(/^ {4}1 {2}.*one ``` # two .*\(clumsy, last /);
  const path = await observe(folder, "session", "run.jsonl", "--path", "--format", "markdown");
  expect(path.stdout).toMatch(/^```text\nCritical path of [\s\S]*\n```\n$/);
});

it.each([[["--errors", "--slow", "5"], "--errors and --slow ask for two lists"]])(
  "refuses %j, which asks for two things",
  async (words, what) => {
    const refused = await observe(await aFolderWithErrors(), "stats", "run.jsonl", ...words);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(what);
  },
);
