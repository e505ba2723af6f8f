// checkpoint, fork, rewind and forks on the command line.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo } from "../support.js";

/** Carries out a command line in a folder. */
async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A folder with the journal of a run that is done. */
async function aDoneRun() {
  const folder = aFolder();
  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "run.jsonl");
  await say(folder, "resume", "run.jsonl", "--approve", "approval/1/0");
  return { folder, bytes: readFileSync(join(folder, "run.jsonl"), "utf8") };
}

it("forks with another answer, and the fork goes on live from there", async () => {
  const { folder, bytes } = await aDoneRun();
  const set = 'approval/1/0={"approve":false,"reason":"leave it"}';
  const words = ["run.jsonl", "--set", set, "--out", "f.jsonl", "--name", "gentle"];
  const made = await say(folder, "fork", ...words);
  expect(made.stdout).toMatch(/^f\.jsonl: run \S+, cut from run \S+ behind event 4\n$/);
  expect(made.stderr).toContain("stores do not fork");
  expect(made.stderr).toContain("reckoner resume f.jsonl");
  expect((await say(folder, "resume", "f.jsonl")).code).toBe(0);
  expect(readFileSync(join(folder, "f.jsonl"), "utf8")).toContain("leave it");
  expect((await say(folder, "replay", "f.jsonl")).stdout).toContain("identical");
  expect((await say(folder, "forks", "run.jsonl")).stdout).toContain(
    "fork gentle: behind event 4, sets approval/1/0; 7 events, done\n    f.jsonl\n",
  );
  expect(readFileSync(join(folder, "run.jsonl"), "utf8")).toBe(bytes);
});

it("an answer that is set twice is refused", async () => {
  const { folder } = await aDoneRun();
  const set = (text: string) => ["--set", `approval/1/0={"approve":false,"reason":"${text}"}`];
  const made = await say(folder, "fork", "run.jsonl", ...set("a"), ...set("b"), "--out", "f.jsonl");
  expect([made.code, made.stderr]).toEqual([
    2,
    "reckoner: run.jsonl: The answer approval/1/0 is set twice; set it once. [cli.usage]\n",
  ]);
  expect(existsSync(join(folder, "f.jsonl"))).toBe(false);
});

it("redacts what is set as the config says, the named one or the journal's own", async () => {
  const { folder } = await aDoneRun();
  writeFileSync(
    join(folder, "hiding.ts"),
    `import notes from "./notes";
const redact = (value) => JSON.parse(JSON.stringify(value).replaceAll("CANARY", "[hidden]"));
export default { ...notes, options: { ...notes.options, redact } };
`,
  );
  const set = ["--set", 'approval/1/0={"approve":false,"reason":"CANARY"}', "--out"];
  const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
  await say(folder, "fork", "run.jsonl", ...set, "a.jsonl", "--config", "hiding.ts");
  expect(textOf("a.jsonl")).toContain("[hidden]");
  expect(textOf("a.jsonl")).not.toContain("CANARY");
  const own = ["--journal", "own.jsonl"];
  await say(folder, "run", "hiding.ts", "--prompt", "clean up", ...own);
  await say(folder, "fork", "own.jsonl", ...set, "b.jsonl");
  expect(textOf("b.jsonl")).toContain("[hidden]");
  expect((await say(folder, "resume", "b.jsonl")).code).toBe(0);
  expect(textOf("b.jsonl")).not.toContain("CANARY");
  // A config that is gone hides nothing, and that is said.
  rmSync(join(folder, "hiding.ts"));
  const unseen = await say(folder, "fork", "own.jsonl", ...set, "c.jsonl");
  expect(unseen).toMatchObject({ code: 0, stderr: expect.stringContaining("is not redacted") });
  expect(unseen.stderr).toContain("pass --config FILE");
});

it("rewinds to a checkpoint, and resume follows the head", async () => {
  const { folder, bytes } = await aDoneRun();
  expect(await say(folder, "checkpoint", "run.jsonl", "--at", "4", "--name", "asked")).toEqual({
    code: 0,
    stdout: "checkpoint asked: event 4, 5 events\n",
    stderr: "",
  });
  const rewound = await say(folder, "rewind", "run.jsonl", "--to", "asked");
  expect(rewound.stdout).toBe("run.jsonl: rewound to event 4: 3 events taken back, 5 retained\n");
  const end = await say(folder, "resume", "run.jsonl", "--reject", "approval/1/0", "--json");
  expect(JSON.parse(end.stdout)).toMatchObject({ status: "done" });
  const listed = JSON.parse((await say(folder, "forks", "run.jsonl", "--json")).stdout);
  expect(listed).toMatchObject({
    head: { seq: 4, removed: 3, retained: 5 },
    checkpoints: [{ name: "asked" }],
    forks: [{ rewind: true, ended: "done" }],
  });
  expect(readFileSync(join(folder, "run.jsonl"), "utf8")).toBe(bytes);
});

