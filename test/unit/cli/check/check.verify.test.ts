// `reckoner check`: what it prints, writes and answers, for configs that hold and configs that do not.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { agent, agentTool, run, scriptedModel } from "reckoner";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo } from "../support.js";

const EXAMPLE = resolve(import.meta.dirname, "../../../../examples/refunds.ts");

async function checked(folder: string, ...words: string[]) {
  const io = anIo(folder);
  const code = await main(io, ["check", ...words]);
  return { code, ...io.written };
}

/** A folder with the example in it. */
function withExample(): string {
  const folder = aFolder();
  cpSync(EXAMPLE, join(folder, "refunds.ts"));
  return folder;
}

const few = ["--runs", "300", "--depth", "6"];

describe("a machine with a bug", () => {
  it("is found out: the shortest run, as text, as a journal, and in what CI reads", async () => {
    const folder = withExample();
    const out = ["--out", "found", "--junit", "junit.xml"];
    const { code, stdout, stderr } = await checked(folder, "refunds.ts", ...few, ...out);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^reckoner: looking for all runs within a bound\n/);
    expect(stdout).toContain("Broken: no more is refunded than was charged\n");
    expect(stdout).toContain("after 6 events from the input 100; the shortest of all runs");
    const [journal = ""] = readdirSync(join(folder, "found"));
    expect(journal).toBe("no-more-is-refunded-than-was-charged.jsonl");
    const junit = readFileSync(join(folder, "junit.xml"), "utf8");
    expect(junit).toMatch(
      /<testsuite name="refunds.ts" tests="\d+" failures="[12]" errors="0" skipped="0">/,
    );
    expect(junit).toContain('name="nothing is paid back unasked"/>');

    const io = anIo(folder);
    const words = [join("found", journal)];
    expect(await main(io, ["replay", ...words])).toBe(0);
    expect(await main(io, ["show", ...words])).toBe(0);
    expect(io.written.stdout).toContain("return.requested");
    expect(await main(io, ["graph", ...words])).toBe(0);
  });

  it("is found in recorded runs as well: which law, in which journal, at which event", async () => {
    const folder = withExample();
    await checked(folder, "refunds.ts", ...few, "--out", "found");
    writeFileSync(join(folder, "found/broken.jsonl"), "{");
    const { code, stdout } = await checked(folder, "refunds.ts", "--journals", "found");
    expect(code).toBe(2);
    expect(stdout).toContain("Broken in 1 of 1 journal: no more is refunded than was charged");
    expect(stdout).toMatch(/than-was-charged\.jsonl: event 6: it does not hold/);
    expect(stdout).toMatch(/broken\.jsonl: refused: .*\[journal\.empty\]/);
    expect(stdout).toContain("2 journals, 1 refused, 7 events: 1 broken");
  });

  it("says of a recorded run that its last line was torn, and judges what is whole", async () => {
    const folder = withExample();
    await checked(folder, "refunds.ts", ...few, "--out", "found");
    const [journal = ""] = readdirSync(join(folder, "found"));
    appendFileSync(join(folder, "found", journal), '{"seq"');
    const { stdout, stderr } = await checked(folder, "refunds.ts", "--journals", "found");
    expect(stdout).toContain("Broken in 1 of 1 journal: no more is refunded than was charged");
    expect(stderr).toMatch(
      /reckoner: .*\.jsonl: .*The last line was torn \(6 bytes\) and is left out/,
    );
  });

  it("takes null for what a run starts from, as machines that are told nothing have it", async () => {
    const folder = withExample();
    const example = readFileSync(join(folder, "refunds.ts"), "utf8");
    const config = (name: string, given: string) =>
      writeFileSync(
        join(folder, name),
        example.replace(
          "default { reasoner: order, check }",
          `default { reasoner: order, ${given} }`,
        ),
      );
    config("null.ts", "check: { input: null }");
    config("given.ts", "input: null");
    config("none.ts", "check: {}");
    const depth = ["--runs", "5", "--depth", "1"];
    expect((await checked(folder, "null.ts", ...depth)).code).toBe(0);
    expect((await checked(folder, "given.ts", ...depth)).code).toBe(0);
    const none = await checked(folder, "none.ts", ...depth);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("give it input")]);
  });

  it("is told before what cannot be written, and each law has a journal of its own", async () => {
    const folder = withExample();
    const example = readFileSync(join(folder, "refunds.ts"), "utf8");
    const laws = ["a/b", "A?b", "??", "..", "\u{1F600}".repeat(70)].map(
      (name) => `law(${JSON.stringify(name)}, () => false)`,
    );
    const given = `default { reasoner: order, check: { input: 1, laws: [${laws.join(", ")}] } }`;
    const config = example.replace("default { reasoner: order, check }", given);
    writeFileSync(join(folder, "alike.ts"), config);
    const out = ["--runs", "1", "--depth", "1", "--out"];
    expect((await checked(folder, "alike.ts", ...out, "new/found")).code).toBe(1);
    expect(readdirSync(join(folder, "new/found")).sort()).toEqual([
      "A-b-2.jsonl",
      "a-b.jsonl",
      "law-2.jsonl",
      "law-3.jsonl",
      "law.jsonl",
    ]);

    const late = await checked(folder, "alike.ts", ...out, "late", "--junit", "no/j.xml");
    expect(late.code).toBe(2);
    expect(late.stdout).toContain("Broken: a/b");
    expect(late.stderr).toContain("--junit no/j.xml cannot be written");
    const early = await checked(folder, "alike.ts", ...out, "alike.ts");
    expect([early.code, early.stdout]).toEqual([2, ""]);
    const json = await checked(folder, "alike.ts", ...out, "late", "--junit", "no/j.xml", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: "cli.usage" } });
  });

  it("warns of laws that recorded runs never met", async () => {
    const folder = withExample();
    await checked(folder, "refunds.ts", ...few, "--out", "found");
    const config = readFileSync(join(folder, "refunds.ts"), "utf8");
    const other = 'laws: [law("who closes is told", () => undefined),';
    writeFileSync(join(folder, "more.ts"), config.replace("laws: [", other));
    const { stdout } = await checked(folder, "more.ts", "--journals", "found");
    const warned = stdout.split("\n").filter((line) => line.startsWith("warning"));
    expect(warned).toEqual([
      'warning: "who closes is told" never met what it speaks of in these journals',
    ]);
  });

  it("says the same as one document", async () => {
    const folder = withExample();
    const { stdout } = await checked(folder, "refunds.ts", ...few, "--json");
    const said = JSON.parse(stdout);
    expect(said).toMatchObject({
      ok: false,
      check: { runs: 300, seed: 1 },
      explore: { ok: false },
    });
    expect(said.explore.counterexamples[0].events).toHaveLength(6);
    expect(existsSync(join(folder, "found"))).toBe(false);
  });
});

