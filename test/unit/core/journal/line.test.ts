// Lines: what is written can be read, and whatever was changed is refused with its line.
import { describe, expect, it } from "vitest";
import {
  decodeLine,
  type EventLine,
  encodeLine,
  FORMAT,
  type HeaderLine,
  type Line,
  MAX_LINE_LENGTH,
} from "../../../../src/core/journal/index.js";
import { type Json, sha256 } from "../../../../src/core/kernel/index.js";
import { refusal } from "../../../support/thrown.js";

const header: HeaderLine = {
  type: "header",
  format: FORMAT,
  runId: "run",
  reasoner: { id: "r", version: 1 },
  fingerprint: "f",
  at: 0,
  input: { text: 'a "quoted" \\ line\nwith \u2028 and é and \u{1F600}' },
};
const event: EventLine = {
  type: "event",
  seq: 1,
  event: { type: "tool.succeeded", id: "tool/0/0", at: 5, output: { 'a,"hash":"b': [1] } },
  value: { acting: "approving" },
};

/** A line's text with a right hash, whatever it holds. */
function forged(value: object, previous = "p"): string {
  const open = JSON.stringify({ ...value, prev: previous }).slice(0, -1);
  return `${open},"hash":"${sha256(open)}"}`;
}

describe("a line", () => {
  const lines: readonly (readonly [Line, number])[] = [
    [header, 1],
    [event, 2],
    [{ type: "mark", id: "tool/0/0", attempt: 2 }, 3],
  ];
  for (const [line, number] of lines) {
    it(`of type ${line.type} comes back as it was, with its hash`, () => {
      const encoded = encodeLine(line, "p");
      expect(encoded.text).not.toContain("\n");
      const decoded = decodeLine(encoded.text, number, "p");
      expect(decoded.hash).toBe(encoded.hash);
      expect(decoded.line).toMatchObject(line);
    });
  }

  it("ends in the hash of its own bytes, and carries the one before", () => {
    const { text, hash } = encodeLine(event, "p");
    expect(text.endsWith(`,"prev":"p","hash":"${hash}"}`)).toBe(true);
    expect(sha256(text.slice(0, text.lastIndexOf(',"hash"')))).toBe(hash);
  });

  it("that no reader would take is not written", () => {
    const input: Json = "x".repeat(MAX_LINE_LENGTH);
    expect(refusal(() => encodeLine({ ...header, input }, "")).code).toBe("journal.write");
    expect(() => encodeLine({ ...header, input: input.slice(1_000) }, "")).not.toThrow();
  });
});

describe("a changed line is refused with its number", () => {
  const { text } = encodeLine(event, "p");

  it("wherever a byte of it is changed", () => {
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === "0" ? "1" : "0";
      const changed = text.slice(0, i) + other + text.slice(i + 1);
      const error = refusal(() => decodeLine(changed, 7, "p"));
      expect(error.code).toMatch(/^journal\.(format|chain)$/);
      expect(error.place).toBe("line 7");
    }
  });

  it("also where a byte is taken out or put in", () => {
    for (let i = 0; i < text.length; i += 3) {
      for (const changed of [
        text.slice(0, i) + text.slice(i + 1),
        `${text.slice(0, i)}x${text.slice(i)}`,
      ]) {
        expect(refusal(() => decodeLine(changed, 7, "p")).place).toBe("line 7");
      }
    }
  });

  it("where another line stands before it", () => {
    const error = refusal(() => decodeLine(text, 7, "q"));
    expect([error.code, error.message]).toEqual([
      "journal.chain",
      "Line 7 does not follow the line before it. The journal is left as it is; restore it from a copy.",
    ]);
  });

  const wholes: readonly (readonly [string, string])[] = [
    ["an empty line", ""],
    ["a line with a carriage return", `${text}\r`],
    ["a line with a byte order mark", `\uFEFF${text}`],
    ["two lines in one", `${text}${text}`],
  ];
  for (const [name, line] of wholes) {
    it(name, () => expect(refusal(() => decodeLine(line, 2, "p")).place).toBe("line 2"));
  }
});

