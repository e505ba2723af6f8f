// A person on a terminal is asked for approvals, one after the other, with and without a journal.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo, type TestIo } from "../support.js";

async function answered(io: TestIo, words: readonly string[], ...answers: [string, string][]) {
  const done = main(io, words);
  for (const [question, answer] of answers) {
    await io.said(question);
    io.written.stderr = "";
    (io.stdin as unknown as NodeJS.WritableStream).write(`${answer}\n`);
  }
  return done;
}

const WORDS = ["run", "notes.ts", "--prompt", "clean", "--json"];
const ASKED = "[y]es";

describe("an approval on a terminal", () => {
  it("is granted with y", async () => {
    const io = anIo(aFolder(), { terminal: true });
    expect(await answered(io, WORDS, [ASKED, "y"])).toBe(0);
    expect(JSON.parse(io.written.stdout)).toMatchObject({ status: "done", events: 8 });
  });

  it("is denied with n and a reason, which the run remembers", async () => {
    const io = anIo(aFolder(), { terminal: true });
    const words = [...WORDS, "--journal", "run.jsonl"];
    const code = await answered(io, words, [ASKED, "n"], ["reason", "not today"]);
    expect(code).toBe(0);
    const again = anIo(io.cwd);
    await main(again, ["show", "run.jsonl"]);
    expect(again.written.stdout).toContain("reason: not today");
  });

  it("is granted with other arguments, once they are JSON", async () => {
    const io = anIo(aFolder(), { terminal: true });
    const words = [...WORDS, "--journal", "run.jsonl"];
    const edits: [string, string][] = [
      [ASKED, "what?"],
      [ASKED, "e"],
      ["arguments", "{at: floor}"],
      ["That is not JSON", "e"],
      ["arguments", '{"at":"floor"}'],
    ];
    expect(await answered(io, words, ...edits)).toBe(0);
    const again = anIo(io.cwd);
    await main(again, ["show", "run.jsonl"]);
    expect(again.written.stdout).toContain("→ wiped floor");
  });

  it("waits on when the terminal is closed, where somebody else can go on with the run", async () => {
    const io = anIo(aFolder(), { terminal: true });
    const words = ["run", "notes.ts", "--prompt", "clean", "--journal", "run.jsonl"];
    const done = main(io, words);
    await io.said(ASKED);
    (io.stdin as unknown as NodeJS.WritableStream).end();
    expect(await done).toBe(3);
    expect(io.written.stderr).toContain("Nobody is there to answer any more; the run waits.");
    expect(io.written.stdout).toContain("reckoner resume run.jsonl --approve approval/1/0");
    const again = anIo(io.cwd, { terminal: true });
    expect(await answered(again, ["resume", "run.jsonl"], [ASKED, "y"])).toBe(0);
    expect(again.written.stdout).toBe("The shelf is clean.\n");
  });

  it("is denied when the terminal is closed on a run in memory", async () => {
    const io = anIo(aFolder(), { terminal: true });
    const done = main(io, ["run", "notes.ts", "--prompt", "clean"]);
    await io.said(ASKED);
    (io.stdin as unknown as NodeJS.WritableStream).end();
    expect(await done).toBe(0);
    expect(io.written.stderr).toContain("denied: nobody answered");
  });

  it("is asked for again where a run that waits is resumed", async () => {
    const folder = aFolder();
    const words = ["run", "notes.ts", "--prompt", "clean", "--journal", "run.jsonl"];
    expect(await main(anIo(folder), words)).toBe(3);
    const io = anIo(folder, { terminal: true });
    expect(await answered(io, ["resume", "run.jsonl"], [ASKED, "y"])).toBe(0);
    expect(io.written.stdout).toBe("The shelf is clean.\n");
  });
});

/** A folder with an agent that asks for a seat and says which it was given. */
function askingFolder(): string {
  const folder = aFolder();
  const text = `import { agent, defineConfig, scriptedModel, tool } from "reckoner";
import { jsonSchema } from "reckoner/json-schema";
const row = { type: "object", properties: { row: { type: "number" } }, required: ["row"] };
const seat = tool({ name: "seat", ask: jsonSchema(row) });
export default defineConfig({
  reasoner: agent({ name: "usher", tools: [seat] }),
  model: scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    return last.role === "tool" ? JSON.stringify(last.content[0].output) : { calls: [{ name: "seat" }] };
  }),
});
`;
  writeFileSync(join(folder, "usher.ts"), text);
  return folder;
}

describe("a tool that asks for a value", () => {
  const words = ["run", "usher.ts", "--prompt", "x", "--journal", "run.jsonl"];

  it("is answered on a terminal, with what it asks for before one's eyes", async () => {
    const io = anIo(askingFolder(), { terminal: true });
    const done = main(io, words);
    await io.said("[a]nswer");
    expect(io.written.stderr).toContain('"row"');
    io.written.stderr = "";
    (io.stdin as unknown as NodeJS.WritableStream).write("y\n");
    await io.said("[a]nswer");
    (io.stdin as unknown as NodeJS.WritableStream).write("a\n");
    await io.said("value as JSON");
    (io.stdin as unknown as NodeJS.WritableStream).write('{"row":7}\n');
    expect(await done).toBe(0);
    expect(io.written.stdout).toContain('"row":7');
  });

  it("is answered by the command that its end prints", async () => {
    const folder = askingFolder();
    const io = anIo(folder);
    expect(await main(io, words)).toBe(3);
    expect(io.written.stdout).toContain('asks for {"type":"object"');
    expect(io.written.stdout).toContain("reckoner resume run.jsonl --answer approval/0/0=JSON");
    expect(io.written.stdout).not.toContain("--approve");
    const wrong = anIo(folder);
    const yes = main(wrong, ["resume", "run.jsonl", "--approve", "approval/0/0"]);
    expect(await yes).toBe(2);
    expect(wrong.written.stderr).toContain("it needs the value that is asked for");
    expect(wrong.written.stderr).toContain("[approval.input]");
    const again = anIo(folder);
    const answer = ["resume", "run.jsonl", "--answer", 'approval/0/0={"row":7}'];
    expect(await main(again, answer)).toBe(0);
    expect(again.written.stdout).toContain('"row":7');
  });

  it("is listed with what it asks for", async () => {
    const folder = askingFolder();
    await main(anIo(folder), words);
    const io = anIo(folder);
    await main(io, ["list", ".", "--json"]);
    expect(JSON.parse(io.written.stdout).runs[0].approvals).toMatchObject([
      { ask: { properties: { row: { type: "number" } } } },
    ]);
    const shown = anIo(folder);
    await main(shown, ["show", "run.jsonl"]);
    expect(shown.written.stdout).toMatch(/ask:\n.*"row"/);
  });
});

describe("an approval where nobody sits", () => {
  it("is denied in memory", async () => {
    const io = anIo(aFolder());
    expect(await main(io, ["run", "notes.ts", "--prompt", "clean"])).toBe(0);
    expect(io.written.stderr).toContain("denied: nobody is here to approve it");
  });
});

describe("Ctrl-C", () => {
  it("cancels the run, and ends the process when it comes again", async () => {
    const io = anIo(aFolder(), { terminal: true });
    const done = main(io, ["run", "notes.ts", "--prompt", "clean", "--json"]);
    await io.said(ASKED);
    io.interrupt();
    io.interrupt();
    expect(await done).toBe(1);
    expect(JSON.parse(io.written.stdout)).toMatchObject({ status: "cancelled" });
    expect(io.exits).toEqual([130]);
  });
});
