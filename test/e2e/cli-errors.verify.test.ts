// What a user does wrong is one line that says what, where and how to mend it, and exit code 2.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFolder, called, reckoner } from "../unit/cli/support.js";

const mistakes: [what: string, words: string[], line: RegExp][] = [
  ["no command", [], /command is missing or unknown.*--help.*\[cli\.usage\]/],
  ["an unknown command", ["replya"], /'replya'.*Did you mean replay.*\[cli\.usage\]/],
  ["an unknown flag", ["run", "x.ts", "--promt", "x"], /--promt.*mean --prompt.*\[cli\.usage\]/],
  ["a flag without its value", ["run", "x.ts", "--prompt"], /--prompt.*missing.*\[cli\.usage\]/],
  ["no argument", ["run"], /missing required argument 'config'.*\[cli\.usage\]/],
  ["too many arguments", ["show", "a", "b"], /too many arguments.*\[cli\.usage\]/],
  ["--at that is not a number", ["show", "a", "--at", "last"], /--at last.*\[cli\.usage\]/],
  [
    "both prompt and input",
    ["run", "notes.ts", "--prompt", "a", "--input", "1"],
    /--prompt and --input.*\[cli\.usage\]/,
  ],
  ["neither of them", ["run", "notes.ts"], /nothing to answer.*--prompt.*\[cli\.usage\]/],
  [
    "broken JSON",
    ["run", "notes.ts", "--input", '{"a":1,}'],
    /--input is not JSON at line 1, column 8: .*\[cli\.usage\]/,
  ],
  [
    "broken JSON in a file",
    ["run", "notes.ts", "--input", "@input.json"],
    /--input @input\.json is not JSON at line 3, column 1: .*\[cli\.usage\]/,
  ],
  ["JSON that ends early", ["run", "notes.ts", "--input", "[1"], /column 3.*\[cli\.usage\]/],
  ["a missing file", ["run", "notes.ts", "--input", "@no.json"], /no\.json.*\[cli\.usage\]/],
  ["a missing config", ["run", "no.ts"], /no\.ts does not exist.*\[config\.invalid\]/],
  ["a folder as config", ["run", "."], /is not a file.*\[config\.invalid\]/],
  [
    "a config that throws",
    ["run", "throws.ts"],
    /throws\.ts cannot be loaded: no key is set \(at .*throws\.ts:5:9\).*\[config\.invalid\]/,
  ],
  ["a config that is no code", ["run", "syntax.ts"], /syntax\.ts:3:7.*\[config\.invalid\]/],
  ["a config without a reasoner", ["run", "no-reasoner.ts"], /no reasoner.*\[config\.invalid\]/],
  [
    "a config without exports",
    ["run", "no-default.ts"],
    /no reasoner.*default export.*\[config\.invalid\]/,
  ],
  [
    "a model that is no name",
    ["run", "notes.ts", "--prompt", "x", "--model", "gpt"],
    /PROVIDER:MODEL.*\[cli\.model\]/,
  ],
  [
    "a provider that is not installed",
    ["run", "model-by-name.ts", "--prompt", "x"],
    /npm install .*@ai-sdk\/nobody.*\[cli\.model\]/,
  ],
  ["a missing journal", ["resume", "no.jsonl"], /no\.jsonl does not exist.*\[journal\.missing\]/],
  ["an empty journal", ["show", "empty.jsonl"], /empty\.jsonl .*no header.*\[journal\.empty\]/],
  ["a folder without journals", ["replay", "empty"], /empty does not exist.*\[journal\.missing\]/],
  [
    "a journal in a folder that is not there",
    ["run", "notes.ts", "--prompt", "x", "--journal", "no/run.jsonl"],
    /no\/run\.jsonl .*\[journal\.write\]/,
  ],
  [
    "--edit without JSON",
    ["resume", "a", "--edit", "id"],
    /--edit id is not ID=JSON.*\[cli\.usage\]/,
  ],
  ["--edit with broken JSON", ["resume", "a", "--edit", "id={"], /--edit id is not JSON.*\[cli/],
  [
    "a decision made twice",
    ["resume", "a", "--approve", "x", "--reject", "x"],
    /x is decided twice.*\[cli\.usage\]/,
  ],
  ["a reason for nothing", ["resume", "a", "--reason", "x"], /--reject.*\[cli\.usage\]/],
];

describe("a mistake on the command line", () => {
  it.each(mistakes)("is one line: %s", async (_what, words, line) => {
    const folder = aFolder();
    writeFileSync(join(folder, "input.json"), '{\n  "prompt": "x",\n}\n');
    writeFileSync(join(folder, "empty.jsonl"), "");
    const { code, stdout, stderr } = await called(folder, words);
    expect(stderr).toMatch(/^reckoner: [^\n]+\n$/);
    expect(stderr).toMatch(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it("shows where it comes from only where RECKONER_DEBUG is set", async () => {
    const env = { RECKONER_DEBUG: "1" };
    const { stderr } = await reckoner(aFolder(), ["run", "throws.ts"], env);
    expect(stderr).toMatch(/\n {4}at .*throws\.ts/);
  });
});

describe("help", () => {
  it("goes to standard output and says what the exit codes mean", async () => {
    const { code, stdout, stderr } = await reckoner(aFolder(), ["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/0 done, 1 failed or cancelled, 2 refused/);
    expect((await reckoner(aFolder(), ["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
