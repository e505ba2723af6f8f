/** Where two runs part: by cause, whatever came in which order and when. */
import { describe, expect, test } from "vitest";
import { agent, memoryJournal, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { virtualClock } from "../../../../src/runtime/index.js";
import { diff, fork } from "../../../../src/time-travel.js";
import { calls, familyOf } from "../../../support/family.js";

type Says = Readonly<Record<string, unknown>>;

/** A run of an agent with two tools, told what everybody says. */
async function aRun(says: Says = {}) {
  const journal = memoryJournal(`run ${Math.random()}`);
  const of = (name: string, instead: string) => String(says[name] ?? instead);
  const clock = virtualClock(Number(says.at ?? 0));
  const slow = (name: string) =>
    tool({
      name,
      jsonSchema: { type: "object" },
      needsApproval: name === "pay",
      execute: async () => {
        if (says.slow === name) await clock.sleep(10);
        return of(name, `${name} says so`);
      },
    });
  const reasoner = agent({
    name: "buyer",
    system: of("system", "You buy."),
    tools: [slow("look"), slow("ask"), slow("pay")],
  });
  const model = scriptedModel((_request, turn) =>
    turn === 0
      ? { text: of("first", "Let me see."), calls: [{ name: "look" }, { name: "ask" }] }
      : turn === 1
        ? { calls: [{ name: "pay" }] }
        : of("last", "Bought."),
  );
  const options = { model, journal, clock, approve: () => ({ approve: says.approve !== "no" }) };
  const running = run(reasoner, of("input", "Buy it"), options);
  const clocking = (async () => {
    for (let i = 0; i < 50; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(10);
    }
  })();
  if (says.message !== undefined) running.message(String(says.message));
  const end = await running;
  await clocking;
  return { reasoner, model, journal, end };
}

describe("two runs", () => {
  test("that came to the same are the same, in any order, at any time", async () => {
    const found = await diff(
      (await aRun({ slow: "look" })).journal,
      (await aRun({ slow: "ask", at: 9_999 })).journal,
    );
    expect(found).toMatchObject({ same: true, configuration: "same" });
    expect(found.parting).toBeUndefined();
    expect(found.summary).toMatchObject({ differs: 0, "only a": 0, "only b": 0 });
    expect(found.rows.every(({ status }) => status === "same")).toBe(true);
  });

  test.each<[Says, object]>([
    [{ input: "Sell it" }, { kind: "input", path: "input", a: "Buy it", b: "Sell it" }],
    [
      { first: "Let me look." },
      { kind: "model output", cause: "llm/0", path: "llm/0.content[0].text", b: "Let me look." },
    ],
    [
      { ask: "no idea" },
      {
        kind: "tool result",
        cause: "tool/0/1",
        path: "tool/0/1.output",
        a: "ask says so",
        b: "no idea",
      },
    ],
    [{ approve: "no" }, { kind: "decision", cause: "approval/1/0", path: "approval/1/0.approve" }],
    [
      { system: "You sell." },
      {
        kind: "configuration",
        cause: "llm/0",
        path: "llm/0.system",
        a: "You buy.",
        b: "You sell.",
      },
    ],
    [{ last: "Sold." }, { kind: "model output", cause: "llm/2", path: "llm/2.content[0].text" }],
    [{ message: "Hurry" }, { kind: "input", cause: "message 0", seqB: expect.any(Number) }],
  ])("part where the cause is: %j", async (says, parting) => {
    const found = await diff((await aRun()).journal, (await aRun(says)).journal);
    expect(found.same).toBe(false);
    expect(found.parting).toMatchObject(parting);
    // And the other way round.
    const back = await diff((await aRun(says)).journal, (await aRun()).journal);
    expect(back.parting).toMatchObject({ kind: (parting as { kind: string }).kind });
  });

  test("of which one is a fork with another result part at that result, and at nothing before", async () => {
    const { reasoner, model, journal } = await aRun();
    const forked = await fork(journal, { set: { "tool/0/0": "sold out" } });
    await resume(reasoner, forked.journal, { model, approve: () => ({ approve: true }) });
    const found = await diff(journal, forked.journal);
    expect(found.parting).toEqual({
      kind: "tool result",
      cause: "tool/0/0",
      path: "tool/0/0.output",
      a: "look says so",
      b: "sold out",
      seqA: expect.any(Number),
      seqB: expect.any(Number),
    });
    const differing = found.rows.filter(({ status }) => status !== "same");
    expect(differing[0]).toMatchObject({ cause: "tool/0/0", what: "event" });
    // What followed from it: the next request, and no more, since the model said the same.
    expect(differing.map(({ cause }) => cause)).toEqual(["tool/0/0", "llm/1"]);
  });

  test("of which one ended earlier part at what the other has beyond", async () => {
    const { journal } = await aRun();
    const cut = await fork(journal, { at: 1 });
    const found = await diff(journal, cut.journal);
    expect(found.parting).toMatchObject({
      kind: "tool result",
      seqA: 2,
      a: { output: "look says so" },
    });
    expect(found.parting).not.toHaveProperty("b");
    expect(found.summary["only b"]).toBe(0);
  });
});

describe("runs with children", () => {
  /** A run of a parent, whose child asks a child of its own. */
  async function aFamily(
    runId: string,
    says: { readonly answer: string; readonly inner?: string },
  ) {
    const journal = memoryJournal(runId);
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("child"), "all is done"],
      children: [
        {
          name: "child",
          says: [calls("grandchild"), says.answer],
          children: [{ name: "grandchild", says: [says.inner ?? "well"] }],
        },
      ],
    });
    await run(parent, "go", { model, journal, runId });
    return journal;
  }

  test("that came to the same are the same, whatever their ids are", async () => {
    const found = await diff(
      await aFamily("one", { answer: "so" }),
      await aFamily("two", { answer: "so" }),
    );
    expect(found.same).toBe(true);
  });

  test("the first place where two runs of a child part is named", async () => {
    const [a, b] = [
      await aFamily("one", { answer: "so" }),
      await aFamily("two", { answer: "or so" }),
    ];
    const { parting } = await diff(a, b);
    expect(parting).toMatchObject({
      kind: "child run",
      cause: "tool/0/0/0",
      a: "so",
      b: "or so",
      child: {
        a: "one:tool/0/0/0",
        b: "two:tool/0/0/0",
        parting: { kind: "model output", cause: "llm/1", a: "so", b: "or so" },
      },
    });
    expect(parting?.child?.parting.child).toBeUndefined();
  });

  test("and that of its child, where that is what it parts by", async () => {
    const [a, b] = [
      await aFamily("one", { answer: "so" }),
      await aFamily("two", { answer: "or so", inner: "ill" }),
    ];
    const { parting } = await diff(a, b);
    expect(parting?.child?.parting).toMatchObject({
      kind: "child run",
      a: "well",
      b: "ill",
      child: { parting: { kind: "model output", cause: "llm/0", a: "well", b: "ill" } },
    });
  });

  test("a child that came to the same by another way is named, and the place in it", async () => {
    const a = await aFamily("one", { answer: "so" });
    const found = await diff(a, await aFamily("two", { answer: "so", inner: "ill" }));
    expect(found.same).toBe(false);
    expect(found.parting).toMatchObject({
      kind: "child run",
      cause: "tool/0/0/0",
      child: { parting: { kind: "child run", a: "well", b: "ill" } },
    });
  });

  test("what an answer led to is not named before the answer, in whichever order they came", async () => {
    const inOrder = async (says: Says, slow: string) => (await aRun({ ...says, slow })).journal;
    const a = await inOrder({}, "look");
    const b = await inOrder({ look: "another view" }, "ask");
    const found = [(await diff(a, b)).parting, (await diff(b, a)).parting];
    expect(found.map((each) => each?.cause)).toEqual(["tool/0/0", "tool/0/0"]);
  });

  test("a child that is the same, whatever its parent was told, is named by its answer alone", async () => {
    const a = await aFamily("one", { answer: "so" });
    const set = await fork(a, { set: { "tool/0/0/0": "or so" } });
    const { parting } = await diff(a, set.journal);
    expect(parting).toMatchObject({ kind: "child run", cause: "tool/0/0/0" });
    expect(parting?.child).toBeUndefined();
  });
});
