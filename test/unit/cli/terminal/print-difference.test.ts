// A difference for people: short values whole, long ones cut to what differs, and both of them.
import { describe, expect, it } from "vitest";
import { printDifference, shortened } from "../../../../src/cli/terminal/print-difference.js";

const plain = { recorded: (text: string) => text, computed: (text: string) => text };
const at = {
  seq: 3,
  event: "llm.succeeded",
  path: "directives[0].system",
  cause: { key: "k", what: "the system prompt" },
};

describe("a difference", () => {
  it("shows short values whole", () => {
    const text = printDifference({ ...at, recorded: "old", computed: { a: 1 } }, plain);
    expect(text).toBe(
      'first difference at event 3 (llm.succeeded), directives[0].system\n  recorded: "old"\n  computed: {"a":1}',
    );
  });

  it("says where there is nothing", () => {
    expect(printDifference({ ...at, recorded: "old" }, plain)).toContain("computed: nothing");
  });

  it("cuts long values to what differs, with a little around it", () => {
    const long = "x".repeat(5_000);
    const [left, right] = shortened(`${long}old${long}`, `${long}new and longer${long}`);
    expect(left).toContain("xoldx");
    expect(right).toContain("xnew and longerx");
    expect(left).toMatch(/^\(4920 characters\)…x+oldx+…\(4920 characters\)$/);
    expect(Math.max(left.length, right.length)).toBeLessThan(300);
  });

  it("cuts what differs where that is long itself", () => {
    const [left, right] = shortened("a".repeat(5_000), "b".repeat(9_000));
    expect(left).toBe(`${"a".repeat(600)}…(4400 characters)`);
    expect(right).toBe(`${"b".repeat(600)}…(8400 characters)`);
  });

  it("shows where one text ends and the other goes on", () => {
    const long = "x".repeat(1_000);
    const [left, right] = shortened(long, `${long} and more`);
    expect(left).toBe(`(920 characters)…${"x".repeat(80)}`);
    expect(right).toBe(`(920 characters)…${"x".repeat(80)} and more`);
  });
});