describe("recorded runs that are not all there", () => {
  /** A parent that asked a child twice, and a run that goes on from it. */
  async function withFamily(): Promise<string> {
    const folder = aFolder();
    writeFileSync(
      join(folder, "family.ts"),
      `import { agent, agentTool } from "reckoner";
       import { issues, law } from "reckoner/testing";
       const child = agent({ name: "child" });
       const tools = [agentTool(child, { name: "ask", description: "Asks." })];
       const laws = [law("models are asked", (seen) => issues("llm")(seen) > 0 || undefined)];
       export default { reasoner: agent({ name: "parent", tools }), check: { laws } };`,
    );
    const child = agent({ name: "child" });
    const tools = [agentTool(child, { name: "ask", description: "Asks." })];
    const parent = agent({ name: "parent", tools });
    const ask = { name: "ask", input: { prompt: "p" } };
    const model = scriptedModel(({ tools }, turn) =>
      tools?.length === 1 && turn === 0 ? { calls: [ask, ask] } : "so",
    );
    mkdirSync(join(folder, "runs"));
    const first = join(folder, "runs/first.jsonl");
    await run(parent, "one", { model, journal: first, runId: "one" });
    await run(parent, "two", { model, journal: join(folder, "runs/second.jsonl"), from: first });
    return folder;
  }

  it("are judged whole where they are", async () => {
    const folder = await withFamily();
    const { code, stdout, stderr } = await checked(folder, "family.ts", "--journals", "runs");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^2 journals, \d+ events: every law holds$/m);
  });

  it("are refused where the run that they go on from is gone, and links of files lead nowhere", async () => {
    const folder = await withFamily();
    rmSync(join(folder, "runs/first.jsonl"));
    symlinkSync("nowhere.jsonl", join(folder, "runs/third.jsonl"));
    const { code, stdout } = await checked(folder, "family.ts", "--journals", "runs");
    expect(code).toBe(2);
    expect(stdout).toMatch(/second\.jsonl: refused: .*first\.jsonl, cannot be found/);
    expect(stdout).toMatch(/third\.jsonl: refused: .*does not exist/);
    expect(stdout).toMatch(/^2 journals, 2 refused, 0 events: nothing was judged$/m);
  });
});

