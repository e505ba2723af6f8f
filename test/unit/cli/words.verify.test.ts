// The words of every command alike: what is unknown, empty, missing or said twice is refused in one line,
// and where JSON is asked for in one document.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { aFolder, anIo } from "./support.js";

async function say(...words: readonly string[]) {
  const io = anIo(aFolder());
  const code = await main(io, words);
  return { code, ...io.written };
}

/** The commands, with an argument for each that they need. */
const COMMANDS: readonly string[] = [
  ...["run", "resume", "replay", "show", "redrive", "fixture", "list", "checkpoint"],
  ...["fork", "rewind", "forks", "salvage", "unlock", "graph", "check"],
  ...["events", "explain", "session", "stats", "status"].map((each) => `observe ${each}`),
  ...["export", "import", "prune", "forget"],
  ...["diff", "studio"],
];
const wordsOf = (command: string) => [
  ...command.split(" "),
  ...(/diff|explain/.test(command) ? ["a", "b"] : ["a"]),
];
/** Flags that a command does not go without. */
const needed: { readonly [command: string]: readonly string[] } = {
  fixture: ["--out", "x"],
  salvage: ["--out", "x"],
  export: ["--out", "x"],
  import: ["--into", "sqlite:x.db"],
  rewind: ["--to", "1"],
};

/** Its flags that take a value, and whether they can be said again; as its help has them. */
async function flagsOf(command: string) {
  const { code, stdout } = await say(...command.split(" "), "--help");
  expect(code).toBe(0);
  const text = stdout.replace(/\n {10,}/g, " ");
  return [...text.matchAll(/^ {2}(--\w+) <.*$/gm)].map(([line, flag = ""]) => ({
    flag,
    isRepeatable: line.includes("repeatable"),
  }));
}

it("knows every command", async () => {
  const { stdout } = await say("--help");
  const listed = [...stdout.matchAll(/^ {2}(\w+) .*$/gm)].map(([, name]) => name);
  const known = new Set(COMMANDS.map((command) => command.split(" ")[0]));
  expect(listed.filter((name) => name !== "help" && !known.has(name))).toEqual([]);
});

it.each(COMMANDS)("%s refuses a flag that is empty, missing or said twice", async (command) => {
  const words = wordsOf(command);
  const flags = await flagsOf(command);
  for (const { flag, isRepeatable } of flags) {
    const missing = await say(...words, flag);
    expect(missing, flag).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toContain(`option '${flag}`);
    if (!["--prompt", "--reason", "--message"].includes(flag)) {
      for (const empty of ["", " "]) {
        const { code, stderr } = await say(...words, flag, empty);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: `reckoner: ${flag} is empty; write a word. [cli.usage]\n`,
        });
      }
    }
    const value = flag === "--ignore" ? "system" : "1";
    const twice = await say(...words, flag, value, flag, value);
    expect(twice.code, flag).toBe(2);
    const isRefused = twice.stderr.includes(`${flag} is given twice; give it once. [cli.usage]`);
    expect(isRefused, flag).toBe(!isRepeatable);
  }
});

it.each(COMMANDS)("%s refuses what it does not know", async (command) => {
  const words = [...wordsOf(command), ...(needed[command] ?? [])];
  const unknown = await say(...words, "--nope");
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(/^reckoner: .*'--nope'.*\[cli\.usage\]\n$/);
  const json = command.startsWith("observe") ? ["--format", "json"] : ["--json"];
  const told = await say(...words, "--nope", ...json);
  expect(JSON.parse(told.stdout)).toMatchObject({ error: { code: "cli.usage" } });
});

it("takes nothing behind -- for a flag", async () => {
  const { code, stdout, stderr } = await say("show", "--", "--json");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("--json does not exist. [journal.missing]");
});

it.each(COMMANDS)("%s has all its flags in the documentation", async (command) => {
  const { stdout } = await say(...command.split(" "), "--help");
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--\w+)/gm)].map(([, flag = ""]) => flag);
  const own = flags.filter((flag) => flag !== "--help");
  expect(own.length).toBeGreaterThan(0);
  const isObserve = command.startsWith("observe");
  const text = readFileSync(isObserve ? "docs/trace.md" : "docs/guide/command-line.md", "utf8");
  const lines = text
    .split("\n")
    .filter((line) =>
      isObserve ? line.startsWith(`| \`${command} `) : line.startsWith(`reckoner ${command} <`),
    );
  expect(lines).toHaveLength(1);
  const told = command === "observe stats" ? [...lines, events(text)] : lines;
  expect(own.filter((flag) => !told.join().includes(flag))).toEqual([]);
});

/** The flags of `observe events` go for `observe stats` too. */
function events(text: string): string {
  return text.split("\n").find((line) => line.startsWith("| `observe events ")) ?? "";
}

it.each(COMMANDS.filter((command) => !/^(run|graph|check)$/.test(command)))(
  "%s takes no address with a password, and prints none",
  async (command) => {
    const [, ...more] = wordsOf(command).filter((word) => !command.split(" ").includes(word));
    const flags = needed[command] ?? [];
    for (const json of [[], ["--json"]]) {
      const words = [
        ...command.split(" "),
        "postgres://ada:secret@h/db",
        ...more,
        ...flags,
        ...json,
      ];
      const { code, stdout, stderr } = await say(...words);
      expect(code).toBe(2);
      expect(stderr).not.toContain("secret");
      expect(stdout).not.toContain("secret");
      if (stdout === "") expect(stderr).toContain("has a password in it; leave it out");
    }
  },
);