it.each([
  [["fork", "run.jsonl", "--at", "99"], /has no event 99; its last is 7/],
  [["fork", "run.jsonl", "--at", "1", "--set", "llm/0=1"], /leave --at out/],
  [["fork", "run.jsonl", "--set", "llm/0"], /is not ID=JSON/],
  [["fork", "run.jsonl", "--set", "llm/0={"], /not JSON/],
  [["fork", "gone.jsonl"], /gone\.jsonl does not exist/],
  [["fork", "run.jsonl", "--out", "run.jsonl"], /holds a journal already/],
  [["rewind", "run.jsonl", "--to", "gone"], /has no checkpoint "gone"/],
  [["rewind", "run.jsonl"], /--to/],
  [["checkpoint", "run.jsonl", "--limit", "0"], /has 0 checkpoints, and may have 0/],
  [["checkpoint", "run.jsonl", "--limit", "x"], /--limit x is not a whole number/],
])("refuses %j", async (words, message) => {
  const { folder } = await aDoneRun();
  const refused = await say(folder, ...words);
  expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  expect(JSON.parse((await say(folder, "forks", "run.jsonl", "--json")).stdout).forks).toEqual([]);
});

it("shows a state with what changed since the record before", async () => {
  const { folder } = await aDoneRun();
  const at = await say(folder, "show", "run.jsonl", "--at", "6", "--config", "notes.ts");
  expect(at.stdout).toContain("seq: 6\n");
  expect(at.stdout).toMatch(
    /since event 5:\n(?: {2}.*\n)*? {2}context\.deps\.wiped: nothing → "shelf"/,
  );
  // Without code: the line and what it says changed.
  const bare = await say(folder, "show", "run.jsonl", "--at", "3");
  expect(bare.code).toBe(0);
  expect(bare.stdout).toContain("#3 tool.succeeded");
  expect(bare.stdout).toMatch(
    /since event 2:\n {2}value: "acting" → "thinking"\n(?: {2}context\..*\n)+/,
  );
  expect(bare.stderr).toContain("no snapshot of event 3 is kept");
  // And the state itself, where a snapshot of it is kept.
  const end = await say(folder, "show", "run.jsonl", "--at", "7", "--json");
  expect(JSON.parse(end.stdout)).toMatchObject({ state: { seq: 7, status: "done" } });
  expect((await say(folder, "show", "run.jsonl", "--at", "8")).stderr).toContain(
    "--at 8 is past the last event, 7",
  );
});

it("shows a fork with the past that it shares", async () => {
  const { folder } = await aDoneRun();
  await say(folder, "fork", "run.jsonl", "--at", "4", "--out", "f.jsonl");
  await say(folder, "resume", "f.jsonl", "--approve", "approval/1/0");
  for (const config of [[], ["--config", "notes.ts"]]) {
    const { stdout, stderr } = await say(folder, "show", "f.jsonl", ...config);
    expect(stdout).toMatch(/#4 [\s\S]*-- here run \S+ was forked from run \S+\n\S+ +#5 /);
    expect(stdout).toContain("The shelf is clean.");
    expect(stderr).not.toContain("something else than was recorded");
    const at = await say(folder, "show", "f.jsonl", "--at", "2", "--json", ...config);
    expect(at.code).toBe(0);
  }
});

it("compares two runs side by side", async () => {
  const { folder } = await aDoneRun();
  const same = await say(folder, "diff", "run.jsonl", "run.jsonl");
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("the same: ") });
  const set = 'tool/0/1="\\u001b[2J nothing"';
  await say(folder, "fork", "run.jsonl", "--set", set, "--out", "f.jsonl");
  await say(folder, "resume", "f.jsonl");
  const { code, stdout } = await say(folder, "diff", "run.jsonl", "f.jsonl");
  expect(code).toBe(1);
  expect(stdout).toContain(
    "they part by a tool result: tool/0/1.output (event 3 of a, event 3 of b)",
  );
  expect(stdout).toMatch(/#3 tool\.succeeded tool\/0\/1 +≠ #3 tool\.succeeded tool\/0\/1\n/);
  expect(stdout).not.toContain("\u001b[2J");
  const whole = JSON.parse((await say(folder, "diff", "run.jsonl", "f.jsonl", "--json")).stdout);
  expect(whole).toMatchObject({ same: false, parting: { kind: "tool result", cause: "tool/0/1" } });
  expect((await say(folder, "diff", "run.jsonl", "gone.jsonl")).code).toBe(2);
});

