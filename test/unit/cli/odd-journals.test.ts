// Journals whose hashes are right and whose content is odd: made by hand, or by a run that was fed odd
// things. Whatever looks at one says what it is or refuses it with a code, and the others are listed.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { encodeLine } from "../../../src/core/journal/line.js";
import { summaryOf } from "../../../src/index.js";
import { textJournal } from "../../../src/testing/index.js";
import { aFolder, anIo } from "./support.js";

function chain(...lines: readonly object[]): string {
  let previous = "";
  return lines
    .map((line) => {
      const { text, hash } = encodeLine(JSON.stringify(line).slice(0, -1), previous);
      previous = hash;
      return `${text}\n`;
    })
    .join("");
}

const header = (more: object = {}) => ({
  type: "header",
  format: "reckoner-journal/3",
  runId: "r",
  reasoner: { id: "a", version: 1 },
  fingerprint: "f",
  at: 5,
  input: "hi",
  ...more,
});
const event = (said: object, more: object = {}, seq = 0) => ({
  seq,
  event: { at: 1, ...said },
  value: "v",
  state: "s",
  ...more,
});
const start = { type: "start", input: 1 };
const asks = (...directives: object[]) => event(start, { do: directives });
const answer = (said: object, more: object = {}) => event(said, more, 1);
const primitive = { toString: 1, valueOf: 1 };
const self = `#${"a".repeat(32)}`;

const odd: { readonly [name: string]: string } = {
  "a time that no calendar has": chain(header({ at: 1e300 })),
  "such a time before": chain(header({ at: -1e300 }), event(start)),
  "such an event": chain(header(), event({ ...start, at: 1e300 })),
  "such a timer": chain(header(), asks({ type: "timer", id: "x", until: 9e15 })),
  "a timer until a text": chain(header(), asks({ type: "timer", id: "x", until: "soon" })),
  "an end without a status": chain(header(), event(start, { end: {} })),
  "an end that is a number": chain(header(), event(start, { end: { status: 5 } })),
  "an end of no kind": chain(header(), event(start, { end: { status: "over" } })),
  "a fault that is none": chain(header(), event(start, { end: { status: "failed", fault: 7 } })),
  "a value that is none": chain(header(), event(start, { value: { a: 5, b: { c: null } } })),
  "a title that is not a string": chain(
    header(),
    asks({ type: "approval", id: "x", title: primitive }),
  ),
  "a tool of no name": chain(header(), asks({ type: "tool", id: "x", name: primitive, input: 3 })),
  "requests of nothing": chain(
    header(),
    asks({ type: "llm", id: "x", messages: 5, system: { a: 1 }, tools: [null, 5] }),
  ),
  "a part that looks like a list": chain(
    header(),
    asks({ type: "llm", id: "x", messages: { from: 1, items: 5 } }),
  ),
  "an error that is null": chain(
    header(),
    asks({ type: "tool", id: "x" }),
    answer({ type: "tool.failed", id: "x", error: null }),
  ),
  "an event of its own with such an error": chain(
    header(),
    event(start),
    answer({ type: "own", error: null, usage: { inputTokens: primitive }, attempts: primitive }),
  ),
  "an answer that is a number": chain(
    header(),
    asks({ type: "llm", id: "x" }),
    answer({ type: "llm.succeeded", id: "x", content: 5 }),
  ),
  "a usage that is null": chain(
    header(),
    asks({ type: "llm", id: "x" }),
    answer({ type: "llm.succeeded", id: "x", content: [], usage: null }),
  ),
  "counts that are none": chain(
    header(),
    asks({ type: "llm", id: "x" }),
    answer(
      {
        type: "interrupt",
        partial: { x: { content: [], usage: { requests: "9", inputTokens: {} } } },
      },
      { do: [{ type: "cancel", target: "x" }] },
    ),
  ),
  "messages that are none": chain(
    header(),
    event(start, {
      items: [
        { list: "@2#h", add: [null, { role: {}, content: [null, { type: "tool-result" }] }] },
      ],
      do: [{ type: "llm", id: "x", messages: "@2#h" }],
    }),
  ),
  "directives of types that every object has": chain(
    header(),
    asks(...["__proto__", "constructor", "toString"].map((type) => ({ type, id: type, name: 1 }))),
  ),
  "a value in itself": chain(
    header(),
    event(start, { values: { [self]: [self] }, do: [{ type: "tool", id: "t", input: self }] }),
  ),
};

const looks: readonly (readonly string[])[] = [
  ["list", "x.jsonl"],
  ["show", "x.jsonl"],
  ["show", "x.jsonl", "--full"],
  ["show", "x.jsonl", "--json"],
  ["show", "x.jsonl", "--at", "0"],
  ["show", "x.jsonl", "--at", "1", "--json"],
];

describe("a journal with", () => {
  it.each(Object.entries(odd))("%s", async (_name, text) => {
    const folder = aFolder();
    writeFileSync(join(folder, "x.jsonl"), text);
    for (const words of looks) {
      const io = anIo(folder);
      const code = await main(io, words);
      expect([0, 2], words.join(" ")).toContain(code);
      expect(io.written.stderr).not.toContain("unexpected");
    }
    const told = await summaryOf(textJournal(text)).catch((thrown: unknown) => thrown);
    expect((told as { code?: string }).code ?? "journal.").toMatch(/^journal\./);
  });

  it("all of them in one folder, with links that lead nowhere", async () => {
    const folder = join(aFolder(), "odd");
    mkdirSync(folder);
    for (const [i, text] of Object.values(odd).entries()) {
      writeFileSync(join(folder, `${i}.jsonl`), text);
    }
    symlinkSync("loop.jsonl", join(folder, "loop.jsonl"));
    symlinkSync("gone", join(folder, "gone.jsonl"));
    const io = anIo(folder);
    await main(io, ["list", ".", "--json"]);
    const { runs, unreadable } = JSON.parse(io.written.stdout);
    expect(runs.length + unreadable.length).toBe(Object.keys(odd).length + 2);
    for (const name of ["gone.jsonl", "loop.jsonl"]) {
      expect(unreadable).toContainEqual(expect.objectContaining({ journal: name }));
    }
    expect(runs.length).toBeGreaterThan(8);
    for (const words of [
      ["list", "loop.jsonl"],
      ["show", "loop.jsonl"],
      ["graph", "loop.jsonl"],
      ["graph", "loop.jsonl", "--view", "trace"],
      ["graph", "loop.jsonl", "--view", "decisions"],
      ["observe", "events", "loop.jsonl"],
    ]) {
      const loop = anIo(folder);
      expect(await main(loop, words), words.join(" ")).toBe(2);
      expect(loop.written.stderr, words.join(" ")).not.toContain("unexpected");
    }
  });
});
