// What arrives together is taken together: what follows from the first is in force for the others.
import { describe, expect, it } from "vitest";
import { tool } from "../../../../src/index.js";
import { memoryJournal, type Observation, replay, run } from "../../../../src/runtime/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { gate, settle } from "../../../support/watched-journal.js";

const call = (id: string) => ({ type: "tool", id, name: "work", input: {} });

describe("two results in one moment", () => {
  const both = gate();
  const work = tool({ name: "work", execute: () => both.passed.then(() => "done") });
  const first = {
    ...smallReasoner({
      initial: "open",
      states: {
        open: { entry: issue(call("a"), call("b")), on: { "tool.succeeded": "over" } },
        over: { type: "final" },
      },
    }),
    tools: { work },
  };

  it("where the first ends the run, the other is told to be late, and is in no line", async () => {
    const journal = memoryJournal();
    const live = run(first as never, null, { journal, runId: "r" });
    const seen: Observation[] = [];
    const watching = (async () => {
      for await (const each of live) seen.push(each);
    })();
    await settle();
    both.open();
    const end = await live;
    await watching;
    expect(end.status).toBe("done");
    const notices = seen.flatMap((each) => (each.type === "notice" ? [each.code] : []));
    expect(notices).toEqual(["late"]);
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line ? [line.event.type] : [],
    );
    expect(events).toEqual(["start", "tool.succeeded"]);
    expect((await replay(first as never, journal)).status).toBe("identical");
  });
});

describe("a cancel that a machine goes on from", () => {
  it("has begin after all what waited for a slot meanwhile", async () => {
    const gates = { a: gate(), b: gate() };
    const begun: string[] = [];
    const work = tool({
      name: "work",
      execute: async (_input, { id }) => {
        begun.push(id);
        await gates[id as "a" | "b"].passed;
        return id;
      },
    });
    const stubborn = {
      ...smallReasoner({
        initial: "open",
        context: { got: 0 },
        states: {
          open: {
            entry: issue(call("a"), call("b")),
            on: { cancel: { actions: [] }, "tool.succeeded": "half" },
          },
          half: { on: { "tool.succeeded": "over" } },
          over: { type: "final" },
        },
      }),
      tools: { work },
    };
    const live = run(stubborn as never, null, { concurrency: 1 });
    await settle();
    live.cancel("stop");
    await settle();
    expect(begun).toEqual(["a"]);
    gates.a.open();
    gates.b.open();
    expect((await live).status).toBe("done");
    expect(begun).toEqual(["a", "b"]);
  });
});

describe("names that are too long for a line", () => {
  it.each(["runId", "seed"])("%s is refused before anything is written", async (name) => {
    const journal = memoryJournal();
    const over = smallReasoner({ initial: "over", states: { over: { type: "final" } } });
    const options = { journal, [name]: "x".repeat(2_000_000) };
    expect(await rejection(run(over, null, options as never))).toMatchObject({
      code: "event.tooLarge",
    });
    expect(await rejection(linesIn(journal))).toMatchObject({ code: "journal.missing" });
  });
});