it("checks runs that were upgraded: the new part counts, ignored parts and baselines hold", async () => {
  const folder = aFolder();
  const code = (system: string, more = "") => `import { agent, scriptedModel } from "reckoner";
export default {
  reasoner: agent({ name: "clerk", system: "${system}", conversation: true${more} }),
  model: scriptedModel(() => "said"),
};
`;
  for (const name of ["old", "new", "newer"])
    writeFileSync(join(folder, `${name}.ts`), code(name, ""));
  expect((await say(folder, "run", "old.ts", "--prompt", "go", "--journal", "u.jsonl")).code).toBe(
    3,
  );
  const upgraded = await say(
    folder,
    "resume",
    "u.jsonl",
    "--config",
    "new.ts",
    "--upgrade",
    "--message",
    "again",
  );
  expect(upgraded.code).toBe(3);
  const same = await say(folder, "replay", "u.jsonl", "--config", "new.ts", "--junit", "u.xml");
  expect(same).toMatchObject({ code: 0, stdout: "u.jsonl: upgraded: 2 events\n" });
  expect(same.stderr).toContain("Not checked: 2 events from 0 on");
  expect(readFileSync(join(folder, "u.xml"), "utf8")).toContain(
    'tests="1" failures="0" errors="0"',
  );
  const newer = ["replay", "u.jsonl", "--config", "newer.ts"];
  const json = JSON.parse((await say(folder, ...newer, "--json")).stdout);
  expect(json).toMatchObject({
    groups: [{ what: "the system prompt" }],
    summary: { identical: 0, upgraded: 0, diverged: 1, refused: 0 },
  });
  expect((await say(folder, ...newer, "--ignore", "system")).code).toBe(0);
  expect(await say(folder, ...newer, "--baseline", "known.json")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--baseline known.json is not there; nothing is accepted"),
  });
  expect((await say(folder, ...newer, "--baseline", "known.json", "--accept")).code).toBe(0);
  const known = await say(folder, ...newer, "--baseline", "known.json", "--json");
  expect(known.code).toBe(0);
  expect(JSON.parse(known.stdout).summary).toMatchObject({ upgraded: 1, diverged: 0 });
  // With the earlier code at hand nothing is left unchecked.
  const both = ["replay", "u.jsonl", "--config", "new.ts", "--old"];
  expect(await say(folder, ...both, "old.ts")).toMatchObject({
    code: 0,
    stdout: "u.jsonl: identical: 4 events\n",
    stderr: "",
  });
  const liar = code("old").replace("conversation: true", "conversation: true, maxIterations: 3");
  writeFileSync(join(folder, "liar.ts"), liar);
  expect((await say(folder, ...both, "liar.ts")).stdout).toBe("u.jsonl: upgraded: 2 events\n");
  expect(await say(folder, ...both, "gone.ts")).toMatchObject({ code: 2 });
});

it("resumes with whichever code wrote the run, or upgrades it with the old code at hand", async () => {
  const folder = aFolder();
  for (const name of ["old", "new"]) {
    writeFileSync(
      join(folder, `${name}.ts`),
      `import { agent, scriptedModel } from "reckoner";
export default {
  reasoner: agent({ name: "clerk", system: "${name}", conversation: true }),
  model: scriptedModel(({ system }) => system ?? ""),
};
`,
    );
  }
  await say(folder, "run", "old.ts", "--prompt", "go", "--journal", "c.jsonl");
  const resume = ["resume", "c.jsonl", "--config", "new.ts", "--message", "again"];
  expect((await say(folder, ...resume)).stderr).toContain("[journal.configuration]");
  const rolling = await say(folder, ...resume, "--old", "old.ts", "--json");
  expect(JSON.parse(rolling.stdout)).toMatchObject({ status: "waiting", output: "old" });
  rmSync(join(folder, "c.jsonl.snapshots"), { recursive: true, force: true });
  expect((await say(folder, ...resume, "--upgrade")).code).toBe(2);
  const upgraded = await say(folder, ...resume, "--upgrade", "--old", "old.ts", "--json");
  expect(JSON.parse(upgraded.stdout)).toMatchObject({ status: "waiting", output: "new" });
});

it("loads no code that a damaged journal names", async () => {
  const { folder } = await aDoneRun();
  appendFileSync(join(folder, "run.jsonl"), "x\n");
  const { code, stderr } = await say(folder, "replay", "run.jsonl");
  expect(code).toBe(2);
  expect(stderr).not.toContain("loading");
});

