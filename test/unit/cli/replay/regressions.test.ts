// Regressions in the words of whoever changed the code: by kind and place, with values as examples.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { linesOf, Regressions } from "../../../../src/cli/replay/regressions.js";
import { agent, run, scriptedModel, tool } from "../../../../src/index.js";
import { journalAt } from "../../../../src/runtime/index.js";
import { aFolder, anIo } from "../support.js";

/** A desk that pays back; what its hooks or its tool do otherwise comes with the config. */
const desk = (more: string) => `
import { agent, defineConfig, tool } from "reckoner";
const inputSchema = { "~standard": { version: 1, vendor: "t", validate: (value) => ({ value }),
  jsonSchema: { input: () => ({ type: "object" }), output: () => ({}) } } };
const refund = tool({ name: "refund", inputSchema, execute: () => "paid" });
const rate = tool({ name: "rate", inputSchema, reduce: ({ amount }) => ({ rate: amount * RATE }) });
const RATE = 1;
export default defineConfig({ reasoner: agent({ name: "desk", tools: [refund, rate] ${more} }) });
`;

type Script = Extract<Parameters<typeof scriptedModel>[0], readonly unknown[]>;

async function recorded(name: "refund" | "rate", count: number) {
  const folder = aFolder();
  mkdirSync(join(folder, "runs"));
  for (let i = 0; i < count; i++) {
    const calls = [{ name, input: { amount: 42 + i } }];
    await recordOne(folder, `r${String(i).padStart(3, "0")}`, [{ calls }, "done"]);
  }
  return folder;
}

async function recordOne(folder: string, file: string, script: Script) {
  const inputSchema = {
    "~standard": {
      version: 1,
      vendor: "t",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({}) },
    },
  } as never;
  const refund = tool({ name: "refund", inputSchema, execute: () => "paid" });
  const rate = tool({
    name: "rate",
    inputSchema,
    reduce: ({ amount }: { amount: number }) => ({ rate: amount * 1 }),
  } as never);
  const own = agent({ name: "desk", tools: [refund, rate] });
  const journal = await journalAt(join(folder, "runs", `${file}.jsonl`));
  await run(own, "go", { model: scriptedModel(script), journal });
}

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

const denying = `, plugins: [{ name: "judge", beforeTool: () => ({ type: "deny", reason: "too much" }) }]`;

