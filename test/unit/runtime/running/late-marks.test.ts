// A tool that waits for a slot and is cancelled meanwhile: it gets no start mark any more, though the
// line that says so may still be on its way when its slot comes free.
import { describe, expect, it } from "vitest";
import { tool } from "../../../../src/index.js";
import { defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import { replay, run } from "../../../../src/runtime/index.js";
import { issue } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

type Event = { readonly type: string };
const call = (name: string, id = name) => ({ type: "tool", id, name, input: null });
const cancel = { type: "cancel", target: "waits" };

/** Tools of which the first one ends when its gate is opened, and fails once where it is to. */
function toolsOf(more: object = {}) {
  const first = gate();
  const done: string[] = [];
  const made = ["first", "waits"].map((name) =>
    tool({
      name,
      ...more,
      execute: async () => {
        done.push(name);
        if (name === "first") await first.passed;
        if ("retries" in more) throw new Error("again");
        return name;
      },
    }),
  );
  const tools = Object.fromEntries(made.map((each) => [each.name, each]));

  /** A machine that begins some effects, and on `go` the tool that waits, which `skip` cancels. */
  const machineOf = (entry: readonly object[], children: object = {}) => {
    const { createMachine } = setupReasoner<Record<string, never>, unknown, Event>();
    const on = {
      go: { actions: issue(call("waits")) },
      skip: { actions: issue(cancel) },
      drop: { actions: issue({ type: "cancel", target: "first" }) },
      note: {},
      "tool.succeeded": {},
      "tool.failed": {},
    };
    const states = { a: { entry: issue(...entry), on } };
    const machine = createMachine({ context: {}, initial: "a", states } as never);
    return defineReasoner({ id: "one", machine, tools, children } as never);
  };
  return { first, done, machineOf };
}

/** A journal that keeps lines with a word waiting. */
function heldAt(word: string) {
  const journal = watchedJournal();
  const held = gate();
  // A header has the chart, with the names of all events.
  const isHeld = (line: string) =>
    line.includes(`"${word}"`) && !line.startsWith(`{"type":"header"`);
  journal.before = (lines) => (lines.some(isHeld) ? held.passed : undefined);
  return { journal, held };
}

describe("a tool that is cancelled while it waits for a slot", () => {
  it("gets none where a child frees the slot while the line that cancels it is written", async () => {
    const { first, done, machineOf } = toolsOf();
    const { journal, held } = heldAt("skip");
    const run1 = { type: "run", id: "c", reasoner: "child", input: null };
    const parent = machineOf([run1], { child: machineOf([call("first")]) });
    const live = run(parent, null, { journal, concurrency: 1 });
    await settle();
    live.send({ type: "go" });
    await settle();
    live.send({ type: "skip" });
    await settle();
    first.open();
    await settle();
    held.open();
    await settle();
    expect((await live).status).toBe("waiting");
    expect(journal.log.filter((each) => each.includes("mark waits"))).toEqual([]);
    expect(done).toEqual(["first"]);
    expect((await replay(parent, journal)).status).toBe("identical");
  });
});

it("a tool that is cancelled while its start mark is written does not begin", async () => {
  const { first, done, machineOf } = toolsOf();
  const { journal, held } = heldAt("mark");
  const one = machineOf([call("first"), call("waits")]);
  const live = run(one, null, { journal, concurrency: 1 });
  await settle();
  first.open();
  await settle();
  live.send({ type: "skip" });
  await settle();
  held.open();
  expect((await live).status).toBe("waiting");
  expect(journal.log).toContain("durable mark waits 1");
  expect(done).toEqual(["first"]);
  expect((await replay(one, journal)).status).toBe("identical");
});

it("a tool that fails while the line that cancels it is written gets no mark for another attempt", async () => {
  const { first, done, machineOf } = toolsOf({ retries: 2 });
  const { journal, held } = heldAt("drop");
  const one = machineOf([call("first")]);
  const live = run(one, null, { journal });
  await settle();
  live.send({ type: "drop" });
  await settle();
  first.open();
  await settle();
  held.open();
  await settle();
  expect((await live).status).toBe("waiting");
  expect(journal.log.filter((each) => each.startsWith("durable mark"))).toEqual([]);
  expect(done).toEqual(["first"]);
  expect((await replay(one, journal)).status).toBe("identical");
});
