// `reckoner show` for people: times since the start, calls beside their results, nothing twice.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { main } from "../../../../src/cli/program.js";
import { StepPrinter } from "../../../../src/cli/show/show-steps.js";
import { printSpan } from "../../../../src/cli/terminal/paragraph.js";
import { RecordedValues } from "../../../../src/core/journal/index.js";
import { assign } from "../../../../src/core/kernel/machine/index.js";
import { append, emptyList, type List } from "../../../../src/core/kernel/values/index.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { aFolder, anIo } from "../support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A journal of a run that is done. */
async function aDoneRun(): Promise<string> {
  const folder = aFolder();
  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "run.jsonl");
  await say(folder, "resume", "run.jsonl", "--approve", "approval/1/0");
  return folder;
}

/** A machine that tells of a list which grows. */
interface Given {
  readonly context: { readonly all: List<string> };
}
const tells = (all: List<string>) => ({ type: "notify", topic: "all", data: all });

const count = (text: string, part: string) => text.split(part).length - 1;

describe("reckoner show", () => {
  it("says each thing once, and each call beside what came of it", async () => {
    const folder = await aDoneRun();
    const { code, stdout } = await say(folder, "show", "run.jsonl");
    expect(code).toBe(0);
    const plain = stdout.replace(/\+\S+( \S+)? +#/g, "+T #").replace(/ in [\d.]+m?s/g, " in T");
    expect(plain.slice(plain.indexOf("  input:"))).toMatchSnapshot();
    for (const once of [
      "You keep a house clean",
      "Looking around.",
      "The shelf is clean.",
      "tools:",
    ])
      expect(count(stdout, once), once).toBe(1);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("--at says what was set long ago, and holds no more than the newest lines need", async () => {
    const folder = aFolder();
    const says = ({ event }: { event: { readonly said: string } }) => event.said;
    const one = smallReasoner({
      context: { all: emptyList(), note: "" },
      initial: "a",
      states: {
        a: {
          on: {
            say: {
              actions: [
                assign({
                  all: (given: never) => append((given as Given).context.all, says(given)),
                }),
                { type: "issue", params: ({ context }: Given) => tells(context.all) },
              ],
            },
            note: { actions: assign({ note: says as never }) },
            end: "b",
          },
        },
        b: { type: "final" },
      },
    });
    const long = (text: string) => `${text} `.repeat(100);
    const live = run(one, null, { journal: fileJournal(join(folder, "run.jsonl")) });
    live.send({ type: "note", said: long("first") });
    for (let i = 0; i < 60; i++) live.send({ type: "say", said: long(`${i}`) });
    live.send({ type: "note", said: long("last") });
    live.send({ type: "end" });
    const end = await live;
    let most = 0;
    const take = RecordedValues.prototype.take;
    const spy = vi.spyOn(RecordedValues.prototype, "take").mockImplementation(function (
      this: RecordedValues,
      line,
    ) {
      const taken = take.call(this, line);
      most = Math.max(most, this.size);
      return taken;
    });
    const at = String(end.events - 2);
    const { code, stdout } = await say(folder, "show", "run.jsonl", "--at", at, "--json");
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
    expect(code).toBe(0);
    const changes = JSON.parse(stdout).changes as unknown;
    expect(changes).toEqual([{ path: "context.note", before: long("first"), after: long("last") }]);
    expect(most).toBeLessThan(30);
  });

  it("says from where on a run went on under another configuration, and what differs", async () => {
    const folder = aFolder();
    const journal = () => fileJournal(join(folder, "run.jsonl"));
    const model = scriptedModel(() => "Yes.");
    const clerk = (system: string) => agent({ name: "clerk", system, conversation: true });
    await run(clerk("Be brief."), "One", { model, journal: journal() });
    const messages = ["Two"];
    await resume(clerk("Be kind."), journal(), { model, messages, upgrade: true });
    const { stdout } = await say(folder, "show", "run.jsonl");
    const lines = stdout.split("\n");
    const at = lines.indexOf("-- from here on under another configuration: system differs");
    expect([lines[at - 2], lines[at + 1]]).toEqual([
      expect.stringContaining("#1 llm.succeeded"),
      expect.stringContaining("#2 message"),
    ]);
    const json = JSON.parse((await say(folder, "show", "run.jsonl", "--json")).stdout);
    expect(json.steps.map((step: { upgraded?: string }) => step.upgraded)).toEqual([
      undefined,
      undefined,
      "system differs",
      undefined,
    ]);
  });

  it("--json names what began with a line by its id", async () => {
    const { stdout } = await say(await aDoneRun(), "show", "run.jsonl", "--json");
    const steps: readonly { readonly starts?: readonly string[] }[] = JSON.parse(stdout).steps;
    expect(steps.flatMap(({ starts = [] }) => starts)).toEqual([
      "tool/0/0",
      "tool/0/1",
      "tool/1/0",
    ]);
  });

  it("says everything with --full", async () => {
    const folder = await aDoneRun();
    const { stdout } = await say(folder, "show", "run.jsonl", "--full");
    expect(count(stdout, "You keep a house clean")).toBe(3);
    expect(stdout).toContain('"inputSchema"');
    expect(stdout).toContain("finishReason: tool-calls");
    expect(stdout).not.toContain("more lines");
  });

  it("wraps texts to the terminal, cuts long ones and says how much is left", () => {
    const printer = (full: boolean) => new StepPrinter(0, "go", { columns: 40, full });
    const step = {
      seq: 3,
      event: { type: "tool.succeeded", id: "tool/0/0", at: 61_500, output: "words ".repeat(200) },
      value: "thinking",
      directives: [],
    } as never;
    const lines = printer(false).print(step).split("\n");
    expect(lines[0]).toContain("+1m 1s");
    expect(lines.length).toBe(13);
    expect(lines.at(-1)).toMatch(/^ {4}… \(\d+ more lines; --full shows them\)$/);
    const whole = printer(true).print(step).split("\n");
    expect(whole.length).toBeGreaterThan(30);
    for (const line of [...lines.slice(1), ...whole.slice(1)])
      expect(line.length).toBeLessThanOrEqual(40);
  });

  it("shows what nothing recorded explains: events and directives of types of one's own", () => {
    const printer = new StepPrinter(1_000, { a: 1 }, { columns: 80, full: false });
    const text = printer.print({
      seq: 0,
      event: { type: "opened", at: 1_000, by: "her" },
      value: { a: "x", b: "y" },
      ignored: "unhandled",
      directives: [
        { type: "timer", id: "t/0", parts: { until: 3_601_000 } },
        { type: "notify", parts: { topic: "decision", data: { chosen: 2 } } },
      ],
    } as never);
    expect(text.replace(/\ufdd0\w+\ufdd1/g, "")).toContain("opened");
    expect(text).toContain("    by: her\n    ignored: unhandled\n");
    expect(text).toContain("  waits t/0 1h, until 1970-01-01T01:00:01.000Z\n");
    expect(text).toContain('  tells decision {"chosen":2}');
  });

  it.each([
    [0, "0ms"],
    [999, "999ms"],
    [1_250, "1.25s"],
    [59_990, "59.99s"],
    [60_000, "1m"],
    [187_000, "3m 7s"],
    [3_600_000, "1h"],
    [187_200_000, "2d 4h"],
  ])("prints %d ms as %s", (ms, text) => {
    expect(printSpan(ms)).toBe(text);
  });
});

describe("--json, where the command is refused", () => {
  it.each([
    ["show a broken journal", ["show", "broken.jsonl", "--json"], "journal."],
    ["a journal that is not there", ["resume", "missing.jsonl", "--json"], "journal.missing"],
    ["wrong words", ["run", "--json", "--wrong"], "cli.usage"],
    ["no config", ["run", "missing.ts", "--json"], "config."],
    ["a format", ["observe", "stats", "--format", "json"], "cli.usage"],
  ])("prints one document: %s", async (_what, words, code) => {
    const folder = aFolder();
    writeFileSync(join(folder, "broken.jsonl"), "nothing\n");
    const said = await say(folder, ...words);
    expect(said.code).toBe(2);
    const { error } = JSON.parse(said.stdout);
    expect(error.code).toContain(code);
    expect(said.stderr).toContain(`[${error.code}]`);
  });
});
