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

it("prints each error in a line", async () => {
  const folder = await aFolderWithErrors();
  const errors = await observe(folder, "stats", "run.jsonl", "--errors");
  expect(errors.code).toBe(0);
  expect(errors.stdout).toMatch(/^ {4}1 {2}.*one ``` # two .*\(clumsy, last .*\n$/);
});

it.each(["explain", "session", "stats", "status"])("has no table of %s", async (command) => {
  const words = command === "explain" ? ["run.jsonl", "llm/0"] : ["run.jsonl"];
  const folder = await aFolderWithErrors();
  const refused = await observe(folder, command, ...words, "--format", "markdown");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("--format markdown is not one of terminal, json.");
});

it.each([[["--errors", "--slow", "5"], "--errors and --slow ask for two lists"]])(
  "refuses %j, which asks for two things",
  async (words, what) => {
    const refused = await observe(await aFolderWithErrors(), "stats", "run.jsonl", ...words);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(what);
  },
);
