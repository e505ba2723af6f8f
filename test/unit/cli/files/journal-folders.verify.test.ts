// Folders of journals as they are found: what nobody may look into is told of, and the others are read;
// and however much there is of a thing, it is shown.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { expandJournals } from "../../../../src/cli/files/journal-files.js";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo, COMMAND } from "../support.js";
import { event, journalOf } from "./plain-journal.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

const start = event(0, { type: "start", input: 1 });

/** The command as somebody who has no more rights than others: nothing is closed to an administrator. */
function asSomebody(cwd: string, ...words: readonly string[]) {
  const isAdministrator = process.getuid?.() === 0;
  return spawnSync(process.execPath, [COMMAND, ...words], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    ...(isAdministrator ? { uid: 65_534, gid: 65_534 } : {}),
  });
}

it("lists what may be read beside a folder that may not", ({ skip }) => {
  const folder = aFolder();
  if (asSomebody(folder, "--version").status !== 0) skip("the build is closed to others");
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "runs", "closed"), { recursive: true });
  writeFileSync(join(folder, "runs", "a.jsonl"), journalOf([start]));
  chmodSync(join(folder, "runs", "closed"), 0);
  onTestFinished(() => chmodSync(join(folder, "runs", "closed"), 0o700));
  const listed = asSomebody(folder, "list", "runs");
  expect(listed).toMatchObject({ status: 2, stderr: "" });
  const [first, second] = listed.stdout.split("\n");
  expect(first).toContain("runs/a.jsonl");
  expect(second).toMatch(
    /^unreadable +runs\/closed\/\*\.jsonl: .*EACCES.*\[journal\.unreadable\]$/,
  );
  const events = asSomebody(folder, "observe", "events", "runs");
  expect(events.status).toBe(2);
  expect(events.stdout).toContain("start (hi)");
  const itself = asSomebody(folder, "replay", "runs/closed", "--json");
  expect(itself.status).toBe(2);
  expect(itself.stderr).toMatch(
    /^reckoner: runs\/closed: The folder runs\/closed cannot be read: EACCES.*\[journal\.unreadable\]\n$/,
  );
});

it("shows a text of more lines than a call takes arguments", async () => {
  const folder = aFolder();
  const text = "line\n".repeat(150_000);
  writeFileSync(join(folder, "a.jsonl"), journalOf([event(0, { type: "start", input: text })]));
  const { code, stdout, stderr } = await say(folder, "show", "a.jsonl", "--full");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").length).toBeGreaterThan(150_000);
});

it("shows one JSON document also where a config's reasoner cannot take the journal", async () => {
  const folder = aFolder();
  // Its start is not that of its header.
  writeFileSync(join(folder, "a.jsonl"), journalOf([start]));
  const words = ["show", "a.jsonl", "--config", "plain.mjs", "--json"];
  const { code, stdout, stderr } = await say(folder, ...words);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "journal.format" } });
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

it("says of a journal whose first event is torn that it has none", async () => {
  const folder = aFolder();
  const text = journalOf([start]);
  writeFileSync(join(folder, "a.jsonl"), text.slice(0, -5));
  const { code, stderr } = await say(folder, "show", "a.jsonl", "--at", "0");
  expect(code).toBe(2);
  expect(stderr).toBe(
    "reckoner: a.jsonl: the last line is torn and left out\nreckoner: a.jsonl: --at 0 is past the last event, there is none. [cli.usage]\n",
  );
});

it("lists a title without half a letter, and one timer as one", async () => {
  const folder = aFolder();
  const input = `${"x".repeat(59)}🙂 and more`;
  const timer = { type: "timer", id: "x", until: 50 };
  const text = journalOf([event(0, { type: "start", input: 1 }, { do: [timer] })]);
  writeFileSync(join(folder, "a.jsonl"), text);
  expect((await say(folder, "list", "a.jsonl")).stdout).toContain(
    "waits for 1 timer at 1970-01-01T00:00:00.050Z\n",
  );
  await say(folder, "run", "notes.ts", "--prompt", input, "--journal", "b.jsonl");
  const listed = await say(folder, "list", "b.jsonl");
  expect(listed.stdout).toContain(`“${"x".repeat(59)}”`);
});

it("has no journal of a folder of snapshots", () => {
  const cwd = aFolder();
  mkdirSync(join(cwd, "runs/a.jsonl.snapshots"), { recursive: true });
  mkdirSync(join(cwd, "runs/more"), { recursive: true });
  for (const name of ["a.jsonl", "a.jsonl.snapshots/7.jsonl", "more/b.jsonl"])
    writeFileSync(join(cwd, "runs", name), journalOf([start]));
  expect(expandJournals(anIo(cwd), "runs")).toEqual(["runs/a.jsonl", "runs/more/b.jsonl"]);
});