it.each([
  [["--journals", ""], "--journals is empty; write a word."],
  [["--out", ""], "--out is empty; write a word."],
  [["--junit", " "], "--junit is empty; write a word."],
  [["--journals", "found", "--seed", "2"], "--seed is for runs that are made, --journals for"],
  [["--journals", "found", "--out", "o"], "--out is for runs that are made, --journals for"],
  [["--journals", "found", "--unreached"], "--unreached is for runs that are made, --journals"],
])("flags that say nothing are refused: %j", async (flags, said) => {
  const { code, stdout, stderr } = await checked(withExample(), "refunds.ts", ...flags);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(said);
});

it("an agent needs nothing but itself", async () => {
  const { code, stdout } = await checked(aFolder(), "plain.mjs", "--runs", "20", "--depth", "3");
  expect(stdout).toContain("20 runs");
  expect(code).toBe(0);
  const short = stdout.split("\n").filter((line) => line.includes("reached"));
  expect(short.length).toBeLessThan(8);
  const flags = ["--runs", "20", "--depth", "3", "--unreached"];
  const all = await checked(aFolder(), "plain.mjs", ...flags);
  expect(all.stdout).toContain("\nunreached: state acting\n");
  expect(all.stdout).toContain("\nunreached: transition limited: [answersAtLimit] -> wrappingUp\n");
});

it("with --strict, a part of the chart that is proven dead is a failure", async () => {
  const folder = aFolder();
  writeFileSync(
    join(folder, "dead.ts"),
    `import { setupReasoner } from "reckoner/kernel";
     const { createReasoner } = setupReasoner<object, null, { type: "go" }>();
     const states = { a: { on: { go: "b" } }, b: { type: "final" }, never: {} } as const;
     const reasoner = createReasoner({ id: "d", machine: { context: {}, initial: "a", states } });
     const without = ["no run stands still without having ended"];
     export default { reasoner, check: { input: null, runs: 20, without } };`,
  );
  expect((await checked(folder, "dead.ts")).code).toBe(0);
  const strict = await checked(folder, "dead.ts", "--strict");
  expect(strict.code).toBe(1);
  expect(strict.stderr).toContain("reckoner: --strict: dead: state never");
});

it("a machine that does not say what it starts from is asked", async () => {
  const folder = aFolder();
  writeFileSync(
    join(folder, "still.ts"),
    `import { defineReasoner, setupReasoner } from "reckoner/kernel";
     const { createMachine } = setupReasoner<object, string>();
     export default defineReasoner({ id: "still", machine: createMachine({ context: {}, initial: "a", states: { a: {} } }) });`,
  );
  const { code, stderr } = await checked(folder, "still.ts");
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /still\.ts does not say what runs start from; give it input.*\[cli\.usage\]/,
  );
  expect(await checked(folder, "still.ts", "--runs", "x")).toMatchObject({ code: 2 });
});
