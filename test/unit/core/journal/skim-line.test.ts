// An event's line is skimmed for what is owed: what it says of that is what the whole line says, and what is
// odd about one is left to who reads it whole.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecodedLine, LineDecoder, OwedTree } from "../../../../src/core/journal/index.js";
import { skimmed } from "../../../../src/core/journal/skim-line.js";

const event = { type: "tool.succeeded", id: "tool/0/0", output: { do: [{ type: "x" }] }, at: 5 };
const line = (fields: object = {}) =>
  JSON.stringify({
    seq: 3,
    event,
    value: "a",
    do: [{ type: "tool", id: "t", name: "n" }],
    set: { do: 1 },
    state: "s",
    hash: "h",
    ...fields,
  });

describe("a line that is skimmed", () => {
  it("has what is owed and no more", () => {
    const usage = { requests: 1 };
    const text = "long ".repeat(60);
    const said = { ...event, usage, error: text, note: "short" };
    expect(skimmed(line({ event: said, ignored: "unhandled", starts: [0] }))).toEqual({
      seq: 3,
      event: { type: "tool.succeeded", id: "tool/0/0", at: 5, usage, note: "short" },
      value: "a",
      do: [{ type: "tool", id: "t", name: "n" }],
      ignored: "unhandled",
      starts: [0],
    });
  });

  it("is the whole line, but for what is left out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (output, id, name) => {
        const text = line({
          values: { "#a": output },
          event: { ...event, id, output, [name]: 1 },
          set: { [name]: output },
          do: [{ type: "tool", id, input: output }],
        });
        const whole = JSON.parse(text);
        const skim = skimmed(text);
        if (skim === undefined) return text.includes("\\");
        const { id: own, at } = skim.event as typeof event;
        expect([skim.seq, own, at, skim.value]).toEqual([3, id, whole.event.at, "a"]);
        expect(skim.do).toEqual(whole.do);
        return true;
      }),
    );
  });

  it.each([
    ["no JSON", line().slice(0, -3)],
    ["a child's beginning", line({ begin: {} })],
    ["an end", line({ end: { status: "done" } })],
    ["another kind", '{"mark":{"id":"t","attempt":1},"hash":"h"}'],
    ["blanks", JSON.stringify(JSON.parse(line()), null, 1)],
    ["what is very deep", line({ set: JSON.parse(`${"[".repeat(99)}${"]".repeat(99)}`) })],
    ["no value", line({ value: undefined })],
    ["no number", line({ seq: "3" })],
    ["an event without its time", line({ event: { type: "x" } })],
    ["an event that is none", line({ event: 1 })],
    ["directives elsewhere", line({ do: "#digest" })],
    ["a directive that is none", line({ do: [{ id: 1 }] })],
    ["starts that are none", line({ starts: ["0"] })],
    ["nothing", ""],
  ])("is read whole where it has %s", (_, text) => {
    expect(skimmed(text)).toBeUndefined();
  });
});

/** A line as a reader that skims gives it. */
function read(text: string, number: number, skims: boolean): DecodedLine {
  return new LineDecoder(skims ? "owed" : "step").decode({ text, number, hash: "h" });
}

describe("the debts of a tree from lines that were skimmed", () => {
  const issued = (parts: object, seq: number) =>
    line({ seq, event: { type: "go", at: 1 }, do: [{ type: "tool", id: `t${seq}`, ...parts }] });

  it("are those of whole lines", () => {
    const lines = [issued({ name: "pay", toolCallId: "c" }, 0), issued({ "-": ["toolCallId"] }, 1)];
    const trees = [true, false].map((skims) => {
      const tree = new OwedTree(skims);
      for (const [i, text] of lines.entries()) tree.take(read(text, i + 2, skims));
      return tree;
    });
    expect(trees[0]?.owed).toEqual(trees[1]?.owed);
    expect(trees[0]?.owed.get("t1")).toMatchObject({ name: "pay" });
    expect(trees.map(({ isVague }) => isVague)).toEqual([false, false]);
  });

  it("are vague where a name is only referred to", () => {
    const tree = new OwedTree(true);
    tree.take(read(issued({ name: "#digest" }, 0), 2, true));
    expect(tree.isVague).toBe(true);
  });

  it("are not where only a person would want to know", () => {
    const tree = new OwedTree(true);
    const asked = [{ type: "approval", id: "a", title: "pay", subject: "#digest", of: "#other" }];
    tree.take(read(line({ event: { type: "go", at: 1 }, do: asked }), 2, true));
    expect(tree.owed.get("a")).toMatchObject({ name: "pay" });
    expect(tree.isVague).toBe(false);
  });
});
