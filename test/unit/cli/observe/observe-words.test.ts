// Formats of `observe`: Markdown is a table of events, and of nothing else.
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { agent, run, scriptedModel, tool } from "../../../../src/index.js";
import { aFolder, anIo } from "../support.js";

/** A folder with a run whose tool fails. */
async function aFolderWithErrors() {
  const folder = aFolder();
  const fails = tool({
    name: "fails",
    idempotent: true,
    execute: () => {
      throw new Error("one");
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

it.each(["explain", "session", "stats", "status"])("has no table of %s", async (command) => {
  const words = command === "explain" ? ["run.jsonl", "llm/0"] : ["run.jsonl"];
  const folder = await aFolderWithErrors();
  const refused = await observe(folder, command, ...words, "--format", "markdown");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("--format markdown is not one of terminal, json.");
});
