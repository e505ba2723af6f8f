// Records, changes and causes from lines and differences that were written by hand.
import { describe, expect, it } from "vitest";
import {
  causeOf,
  type EventLine,
  type Line,
  RecordedChanges,
  RecordedValues,
  runRecord,
} from "../../../../src/core/journal/index.js";

const at = (seq: number, event: object, more: object = {}): object => ({
  seq,
  event: { at: seq, ...event },
  value: "v",
  ...more,
});

describe("a run's record", () => {
  it("has as an answer what settled something, and not what came too late", () => {
    const answer = (output: number) => ({ type: "tool.succeeded", id: "x", output });
    const record = runRecord([
      at(0, { type: "start" }, { do: [{ type: "tool", id: "x", name: "n", input: 1 }] }),
      at(1, answer(1)),
      at(2, answer(2), { ignored: "stale" }),
      at(3, { type: "tool.succeeded", id: "y", output: 3 }, { ignored: "ended" }),
    ] as unknown as readonly Line[]);
    expect(record.effects.get("x")?.answer?.event).toMatchObject({ output: 1 });
    expect(record.events.map(({ key }) => key)).toEqual([
      "start",
      "x",
      "tool.succeeded 0",
      "tool.succeeded 1",
    ]);
  });
});

describe("changes from lines", () => {
  it("say how the run ended", () => {
    const changes = new RecordedChanges(new RecordedValues());
    const line = at(0, { type: "start" }, { end: { status: "failed" }, set: { n: 1 } });
    expect(changes.take(line as unknown as EventLine)).toEqual([
      { path: "value", after: "v" },
      { path: "status", before: "active", after: "failed" },
      { path: "context.n", after: 1 },
    ]);
  });
});

describe("what a difference is grouped by", () => {
  it("is which kinds of directives are asked for, and not how many in a row", () => {
    const asked = (recorded: readonly string[], computed: readonly string[]) =>
      causeOf({ seq: 1, event: "tick", path: "directives", recorded, computed }, "a", "on");
    const one = asked(["tool x"], ["tool x", "tool y", "llm 1"]);
    expect(one).toMatchObject({
      what: 'what is asked upon tick in "on"',
      recorded: ["tool"],
      computed: ["tool", "llm"],
    });
    expect(asked(["tool x", "tool z"], ["tool y", "llm 2"]).key).toBe(one.key);
    expect(asked(["tool x"], ["llm 1", "tool y"]).key).not.toBe(one.key);
  });
});
