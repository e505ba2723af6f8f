// A line is read only where it is whole, in its place, of a known shape and harmless.
import { describe, expect, it } from "vitest";
import {
  type ChainedLine,
  chainLine,
  decodeLine,
  encodeLine,
  FORMAT,
  hashIn,
  type Line,
  LineDecoder,
  lineHash,
  MAX_LINE_LENGTH,
} from "../../../../src/core/journal/index.js";
import { MAX_DEPTH } from "../../../../src/core/kernel/values/json.js";
import { Recording } from "../../../support/recorded.js";
import { refusal } from "../../../support/thrown.js";

/** What reading a line of this content comes to. */
function decode(value: unknown, number = 2) {
  const open = (typeof value === "string" ? value : JSON.stringify(value)).slice(0, -1);
  const { text, hash } = encodeLine(open, "");
  return decodeLine({ text, number, hash });
}

const refused = (value: unknown, number = 2) => {
  const { code, message, place } = refusal(() => decode(value, number));
  return `${code} ${place}: ${message}`;
};

const event = { seq: 1, event: { type: "x", at: 1 }, value: "a", state: "s" };
const header = {
  type: "header",
  format: FORMAT,
  runId: "r",
  at: 0,
  input: null,
  fingerprint: "f",
  reasoner: { id: "a", version: 1 },
};
const link = { journal: "j", runId: "r", seq: 1, hash: "h" };
const upgrade = {
  upgrade: { at: 1, from: { version: 1, fingerprint: "f" }, to: { version: 2, fingerprint: "g" } },
  parts: { value: "a", "context/messages": { "=list": [] } },
  state: "s",
};

describe("lines of every kind are taken", () => {
  const good: readonly (readonly [name: string, line: object, number?: number])[] = [
    ["a header", header, 1],
    [
      "a header with all it may have",
      {
        ...header,
        seed: "s",
        config: "c",
        budget: { tokens: 5, cost: 0 },
        configuration: { system: "s" },
        from: link,
        fork: link,
        set: [{ run: "c", event: { type: "tool.succeeded", id: "t", at: 0, output: 1 } }],
      },
      1,
    ],
    ["an event", event],
    [
      "an event with all it may have",
      {
        ...event,
        value: { a: "b" },
        values: { "#a": 1 },
        items: [{ list: "@1#a", after: "@0#", add: [1] }],
        do: [
          { type: "llm", id: "l", "-": ["system"], tools: [] },
          { type: "cancel", target: "t" },
        ],
        starts: [0],
        ignored: "stale",
        end: { status: "done" },
        set: { a: 1 },
      },
    ],
    ["a start mark", { mark: { id: "t", attempt: 2 } }],
    ["a child's mark", { run: "c", mark: { id: "t", attempt: 1 } }],
    ["a child's upgrade", { run: "c", ...upgrade, more: true }],
    ["more values", { values: { "#a": 1 }, more: true }],
    ["an upgrade", upgrade],
    ["an upgrade of a run that had not begun", { upgrade: upgrade.upgrade }],
    ["parts of an upgrade", { parts: { value: "a" }, more: true }],
  ];
  for (const [name, line, number] of good) {
    it(name, () => {
      expect(decode(line, number)).toMatchObject({ line });
    });
  }
});

