// What is said to a run in the tick in which it was started, before anything of it is written: it counts
// as if it had been said before, and what is wound down begins nothing.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import { defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import {
  type ModelPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { eventsIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { watchedJournal } from "../../../support/watched-journal.js";

/** A model that counts its calls. */
function counted() {
  const inner = scriptedModel(["hello", "hello again"]);
  const asked: unknown[] = [];
  const model: ModelPort = {
    name: "m",
    generate(request, call) {
      asked.push(request);
      return inner.generate(request, call);
    },
  };
  return { model, asked };
}

const journals = [
  ["whose lines are durable at once", () => memoryJournal()],
  ["whose lines take time", () => watchedJournal()],
] as const;

describe.each(journals)("with a journal %s", (_name, journalOf) => {
  it.each([false, true])(
    "a drain asks no model, and a resume does (conversation: %s)",
    async (conversation) => {
      const { model, asked } = counted();
      const journal = journalOf();
      const one = agent({ name: "a", conversation });
      const live = run(one, "go", { model, journal });
      expect(await live.drain()).toMatchObject({ status: "waiting", reason: "drained" });
      expect([asked.length, (await eventsIn(journal)).length]).toEqual([0, 1]);
      const end = await resume(one, journal, { model });
      expect([end.status, asked.length]).toEqual([conversation ? "waiting" : "done", 1]);
      expect((await replay(one, journal)).status).toBe("identical");
    },
  );

  it.each([false, true])("an interrupt asks no model (conversation: %s)", async (conversation) => {
    const { model, asked } = counted();
    const journal = journalOf();
    const live = run(agent({ name: "a", conversation }), "go", { model, journal });
    live.interrupt("not now");
    const end = await live;
    expect([end.status, end.reason]).toEqual(
      conversation ? ["waiting", "ready"] : ["cancelled", "interrupted"],
    );
    expect(asked).toEqual([]);
    expect((await eventsIn(journal)).map(({ event }) => event.type)).toEqual([
      "start",
      "interrupt",
    ]);
  });

  it("a drain leaves a tool that the start asks for unbegun and unmarked", async () => {
    let ran = 0;
    const count = tool({ name: "count", execute: () => ++ran });
    const { createMachine } = setupReasoner<Record<string, never>, null>();
    const call = { type: "tool", id: "t", name: "count", input: null };
    const states = {
      a: { entry: issue(call), on: { "tool.succeeded": "b" } },
      b: { type: "final" },
    };
    const machine = createMachine({ context: {}, initial: "a", states } as never);
    const one = defineReasoner({ id: "one", machine, tools: { count } });
    const journal = journalOf();
    expect(await run(one, null, { journal }).drain()).toMatchObject({ reason: "drained" });
    expect(ran).toBe(0);
    expect((await resume(one, journal)).status).toBe("done");
    expect(ran).toBe(1);
  });
});

describe("an event whose parts are called like something else that a run is told", () => {
  const over = { initial: "a", states: { a: { on: { said: "b" } }, b: { type: "final" } } };
  it.each(["decision", "drain", "interrupt", "winding", "route", "event"])(
    "(%s) is that event",
    async (name) => {
      const one = smallReasoner({
        ...over,
        entry: issue({ type: "approval", id: "x", title: "x", subject: null }),
      });
      const said = { type: "said", [name]: 5 };
      const journal = memoryJournal();
      const live = run(one, null, { journal });
      live.send(said);
      expect((await live).status).toBe("done");
      expect((await eventsIn(journal)).map(({ event }) => event)).toMatchObject([{}, said]);
      const other = memoryJournal();
      await run(one, null, { journal: other });
      expect((await resume(one, other, { events: [said] })).status).toBe("done");
      expect((await eventsIn(other)).map(({ event }) => event)).toMatchObject([{}, said]);
    },
  );
});
