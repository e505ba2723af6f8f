// Notes beside a journal that anybody may have written, and what lies in their place: each command says
// one line with a code or goes on; a head that cannot be read is never passed over.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { aFolder, anIo } from "./support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A folder with a run that waits for an approval. */
async function waiting() {
  const folder = aFolder();
  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "a.jsonl");
  return folder;
}

/** Ways in which there is something in a note's place that is none. */
const odd: { readonly [name: string]: (path: string) => void } = {
  "a file of something else": (path) => writeFileSync(path, "hello"),
  "an empty file": (path) => writeFileSync(path, ""),
  "a folder": (path) => mkdirSync(join(path, "in it"), { recursive: true }),
  "a FIFO": (path) => execFileSync("mkfifo", [path]),
  "a link to itself": (path) => symlinkSync(basename(path), path),
  "a link that leads nowhere": (path) => symlinkSync("gone", path),
};

const commands: readonly (readonly string[])[] = [
  ["forks", "a.jsonl"],
  ["checkpoint", "a.jsonl", "--name", "here"],
  ["fork", "a.jsonl", "--name", "there"],
  ["rewind", "a.jsonl", "--to", "1"],
];

describe.each(Object.entries(odd))("%s", (_name, put) => {
  it.each(["head", "checkpoints", "forks", "checkpoints/n.json", "forks/n.json"])(
    "in place of a journal's %s is told of in one line",
    async (part) => {
      const folder = await waiting();
      const path = join(folder, `a.jsonl.${part}`);
      mkdirSync(dirname(path), { recursive: true });
      put(path);
      const before = readFileSync(join(folder, "a.jsonl"), "utf8");
      for (const words of commands) {
        const { code, stderr } = await say(folder, ...words);
        expect([0, 2], words.join(" ")).toContain(code);
        expect(stderr, words.join(" ")).not.toContain("unexpected");
        if (code === 2) expect(stderr.trimEnd()).toMatch(/^reckoner: [^\n]+ \[[a-z.]+\]$/i);
      }
      expect(readFileSync(join(folder, "a.jsonl"), "utf8")).toBe(before);
    },
  );

  it("in place of a journal's head may have led elsewhere, so that nothing goes on", async () => {
    const folder = await waiting();
    put(join(folder, "a.jsonl.head"));
    const words = ["a.jsonl", "--config", "notes.ts", "--approve", "approval/1/0"];
    const { code, stderr } = await say(folder, "resume", ...words);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("[journal.link]"),
    });
  });
});

it("a fork whose own notes cannot be looked through is listed as such, beside the others", async () => {
  const folder = await waiting();
  await say(folder, "fork", "a.jsonl", "--name", "one");
  await say(folder, "fork", "a.jsonl", "--name", "two");
  writeFileSync(join(folder, "a.jsonl.forks", "one.jsonl.forks"), "hello");
  const { code, stdout } = await say(folder, "forks", "a.jsonl");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/fork one: .*cannot be looked through.*\n.*\n.*fork two: .*open/),
  });
});

it("a fork's note that sets what is not a list of ids is none", async () => {
  const folder = await waiting();
  mkdirSync(join(folder, "a.jsonl.forks"));
  const note = { name: "f", journal: "a.jsonl", runId: "r", seq: 1, at: 5 };
  for (const [i, more] of [{ set: 5 }, { set: [5] }, { rewind: "yes" }].entries()) {
    writeFileSync(join(folder, "a.jsonl.forks", `${i}.json`), JSON.stringify({ ...note, ...more }));
  }
  const { code, stderr } = await say(folder, "forks", "a.jsonl");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "reckoner: 3 notes beside a.jsonl cannot be read, and are skipped\n",
  });
});
