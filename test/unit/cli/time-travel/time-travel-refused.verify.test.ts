// Time travel and observation with wrong words and wrong files: one line with a code, exit code 2, and
// where JSON is asked for, one document with the same code.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { agent, run, scriptedModel } from "../../../../src/index.js";
import { aFolder, anIo } from "../support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A folder with journals that can be read, and with others that cannot. */
async function files() {
  const folder = aFolder();
  for (const name of ["a", "b"]) {
    await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", `${name}.jsonl`);
  }
  const text = readFileSync(join(folder, "a.jsonl"), "utf8");
  writeFileSync(join(folder, "noise.jsonl"), "nothing of the kind\n");
  writeFileSync(join(folder, "broken.jsonl"), text.replace("clean up", "clean in"));
  writeFileSync(join(folder, "base.json"), "{");
  mkdirSync(join(folder, "none"));
  return folder;
}

/** Command lines, each tried with and without what asks for JSON at its end. */
const REFUSED: readonly (readonly [words: string, code: string])[] = [
  ...["missing.jsonl", "noise.jsonl", "broken.jsonl"].flatMap((file) => {
    const code = file === "missing.jsonl" ? "missing" : file === "noise.jsonl" ? "format" : "chain";
    return [
      `diff ${file} a.jsonl --json`,
      `diff a.jsonl ${file} --json`,
      `fork ${file} --json`,
      `rewind ${file} --to 1 --json`,
      `forks ${file} --json`,
      `checkpoint ${file} --json`,
      `fixture ${file} --config notes.ts --out out --json`,
      `observe events ${file} --format json`,
      `observe stats ${file} --format json`,
      `observe status ${file} --format json`,
      `observe session ${file} --format json`,
      `observe explain ${file} llm/0 --format json`,
    ].map((words) => [words, `journal.${code}`] as const);
  }),
  ["diff a.jsonl --json", "cli.usage"],
  ["diff a.jsonl b.jsonl --nope --json", "cli.usage"],
  ["fork a.jsonl --at x --json", "cli.usage"],
  ["fork a.jsonl --at 99 --json", "fork.point"],
  ["fork a.jsonl --set tool/0/0 --json", "cli.usage"],
  ["fork a.jsonl --set tool/0/0={ --json", "cli.usage"],
  ["fork a.jsonl --set tool/9/9=1 --json", "fork.point"],
  ["fork a.jsonl --limit 0 --json", "fork.limit"],
  ["fork a.jsonl --out b.jsonl --json", "journal.exists"],
  ["fork a.jsonl --name= --json", "cli.usage"],
  ...["replay", "redrive"].flatMap((command) =>
    ["sytem", "system,tool", "messages.text", "contexts.deps", "context,id", ","].map(
      (word) =>
        [`${command} a.jsonl --config notes.ts --ignore ${word} --json`, "cli.usage"] as const,
    ),
  ),
  ["rewind a.jsonl --json", "cli.usage"],
  ["rewind a.jsonl --to soon --json", "fork.point"],
  ["checkpoint a.jsonl --name= --json", "cli.usage"],
  ["checkpoint a.jsonl --name 3 --json", "cli.usage"],
  ["checkpoint a.jsonl --name 2026-01-31 --json", "cli.usage"],
  ["checkpoint a.jsonl --at 1.5 --json", "cli.usage"],
  ["redrive --json", "cli.usage"],
  ["redrive a.jsonl --config missing.ts --json", "config.invalid"],
  ["redrive a.jsonl --config notes.ts --live --json", "cli.usage"],
  ["replay none --config notes.ts --json", "journal.missing"],
  ["replay a.jsonl --config notes.ts --jobs 0 --json", "cli.usage"],
  ["replay a.jsonl --config notes.ts --baseline base.json --json", "cli.usage"],
  ["replay a.jsonl --config notes.ts --junit none --json", "cli.usage"],
  ["fixture a.jsonl --config notes.ts --json", "cli.usage"],
  ["fixture a.jsonl --config notes.ts --out a.jsonl --json", "cli.usage"],
  ["fixture a.jsonl --config notes.ts --out out --name ../x --json", "cli.usage"],
  ["fixture a.jsonl --config notes.ts --out out --name= --json", "cli.usage"],
  ["observe events a.jsonl --type x --format json", "trace.query"],
  ["observe events a.jsonl --from soon --format json", "trace.query"],
  ["observe events a.jsonl --limit -1 --format json", "cli.usage"],
  ["observe explain a.jsonl nobody --format json", "trace.missing"],
  ["observe session a.jsonl nobody --format json", "cli.usage"],
  ["observe stats a.jsonl --limit x --format json", "cli.usage"],
];