describe("a line with a right hash that holds something else is refused with its number", () => {
  const deep = (levels: number): Json => (levels === 0 ? 1 : [deep(levels - 1)]);
  const { seq: _seq, ...noSeq } = event;
  const directive = { type: "timer", id: "t", parts: { until: { is: 1 } } };
  const forgeries: readonly (readonly [string, object, number, string])[] = [
    ["a header that is not the first line", header, 2, "journal.format"],
    ["an event that is the first line", event, 1, "journal.format"],
    ["another format", { ...header, format: "reckoner-journal/9" }, 1, "journal.format"],
    ["no format", { ...header, format: undefined }, 1, "journal.format"],
    ["no run id", { ...header, runId: 1 }, 1, "journal.format"],
    ["no time", { ...header, at: "0" }, 1, "journal.format"],
    ["no reasoner", { ...header, reasoner: null }, 1, "journal.format"],
    ["an unknown type", { type: "note" }, 2, "journal.format"],
    ["an event without a sequence number", noSeq, 2, "journal.format"],
    ["half a sequence number", { ...event, seq: 0.5 }, 2, "journal.format"],
    ["an event that is none", { ...event, event: null }, 2, "journal.format"],
    ["an event without a time", { ...event, event: { type: "x" } }, 2, "journal.format"],
    [
      "an event of XState's own",
      { ...event, event: { type: "xstate.stop", at: 0 } },
      2,
      "journal.format",
    ],
    [
      "a List in an event",
      { ...event, event: { type: "x", at: 0, list: { "@list": 0, head: "", spine: [] } } },
      2,
      "journal.format",
    ],
    ["directives that are none", { ...event, directives: 5 }, 2, "journal.format"],
    ["a directive that is none", { ...event, directives: [null] }, 2, "journal.format"],
    [
      "a directive without parts",
      { ...event, directives: [{ ...directive, parts: null }] },
      2,
      "journal.format",
    ],
    [
      "a part that is none",
      { ...event, directives: [{ ...directive, parts: { until: 5 } }] },
      2,
      "journal.format",
    ],
    [
      "a List without its items",
      {
        ...event,
        directives: [{ ...directive, parts: { until: { list: "h", size: 1, from: 0 } } }],
      },
      2,
      "journal.format",
    ],
    ["values that are none", { ...event, values: [1] }, 2, "journal.format"],
    ["starts that are none", { ...event, starts: { id: "t" } }, 2, "journal.format"],
    ["a start without its attempt", { ...event, starts: [{ id: "t" }] }, 2, "journal.format"],
    ["an end that is none", { ...event, end: "done" }, 2, "journal.format"],
    ["a mark without an attempt", { type: "mark", id: "t" }, 2, "journal.format"],
    [
      "a key __proto__",
      { ...event, event: JSON.parse('{"type":"x","at":0,"a":{"__proto__":{}}}') },
      2,
      "journal.hostile",
    ],
    [
      "nesting without end",
      { ...event, event: { type: "x", at: 0, a: deep(300) } },
      2,
      "journal.hostile",
    ],
  ];
  for (const [name, value, number, code] of forgeries) {
    it(name, () => {
      const error = refusal(() => decodeLine(forged(value), number, "p"));
      expect([error.code, error.place]).toEqual([code, `line ${number}`]);
    });
  }

  it("a hundred thousand brackets are refused, not a crash", () => {
    const open = `{"type":"event","a":${"[".repeat(100_000)}${"]".repeat(100_000)},"prev":"p"`;
    const line = `${open},"hash":"${sha256(open)}"}`;
    expect(refusal(() => decodeLine(line, 2, "p")).code).toBe("journal.hostile");
  });

  it("what is no JSON at all", () => {
    const open = '{"type":"event",';
    const line = `${open},"hash":"${sha256(open)}"}`;
    expect(refusal(() => decodeLine(line, 2, "p")).code).toBe("journal.format");
  });

  it("a line longer than 16 MiB", () => {
    expect(refusal(() => decodeLine("x".repeat(MAX_LINE_LENGTH + 1), 2, "p")).code).toBe(
      "journal.hostile",
    );
  });
});