describe("what differs in many runs", () => {
  it("is one fact: a call that a hook denies, with what its arguments range over", async () => {
    const folder = await recorded("refund", 5);
    writeFileSync(join(folder, "denies.ts"), desk(denying));
    const words = ["replay", "runs", "--config", "denies.ts"];
    const told = await say(folder, ...words, "--markdown", "r.md", "--junit", "r.xml");
    expect(told.code).toBe(1);
    const first =
      '5 × `refund` is denied by a hook ("Tool call was denied by hook: too much"), was run; amount 42 to 46';
    expect(told.stdout).toContain(
      `${first}\n    5 places: runs/r000.jsonl#1, runs/r001.jsonl#1, runs/r002.jsonl#1, …\n`,
    );
    expect(told.stdout.match(/ × /g)).toHaveLength(1);
    const markdown = readFileSync(join(folder, "r.md"), "utf8");
    expect(markdown).toMatch(/^<!-- reckoner -->\n\n### reckoner replay\n\n5 journals: /);
    expect(markdown).toContain(`- ${first}\n  - 5 places: `);
    expect(readFileSync(join(folder, "r.xml"), "utf8")).toContain('failures="5"');
    // It is overwritten by its like, and nothing else is.
    expect((await say(folder, ...words, "--markdown", "r.md")).code).toBe(1);
    const other = await say(folder, ...words, "--markdown", "denies.ts");
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining("not a Markdown report"),
    ]);
    const same = await say(folder, ...words, "--markdown", "x", "--junit", "x");
    expect(same.stderr).toContain("--junit and --markdown name the same file, x");
  });

  it("is one group for a pure tool that computes otherwise, however many values there are", async () => {
    const folder = await recorded("rate", 6);
    writeFileSync(join(folder, "dearer.ts"), desk("").replace("RATE = 1", "RATE = 2"));
    const { stdout } = await say(folder, "replay", "runs", "--config", "dearer.ts", "--json");
    const { groups } = JSON.parse(stdout);
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({
      what: "`rate` returns otherwise",
      inputs: ["amount 42 to 47"],
      journals: 6,
      places: 6,
      variants: 6,
    });
    expect(groups[0].values).toHaveLength(3);
    // A baseline accepts contents, each of them.
    const accepting = ["replay", "runs", "--config", "dearer.ts", "--baseline", "ok.json"];
    expect((await say(folder, ...accepting, "--accept")).stderr).toContain("30 differences");
  });

  it("is accepted once and for all, with what follows from it further on", async () => {
    const folder = await recorded("rate", 2);
    const calls = [0, 1, 2].map((n) => ({
      calls: [{ name: n === 1 ? "refund" : "rate", input: { amount: n } }],
    }));
    await recordOne(folder, "long", [...calls, "done"]);
    writeFileSync(join(folder, "dearer.ts"), desk("").replace("RATE = 1", "RATE = 2"));
    const words = ["replay", "runs", "--config", "dearer.ts", "--baseline", "ok.json"];
    expect((await say(folder, ...words, "--accept")).code).toBe(0);
    const { accepted } = JSON.parse(readFileSync(join(folder, "ok.json"), "utf8"));
    const next = await say(folder, ...words);
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining("3 identical")]);
    expect((await say(folder, ...words, "--accept")).stderr).toContain("0 differences");
    // Another change is another content.
    writeFileSync(join(folder, "dearest.ts"), desk("").replace("RATE = 1", "RATE = 3"));
    const other = words.map((word) => word.replace("dearer", "dearest"));
    expect((await say(folder, ...other)).code).toBe(1);
    expect(accepted.length).toBeGreaterThan(1);
  });

  it("is told by redrive with the candidate's whole end, in groups, as JUnit and as Markdown", async () => {
    const folder = await recorded("refund", 3);
    writeFileSync(join(folder, "denies.ts"), desk(denying));
    const words = ["redrive", "runs", "--config", "denies.ts"];
    const told = await say(folder, ...words, "--markdown", "r.md", "--junit", "r.xml");
    expect(told.stdout).toContain(
      'ended done in answered after 2 model calls and 1 tool call: "done"\n',
    );
    expect(told.stdout).toContain("ends active in thinking after 2 model calls and 0 tool calls;");
    expect(told.stdout).toContain("3 × `refund` is denied by a hook");
    expect(told.stdout).toContain("3 × tool `refund` is not asked for, was");
    expect(readFileSync(join(folder, "r.xml"), "utf8")).toMatch(
      /failures="3"[\s\S]*ends active in/,
    );
    const markdown = readFileSync(join(folder, "r.md"), "utf8");
    expect(markdown).toContain("| run | ended | ends | requests |\n| --- |");
    expect(markdown).toContain("| runs/r000.jsonl | done in answered after");
    const json = JSON.parse((await say(folder, ...words, "--json")).stdout);
    expect(json.groups.map(({ journals }: { journals: number }) => journals)).toContain(3);
    expect(json.journals[0].candidate).toMatchObject({ state: "thinking", calls: 0 });
    expect(json.journals[0].requests[0].effect.messages).toEqual([{ role: "user", content: "go" }]);
  });

  it("tells of a model that is shown other instructions that it is asked differently, and of nothing that came later", async () => {
    const folder = await recorded("refund", 2);
    writeFileSync(join(folder, "asks.ts"), desk(', system: "Ask again."'));
    const { stdout } = await say(folder, "redrive", "runs", "--config", "asks.ts");
    expect(stdout).toContain("2 × llm is asked for differently");
    expect(stdout).not.toMatch(/is not asked for|was not|nothing → nothing/);
  });

  it("that no journal can be judged by is told once on standard error", async () => {
    const folder = await recorded("refund", 4);
    writeFileSync(join(folder, "other.ts"), desk("").replace('name: "desk"', 'name: "other"'));
    for (const command of ["replay", "redrive"]) {
      const { stderr, code } = await say(folder, command, "runs", "--config", "other.ts");
      expect(code).toBe(2);
      const [first, rest, ...none] = stderr.trim().split("\n");
      expect(first).toMatch(/^reckoner: runs\/r000\.jsonl: The journal is of desk/);
      expect(rest).toBe(
        "reckoner: as of runs/r000.jsonl: 3 other journals: runs/r001.jsonl, runs/r002.jsonl, runs/r003.jsonl",
      );
      expect(none).toEqual([]);
    }
  });
});

describe("groups", () => {
  const cause = { what: "the tools" };

  it("have a few values as examples, and count the others", () => {
    const groups = new Regressions();
    for (let i = 0; i < 5; i++) groups.take(`j${i}`, [{ cause, recorded: i, seqs: [i, i + 1] }]);
    groups.take("j5", [{ cause, recorded: 4, seqs: [9] }]);
    const [group] = groups.list();
    expect(group).toMatchObject({ journals: 6, places: 11, variants: 5 });
    expect(linesOf(group as never)).toEqual([
      "6 × the tools",
      "    0 → nothing",
      "    1 → nothing",
      "    2 → nothing",
      "    and 2 other pairs of values",
      "    11 places: j0#0, j1#1, j2#2, …",
    ]);
  });

  it("say of calls what their arguments are, texts as examples", () => {
    const groups = new Regressions();
    const call = { name: "pay", was: "asked", is: "run" } as const;
    for (const to of ["a", "b", "c", "d"]) {
      groups.take(to, [{ cause, seqs: [1], calls: [{ ...call, input: { to, amount: 1 } }] }]);
    }
    groups.take("e", [{ cause, seqs: [1], calls: [{ ...call, is: "odd", input: null }] }]);
    expect(groups.list().map((group) => linesOf(group)[0])).toEqual([
      '4 × `pay` is run, was put to a person; to "a", "b", "c", …; amount 1',
      "1 × `pay` is odd, was put to a person",
    ]);
  });
});