describe("a shape that is none is refused", () => {
  const changed = (fields: object) => ({ ...event, ...fields });
  const headed = (fields: object) => ({ ...header, ...fields });
  const upgraded = (fields: object) => ({ ...upgrade, upgrade: { ...upgrade.upgrade, ...fields } });
  const bad: readonly (readonly [line: object, why: string, number?: number])[] = [
    [header, "is out of place"],
    [event, "is out of place", 1],
    [headed({ type: "head" }), "has an unknown type", 1],
    [
      headed({ format: "x".repeat(10_000) }),
      `has format "${"x".repeat(59)} [cut: 9942 more characters]; this version reads`,
      1,
    ],
    [
      headed({ type: ["y".repeat(500)] }),
      `has an unknown type ["${"y".repeat(58)} [cut: 444 more characters]`,
      1,
    ],
    [
      headed({ format: "reckoner-journal/1" }),
      'has format "reckoner-journal/1"; this version reads',
      1,
    ],
    [headed({ format: undefined }), "has no format; this version reads reckoner-journal/3", 1],
    [headed({ budget: 5 }), "has an invalid budget", 1],
    [headed({ budget: { tokens: "5" } }), "has an invalid budget", 1],
    [headed({ configuration: 5 }), "has an invalid configuration", 1],
    [headed({ runId: 5 }), "lacks runId or at", 1],
    [headed({ at: "5" }), "lacks runId or at", 1],
    [headed({ input: undefined }), "lacks input or fingerprint", 1],
    [headed({ fingerprint: 5 }), "lacks input or fingerprint", 1],
    [headed({ reasoner: { id: "a" } }), "lacks the reasoner", 1],
    [headed({ reasoner: { id: 5, version: 1 } }), "lacks the reasoner", 1],
    [headed({ from: { ...link, seq: "1" } }), "continues something that is not a run", 1],
    [headed({ from: { ...link, hash: 1 } }), "continues something that is not a run", 1],
    [headed({ from: 5 }), "continues something that is not a run", 1],
    [headed({ fork: 5 }), "was forked from something that is not a run", 1],
    [headed({ set: [{ type: "tool.succeeded", id: "t", at: 0, output: 1 }] }), "sets something", 1],
    [
      headed({ set: [{ run: 5, event: { type: "timer.fired", id: "t", at: 0 } }] }),
      "sets something",
      1,
    ],
    [
      headed({ set: [{ type: "message", at: 1, content: "x" }] }),
      "sets something that is not an answer",
      1,
    ],
    [
      headed({ set: [{ type: "tool.succeeded", id: "t", output: 1 }] }),
      "sets something that is not an answer",
      1,
    ],
    [headed({ set: {} }), "sets something that is not an answer", 1],
    [headed({ seed: 5 }), "has a seed, a config or a key id", 1],
    [headed({ keyId: 1 }), "has a seed, a config or a key id", 1],
    [headed({ chart: 1 }), "has an invalid chart", 1],
    [headed({ config: {} }), "has a seed, a config or a key id", 1],
    [{ x: 1 }, "is of no known kind"],
    [{ more: 1 }, "is of no known kind"],
    [changed({ seq: 1.5 }), "has no sequence number"],
    [changed({ seq: "1" }), "has no sequence number"],
    [changed({ event: [] }), "has no event"],
    [changed({ event: { type: "x" } }), "has no event: x.at"],
    [changed({ event: { type: "xstate.init", at: 1 } }), "has no event"],
    [changed({ event: { type: "tool.succeeded", at: 1, output: 1 } }), "has no event"],
    [changed({ value: 5 }), "has no value"],
    [changed({ value: undefined }), "has no value"],
    [changed({ state: undefined }), "has no state"],
    [changed({ state: 5 }), "has no state"],
    [changed({ set: [] }), "has an invalid set"],
    [changed({ do: {} }), "has invalid directives"],
    [changed({ do: [5] }), "has invalid directives"],
    [changed({ do: [{ id: "x" }] }), "has invalid directives"],
    [changed({ do: [{ type: "x", id: 5 }] }), "has invalid directives"],
    [changed({ do: [{ type: "x", "-": [5] }] }), "has invalid directives"],
    [changed({ starts: "t" }), "has invalid starts"],
    [changed({ starts: ["t"] }), "has invalid starts"],
    [changed({ starts: [-1] }), "has invalid starts"],
    [changed({ starts: [0.5] }), "has invalid starts"],
    [changed({ end: "done" }), "has an invalid end"],
    [changed({ end: { status: "over" } }), "has an invalid end"],
    [changed({ end: { status: ["done"] } }), "has an invalid end"],
    [changed({ end: { status: "failed", fault: { code: 5 } } }), "has an invalid end"],
    [changed({ values: [] }), "has invalid values"],
    [changed({ items: {} }), "has invalid items"],
    [changed({ items: [{ list: 5, add: [] }] }), "has invalid items"],
    [changed({ items: [{ list: "@1#a" }] }), "has invalid items"],
    [changed({ items: [{ list: "@1#a", after: 5, add: [] }] }), "has invalid items"],
    [{ mark: 5 }, "has an invalid mark"],
    [{ mark: { attempt: 1 } }, "has an invalid mark"],
    [{ mark: { id: "t" } }, "has an invalid mark"],
    [{ mark: { id: "t", attempt: 1.5 } }, "has an invalid mark"],
    [{ mark: { id: "t", attempt: 0 } }, "has an invalid mark"],
    [{ mark: { id: "t", attempt: -3 } }, "has an invalid mark"],
    [{ mark: { id: "t", child: "begun" } }, "has an invalid mark"],
    [{ run: "c", ...upgrade }, "is the upgrade of a child without its root's"],
    [upgraded({ at: "x" }), "is an upgrade without"],
    [upgraded({ to: { version: 2 } }), "is an upgrade without"],
    [upgraded({ from: { version: "1", fingerprint: "f" } }), "is an upgrade without"],
    [upgraded({ to: { ...upgrade.upgrade.to, configuration: 5 } }), "is an upgrade without"],
    [{ ...upgrade, state: undefined }, "has an incomplete state"],
    [{ ...upgrade, parts: undefined }, "has an incomplete state"],
    [{ ...upgrade, parts: 5 }, "has an invalid state"],
    [{ parts: 5, more: true }, "has invalid parts"],
    [headed({ configuration: 5 }), "has an invalid configuration", 1],
  ];
  for (const [line, why, number = 2] of bad) {
    it(`${why}: ${JSON.stringify(line).slice(0, 120)}`, () => {
      expect(refused(line, number)).toContain(
        `journal.format line ${number}: Line ${number} ${why}`,
      );
    });
  }
});

