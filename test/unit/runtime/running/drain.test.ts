// A run that is left to another process begins nothing any more, whatever was on its way when it was told
// so, and neither do its children; who goes on with it does each thing once.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { approvalIn, calls, familyOf, worker } from "../../../support/family.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";

describe("a drain while the line is written with which a tool begins", () => {
  /** What the tool did by the end of a drain of so long, of which so much passes meanwhile. */
  async function drained(ms: number, passes: number) {
    const clock = virtualClock(0);
    const ran: string[] = [];
    const work = tool({ name: "work", execute: () => void ran.push("work") });
    const one = agent({ name: "a", tools: [work] });
    const model = scriptedModel([{ calls: [{ name: "work" }] }, "done"]);
    const journal = watchedJournal();
    const held = gate();
    journal.before = (lines) =>
      lines.join().includes('"llm.succeeded"') ? held.passed : undefined;
    const live = run(one, "go", { model, journal, clock });
    await settle();
    const end = live.drain(ms);
    clock.advance(passes);
    held.open();
    expect(await end).toMatchObject({ status: "waiting", reason: "drained" });
    expect(clock.sleepers).toBe(0);
    const before = [...ran];
    expect((await resume(one, journal, { model, clock })).status).toBe("done");
    expect((await replay(one, journal)).status).toBe("identical");
    return { before, after: ran };
  }

  it("lets it run where there is time left, since it is marked", async () => {
    expect(await drained(100, 50)).toEqual({ before: ["work"], after: ["work"] });
  });

  it.each([
    [0, 0],
    [100, 100],
  ])("of %i ms lets it not begin once they are over", async (ms, passes) => {
    expect(await drained(ms, passes)).toEqual({ before: [], after: [] });
  });
});

it("a drain while the line is written with which a child and a read begin leaves them to others", async () => {
  let asked = 0;
  let read = 0;
  const notes = {
    name: "notes",
    read: async () => ++read,
    write: async () => null,
  };
  const child = agent({ name: "child" });
  const parent = smallReasoner(
    {
      initial: "a",
      states: {
        a: {
          entry: issue(
            { type: "run", id: "c", reasoner: "child", input: { prompt: "x" } },
            { type: "read", id: "r", store: "notes", query: null },
          ),
          on: { "read.succeeded": "b" },
        },
        b: { on: { "run.succeeded": "c" } },
        c: { type: "final" },
      },
    },
    { children: { child } },
  );
  const model = scriptedModel(() => {
    asked += 1;
    return "hello";
  });
  const journal = watchedJournal();
  const held = gate();
  journal.before = () => held.passed;
  const options = { model, stores: { notes } };
  const live = run(parent, null, { ...options, journal });
  await settle();
  const end = live.drain(1_000);
  held.open();
  expect(await end).toMatchObject({ status: "waiting", reason: "drained" });
  // A model's call begins while its line is on the way: it has no effect but its cost.
  expect([asked, read]).toEqual([1, 0]);
  await resume(parent, journal, options);
  expect([asked, read]).toEqual([1, 1]);
});

describe("a child that waits while its parent is drained", () => {
  it("takes what is decided, and begins nothing: whoever goes on does it, once", async () => {
    const done: string[] = [];
    const hold = gate();
    const clock = virtualClock(0);
    const { parent, model } = familyOf({
      name: "parent",
      tools: [{ ...worker([], "hold"), execute: () => hold.passed } as never],
      says: [{ calls: [{ name: "child", input: { prompt: "x" } }, { name: "hold" }] }, "done"],
      children: [
        {
          name: "child",
          tools: [worker(done, "pay", { needsApproval: true })],
          says: [{ calls: [{ name: "pay" }] }, "paid"],
        },
      ],
    });
    const journal = textJournal("");
    const notices: string[] = [];
    const watch = (each: Observation): void => {
      if (each.type === "child") watch(each.observation);
      else if (each.type === "notice") notices.push(each.message);
    };
    const live = run(parent, "go", { model, journal, clock, observers: [watch] });
    for (let i = 0; i < 3; i++) await settle();
    const end = live.drain(1_000);
    live.decide(approvalIn([CHILD], "approval/0/0"), { approve: true, by: "ada" });
    for (let i = 0; i < 3; i++) await settle();
    hold.open();
    expect(await end).toMatchObject({ status: "waiting", reason: "drained" });
    expect([done, notices]).toEqual([[], []]);
    expect(journal.text).toContain('"by":"ada"');
    expect((await resume(parent, journal, { model, clock })).status).toBe("done");
    expect(done).toHaveLength(1);
    expect((await replay(parent, journal)).status).toBe("identical");
  });
});

it("children that settle while their parent is drained are settled once, and the others go on", async () => {
  const gates = new Map([
    ["a", gate()],
    ["b", gate()],
  ]);
  const done: string[] = [];
  const { parent, model } = familyOf({
    name: "parent",
    says: [calls("a", "b"), "done"],
    children: [...gates].map(([name, { passed }]) => ({
      name,
      tools: [
        tool({
          name: `work-${name}`,
          idempotent: true,
          execute: () => passed.then(() => void done.push(name)),
        }),
      ],
      says: (request) =>
        request.messages.some(({ role }) => role === "tool")
          ? `${name} done`
          : { calls: [{ name: `work-${name}` }] },
    })),
  });
  const journal = memoryJournal();
  const clock = virtualClock(0);
  const live = run(parent, "go", { model, journal, clock });
  for (let i = 0; i < 3; i++) await settle();
  const end = live.drain(1_000);
  gates.get("a")?.open();
  for (let i = 0; i < 3; i++) await settle();
  clock.advance(1_000);
  expect(await end).toMatchObject({ status: "waiting", reason: "drained" });
  gates.get("b")?.open();
  expect(await resume(parent, journal, { model, clock })).toMatchObject({
    status: "done",
    output: "done",
  });
  expect(done.filter((each) => each === "a")).toHaveLength(1);
  expect((await replay(parent, journal)).status).toBe("identical");
});