it("checks a folder: groups, ignored parts, a baseline, JUnit", async () => {
  const { folder } = await aDoneRun();
  mkdirSync(join(folder, "runs"));
  for (const name of ["a", "b", "c"])
    copyFileSync(join(folder, "run.jsonl"), join(folder, "runs", `${name}.jsonl`));
  const same = await say(folder, "replay", "runs");
  expect(same).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      "3 journals: 3 identical, 0 upgraded, 0 diverged, 0 refused (24 events the same)",
    ),
  });
  const text = readFileSync(join(folder, "notes.ts"), "utf8");
  writeFileSync(
    join(folder, "other.ts"),
    text.replace("You keep a house clean", "You keep a <house>"),
  );
  const other = ["replay", "runs", "--config", "other.ts"];
  const changed = await say(folder, ...other, "--junit", "out.xml");
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain(
    '3 × the system prompt\n    "You keep a house clean, and say what you did." → "You keep a <house>',
  );
  expect(changed.stdout).toContain("3 places: runs/a.jsonl#0, runs/b.jsonl#0, runs/c.jsonl#0\n");
  const xml = readFileSync(join(folder, "out.xml"), "utf8");
  expect(xml).toContain('<testsuites tests="3" failures="3" errors="0" skipped="0">');
  expect(xml).toContain("You keep a &lt;house&gt;");
  expect((await say(folder, ...other, "--ignore", "system")).code).toBe(0);
  expect((await say(folder, ...other, "--ignore", "tools")).code).toBe(1);
  expect((await say(folder, ...other, "--baseline", "ok.json")).code).toBe(1);
  expect(await say(folder, ...other, "--baseline", "ok.json", "--accept")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("1 differences were added to ok.json, which accepts 1"),
  });
  expect((await say(folder, ...other, "--baseline", "ok.json")).code).toBe(0);
  writeFileSync(join(folder, "third.ts"), text.replace("clean", "tidy"));
  const third = ["replay", "runs", "--config", "third.ts"];
  expect((await say(folder, ...third, "--baseline", "ok.json")).code).toBe(1);
  // What was accepted before stays accepted.
  const more = await say(folder, ...third, "--baseline", "ok.json", "--accept");
  expect(more.stderr).toContain("1 differences were added to ok.json, which accepts 2");
  for (const each of [other, third]) {
    expect((await say(folder, ...each, "--baseline", "ok.json")).code).toBe(0);
  }
  writeFileSync(join(folder, "runs", "d.jsonl"), "no journal\n");
  const json = await say(folder, ...other, "--json");
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({
    summary: { journals: 4, identical: 0, diverged: 3, refused: 1 },
    groups: [{ what: "the system prompt", journals: 3 }],
  });
  expect((await say(folder, ...other, "--accept")).stderr).toContain("--baseline FILE");
  writeFileSync(join(folder, "ok.json"), "[]");
  expect((await say(folder, ...other, "--baseline", "ok.json")).stderr).toContain(
    "is not a baseline",
  );
});

it("drives runs once more, and says what is new before a model is asked", async () => {
  const { folder } = await aDoneRun();
  const same = await say(folder, "redrive", "run.jsonl");
  expect(same.code).toBe(0);
  expect(same.stdout).toContain("run.jsonl: reused 7 of 7 answers, 0 new\n");
  expect(same.stdout).toMatch(/what happened +│ replay +│ candidate\n/);
  expect(same.stdout).toMatch(/llm llm\/0: llm\.succeeded +│ same +│ llm llm\/0: reused/);
  const text = readFileSync(join(folder, "notes.ts"), "utf8");
  const config = text
    .replace("You keep a house", "You keep the house")
    .replace("defineConfig({", "defineConfig({ score: ({ requests }) => -requests,");
  writeFileSync(join(folder, "other.ts"), config);
  const other = await say(folder, "redrive", "run.jsonl", "--config", "other.ts");
  expect(other.code).toBe(1);
  expect(other.stdout).toContain("reused 0 of 1 answer, 1 new; better (-3 → -1)");
  expect(other.stdout).toContain("new: llm llm/0");
  expect(other.stdout).toMatch(/llm llm\/0: llm\.succeeded +│ differs +│ not asked\n/);
  const live = ["redrive", "run.jsonl", "--config", "other.ts", "--live"];
  expect((await say(folder, ...live)).stderr).toContain("--budget TOKENS");
  const asked = await say(folder, ...live, "--budget", "1000");
  expect(asked.stderr).toContain("run.jsonl: 1 out of support, asked live:\n  llm llm/0\n");
  expect(asked.stdout).toContain("reused 4 of 7 answers, 3 new (3 answered live, 48 tokens); same");
  const json = JSON.parse((await say(folder, ...live, "--budget", "20", "--json")).stdout);
  expect(json.summary).toMatchObject({ asked: 7, reused: 4, fresh: 3 });
});