describe("what would hurt the reader is refused", () => {
  const deep = (depth: number) =>
    `{"more":true,"values":{"#a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;

  it("a value too deep, at any depth", () => {
    expect(decode(deep(MAX_DEPTH))).toBeDefined();
    for (const depth of [300, 10_000, 1_000_000]) {
      expect(refused(deep(depth))).toMatch(/^journal\.hostile line 2/);
    }
  });

  it("a key __proto__, wherever it stands", () => {
    for (const line of [
      '{"__proto__":{"more":true}}',
      '{"more":true,"values":{"#a":{"__proto__":1}}}',
    ]) {
      expect(refused(line)).toMatch(/^journal\.hostile line 2/);
    }
    expect(({} as { more?: unknown }).more).toBeUndefined();
  });

  it("a List that is none", () => {
    for (const list of [
      '{"@list":5}',
      '{"@table":1,"rows":5}',
      '{"@vector":-1,"rows":{"items":[]}}',
    ]) {
      expect(refused(`{"more":true,"values":{"#a":${list}}}`)).toMatch(/^journal\.\w+ line 2/);
    }
  });

  it("in one sentence, and of a first line without a hash it says what that may be", () => {
    const text = '{"name":"x"}';
    expect(refusal(() => chainLine(text, 1, "")).message).toBe(
      "Line 1 does not end in its hash; this may not be a journal of reckoner's. The journal is left as it is; restore it from a copy.",
    );
    expect(refusal(() => chainLine(text, 2, "")).message).toMatch(
      /^Line 2 does not end in its hash\. /,
    );
    const reserved = { text: '{"@list":1,"hash":"x"}', number: 2, hash: "x" };
    expect(refusal(() => decodeLine(reserved as never)).message).toMatch(
      /rename it\. The journal is/,
    );
  });

  it("a line that is too long, before anything is made of it", () => {
    const text = `{"more":true,"pad":"${"x".repeat(MAX_LINE_LENGTH)}"}`;
    expect(refusal(() => chainLine(text, 2, "")).code).toBe("journal.hostile");
    // Whoever reads a journal as a stream has verified its bytes already.
    const verified = { text, number: 2, hash: "x" };
    for (const read of [decodeLine, (line: ChainedLine) => new LineDecoder().decode(line)]) {
      expect(refusal(() => read(verified)).code).toBe("journal.hostile");
    }
    expect(refusal(() => encodeLine(text.slice(0, -1), "")).code).toBe("journal.write");
    const open = `{"more":true,"pad":"`;
    const rest = MAX_LINE_LENGTH - open.length - 1 - ',"hash":"'.length - 32 - 2;
    expect(encodeLine(`${open}${"x".repeat(rest)}"`, "").text).toHaveLength(MAX_LINE_LENGTH);
    expect(refusal(() => encodeLine(`${open}${"x".repeat(rest + 1)}"`, "")).code).toBe(
      "journal.write",
    );
  });

  it("what is not JSON", () => {
    for (const text of ["", "{", '{"more":true,}', "nul}"]) {
      expect(refusal(() => decodeLine({ text, number: 3, hash: "" })).code).toBe("journal.format");
    }
  });
});

describe("the chain", () => {
  const run = new Recording();
  for (let i = 0; i < 3; i++) run.step({ type: "set", fields: { [`f${i}`]: i } });
  const texts = run.texts;

  it("leads from line to line", () => {
    let previous = "";
    texts.forEach((text, i) => {
      previous = chainLine(text, i + 1, previous).hash;
      expect(hashIn(text, i + 1)).toBe(previous);
    });
    expect(previous).toBe(run.recorder.previous);
  });

  it("breaks where a character is another, a line is gone, twice, or in another place", () => {
    const hashes = ["", ...texts.map((text, i) => hashIn(text, i + 1))];
    for (let i = 0; i < texts.length; i++) {
      const text = texts[i] as string;
      for (let at = 0; at < text.length; at += 3) {
        const other = `${text.slice(0, at)}${text[at] === "a" ? "b" : "a"}${text.slice(at + 1)}`;
        const { code } = refusal(() => chainLine(other, i + 1, hashes[i] as string));
        expect(["journal.chain", "journal.format"]).toContain(code);
      }
      hashes.forEach((previous, j) => {
        if (j !== i)
          expect(refusal(() => chainLine(text, i + 1, previous)).code).toBe("journal.chain");
      });
    }
  });

  it("covers the bytes of the file from the hash before it", () => {
    const [first, second] = texts as [string, string];
    const file = `${first}\n${second}\n`;
    const from = file.indexOf(hashIn(first, 1));
    const to = file.lastIndexOf(hashIn(second, 2));
    const open = second.slice(0, second.lastIndexOf(',"hash":"'));
    expect(lineHash(hashIn(first, 1), open)).toBe(hashIn(second, 2));
    expect(file.slice(from, to)).toBe(`${hashIn(first, 1)}"}\n${open},"hash":"`);
  });

  it("is told by the type of what is read", () => {
    const kinds = run.lines.map((line: Line) => ("type" in line ? "header" : "event"));
    expect(kinds).toEqual(["header", "event", "event", "event", "event"]);
  });
});