it("refuses with one line and its code, and with one JSON document", async () => {
  const folder = await files();
  const bytes = readFileSync(join(folder, "a.jsonl"), "utf8");
  for (const [command, code] of REFUSED) {
    const asked = command.split(" ");
    const plain = command.replace(/ --(?:json|format json)$/, "").split(" ");
    for (const words of [plain, asked]) {
      const { code: exit, stdout, stderr } = await say(folder, ...words);
      // Which file is loaded is said before anything of it runs.
      const said = stderr.trimEnd().split("\n");
      const refusal = said.filter((line) => !line.startsWith("reckoner: loading "));
      expect([words.join(" "), exit, refusal.length]).toEqual([words.join(" "), 2, 1]);
      expect(stderr).toContain(`[${code}]`);
      if (words === plain) continue;
      // What drives several journals says of each how it stands.
      const { error, journals } = JSON.parse(stdout);
      expect(error ?? journals[0].error).toMatchObject({ code });
    }
  }
  expect(readFileSync(join(folder, "a.jsonl"), "utf8")).toBe(bytes);
});

it("prints where a fixture is, and what was masked, as one JSON document", async () => {
  const folder = await files();
  const words = ["a.jsonl", "--config", "notes.ts", "--out", "cases", "--name", "tidy", "--json"];
  const { code, stdout, stderr } = await say(folder, "fixture", ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const made = JSON.parse(stdout);
  expect(made).toEqual({
    journal: join("cases", "tidy.jsonl"),
    name: "tidy",
    events: 5,
    redacted: false,
  });
  const replayed = await say(folder, "replay", made.journal, "--config", "notes.ts");
  expect(replayed.stdout).toContain("identical: 5 events");
});

it("tells of a folder's journals that cannot be read, and of the others", async () => {
  const folder = await files();
  const { code, stdout, stderr } = await say(folder, "observe", "status", ".", "--format", "json");
  expect(code).toBe(2);
  const { runs, unread } = JSON.parse(stdout);
  expect(runs).toHaveLength(2);
  expect(unread.map((each: { code: string }) => each.code).sort()).toEqual([
    "journal.chain",
    "journal.format",
  ]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(2);
});

it("a journal that names no config says so, whatever else is asked of it", async () => {
  const folder = aFolder();
  const journal = join(folder, "own.jsonl");
  await run(agent({ name: "own" }), "go", { model: scriptedModel(["Done."]), journal });
  for (const words of [[], ["--baseline", "base.json"], ["--ignore", "system"], ["--jobs", "2"]]) {
    const { code, stdout, stderr } = await say(folder, "replay", "own.jsonl", ...words);
    expect([code, `${stdout}${stderr}`]).toEqual([
      2,
      expect.stringContaining("The journal names no config; pass --config FILE"),
    ]);
  }
});

it("refuses to ignore what there is not, and lists what there is", async () => {
  const folder = await files();
  const replay = (ignored: string) =>
    say(folder, "replay", "a.jsonl", "--config", "notes.ts", "--ignore", ignored);
  expect((await replay("tools,sytem")).stderr).toBe(
    "reckoner: --ignore sytem is not a part of a request, nor a path such as context.deps.now; system, messages, tools, toolChoice, responseFormat, settings, model, name, input, store, query, operations, title, subject, of, ask, toolCallId, until, deadline, reasoner, budget, topic, data, target, context, value, directives, end, ignored, state, upgrade are. [cli.usage]\n",
  );
  for (const known of ["system", "system, tools,", "context.deps.now", "end.output,value"]) {
    expect(await replay(known), known).toMatchObject({ code: 0, stderr: "" });
  }
});
