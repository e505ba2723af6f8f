/** A corpus checked against changed code: one change is one group, and what follows from it is none. */
import { describe, expect, test } from "vitest";
import { assign } from "xstate";
import {
  agent,
  type JournalPort,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  type Tool,
  tool,
} from "../../../../src/index.js";
import { type ReplayOptions, replay } from "../../../../src/runtime/index.js";
import { Groups } from "../../../../src/time-travel/pure/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

const look = tool({ name: "look", jsonSchema: { type: "object" }, execute: () => "seen" });
const note = tool({ name: "note", jsonSchema: { type: "object" }, execute: () => "noted" });

function clerk(
  system = "You are a careful clerk.",
  tools: readonly Tool[] = [look],
  more: object = {},
) {
  return agent({ name: "clerk", system, tools, ...more });
}

/** Journals of runs with so many turns. */
async function corpus(turns: readonly number[]): Promise<readonly JournalPort[]> {
  return Promise.all(
    turns.map(async (count, i) => {
      const journal = memoryJournal(`j${i}`);
      const model = scriptedModel((_request, turn) =>
        turn < count ? { text: `turn ${turn}`, calls: [{ name: "look" }] } : `done ${i}`,
      );
      await run(clerk(), `question ${i}`, { model, journal });
      return journal;
    }),
  );
}

async function checked(
  reasoner: Parameters<typeof replay>[0],
  journals: readonly JournalPort[],
  options: ReplayOptions<never> = {},
) {
  const groups = new Groups();
  const all = [];
  for (const journal of journals) {
    const one = await replay(reasoner as never, journal, { keepGoing: true, ...options });
    groups.take(journal.name, one.causes);
    all.push(one);
  }
  return { all, groups: groups.list() };
}

describe("a corpus", () => {
  const turns = [1, 2, 3, 4, 0, 2];

  test("of the same code is identical", async () => {
    const { all, groups } = await checked(clerk(), await corpus(turns));
    expect(groups).toEqual([]);
    for (const [i, one] of all.entries()) {
      expect(one).toMatchObject({ status: "identical", events: 2 + 2 * (turns[i] as number) });
    }
  });

  test("a prompt changed by a word is one group, and every event is compared", async () => {
    const journals = await corpus(turns);
    const { all, groups } = await checked(clerk("You are a careless clerk."), journals);
    expect(groups).toEqual([
      {
        key: expect.any(String),
        what: "the system prompt",
        recorded: "You are a careful clerk.",
        computed: "You are a careless clerk.",
        journals: 6,
        places: 6,
        examples: ["j0#0", "j1#0", "j2#0"],
      },
    ]);
    for (const [i, one] of all.entries()) {
      expect(one.stopped).toBeUndefined();
      expect(one.compared).toBe(2 + 2 * (turns[i] as number));
      expect(one.consequences).toBe(0);
    }
  });

  test("a tool that was added is one group; with the prompt there are two", async () => {
    const journals = await corpus(turns);
    const tools = await checked(clerk(undefined, [look, note]), journals);
    expect(tools.groups.map(({ what, journals: n }) => [what, n])).toEqual([["the tools", 6]]);
    expect(tools.groups[0]?.computed).toMatchObject({ name: "note" });
    const both = await checked(clerk("Another prompt.", [look, note]), journals);
    expect(both.groups.map(({ what, journals: n }) => [what, n]).sort()).toEqual([
      ["the system prompt", 6],
      ["the tools", 6],
    ]);
    const ignoring = await checked(clerk("Another prompt.", [look, note]), journals, {
      ignore: ["system", "tools"],
    });
    expect(ignoring.groups).toEqual([]);
    expect(ignoring.all.every((one) => one.status === "identical" && one.accepted === 2)).toBe(
      true,
    );
    const half = await checked(clerk("Another prompt.", [look, note]), journals, {
      ignore: ["system"],
    });
    expect(half.groups.map(({ what }) => what)).toEqual(["the tools"]);
    const accepted = new Set(both.groups.map(({ key }) => key));
    const known = await checked(clerk("Another prompt.", [look, note]), journals, { accepted });
    expect(known.groups).toEqual([]);
    // What is accepted is that content and no other.
    const other = await checked(clerk("A third.", [look, note]), journals, { accepted });
    expect(other.groups.map(({ what }) => what)).toEqual(["the system prompt"]);
  });

  test("an accepted difference hides no other", async () => {
    const journals = await corpus(turns);
    const changed = agent({
      name: "clerk",
      system: "Another prompt.",
      tools: [look],
      settings: { temperature: 1 },
    });
    const { groups } = await checked(changed, journals, { ignore: ["system"] });
    expect(groups.map(({ what }) => what)).toEqual(["the model's settings"]);
  });

  /** A machine that goes on while it has asked fewer than four times; or, turned round, while more. */
  const counter = (turned: boolean) =>
    smallReasoner({
      context: { n: 0 },
      initial: "asking",
      states: {
        asking: {
          entry: {
            type: "issue",
            params: ({ context }: { context: { n: number } }) => [
              { type: "tool", id: `tool/${context.n}`, name: "x", input: {} },
            ],
          },
          on: {
            "tool.failed": [
              {
                guard: ({ context }: { context: { n: number } }) => context.n < 3 !== turned,
                target: "again",
              },
              { target: "done" },
            ],
          },
        },
        again: {
          entry: [issue({ type: "notify", topic: "again" })],
          always: "asking",
        },
        done: { type: "final" },
      },
    });

  test("a guard turned round is one group, and what follows from it is none", async () => {
    const journals = await Promise.all(
      [0, 1, 2].map(async (i) => {
        const journal = memoryJournal(`g${i}`);
        await run(counter(true), null, { journal, runId: `run ${i}` });
        return journal;
      }),
    );
    const { all, groups } = await checked(counter(false), journals);
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({
      what: 'the state upon tool.failed in "asking"',
      recorded: "done",
      computed: expect.anything(),
      journals: 3,
      places: 3,
    });
    for (const one of all) expect(one.consequences).toBeGreaterThan(0);
  });

  test("a change that only the state shows is found where it happens", async () => {
    const reasoner = (add: number) => {
      return smallReasoner({
        context: { n: 0 },
        initial: "on",
        states: {
          on: {
            entry: issue({ type: "timer", id: "t", until: 5 }),
            on: { "timer.fired": { target: "off", actions: assign({ n: add } as never) } },
          },
          off: { type: "final" },
        },
      });
    };
    const journal = memoryJournal();
    await run(reasoner(1), null, { journal });
    const { groups } = await checked(reasoner(2), [journal]);
    expect(groups).toMatchObject([
      { what: 'context.n upon timer.fired in "on"', recorded: 1, computed: 2 },
    ]);
  });

  test("an end that is the same is no difference where something else is one", async () => {
    const reasoner = (n: number) =>
      smallReasoner(
        { context: { n }, initial: "off", states: { off: { type: "final" } } },
        { output: () => ({ said: "the same" }) },
      );
    const journal = memoryJournal();
    await run(reasoner(1), null, { journal });
    const { groups } = await checked(reasoner(2), [journal]);
    expect(groups).toHaveLength(1);
    expect(groups).toMatchObject([{ recorded: 1, computed: 2 }]);
  });

  describe("of runs that were upgraded", () => {
    const talker = (system: string, more: object = {}) =>
      agent({ name: "clerk", system, conversation: true, ...more });

    /** A run of two turns, the second one upgraded. */
    async function upgraded(): Promise<JournalPort> {
      const journal = memoryJournal("u");
      const model = scriptedModel(() => "said");
      await run(talker("old"), "begin", { model, journal });
      await resume(talker("new"), journal, { model, upgrade: true, messages: ["again"] });
      return journal;
    }

    test("what the present code wrote is compared, what other code wrote before is not", async () => {
      const { all, groups } = await checked(talker("new"), [await upgraded()]);
      expect(groups).toEqual([]);
      expect(all).toMatchObject([
        {
          status: "identical",
          events: 2,
          compared: 2,
          segments: [
            { from: 0, events: 2, checked: false },
            { from: 2, events: 2, checked: true },
          ],
          notices: ["Not checked: 2 events from 0 on, of version 1, whose code was not given."],
        },
      ]);
    });

    test("they are grouped, ignored and accepted as any other", async () => {
      const journal = await upgraded();
      const changed = talker("newer", { settings: { temperature: 1 } });
      const { all, groups } = await checked(changed, [journal]);
      expect(all).toMatchObject([{ status: "diverged", difference: { seq: 2 } }]);
      expect(groups.map(({ what, recorded, computed }) => [what, recorded, computed])).toEqual([
        ["the model's settings", undefined, { temperature: 1 }],
        ["the system prompt", "new", "newer"],
      ]);
      const ignoring = await checked(changed, [journal], { ignore: ["system", "settings"] });
      expect(ignoring.all).toMatchObject([{ status: "identical", causes: [] }]);
      const accepted = new Set(groups.map(({ key }) => key));
      const known = await checked(changed, [journal], { accepted });
      expect(known.all).toMatchObject([{ status: "identical", causes: [], accepted: 2 }]);
    });

    test("where the present code wrote the beginning, both parts are compared", async () => {
      const { all } = await checked(talker("old"), [await upgraded()]);
      expect(all).toMatchObject([
        { status: "diverged", compared: 4, events: 2, difference: { seq: 2 } },
      ]);
    });

    test("a difference in what it wrote itself stays, whatever came after the upgrade", async () => {
      const liar = { ...talker("odd"), fingerprint: talker("old").fingerprint };
      const { all, groups } = await checked(liar, [await upgraded()]);
      expect(all).toMatchObject([{ status: "diverged", difference: { seq: 0 } }]);
      expect(groups.map(({ recorded, computed }) => [recorded, computed]).sort()).toEqual([
        ["new", "odd"],
        ["old", "odd"],
      ]);
    });

    test("what differs behind an upgrade does not follow from what differed before it", async () => {
      const counting = (add: number, configuration: string) =>
        smallReasoner(
          {
            context: { n: 0 },
            initial: "on",
            states: {
              on: { on: { tick: { actions: assign({ n: ({ context }) => context.n + add }) } } },
            },
          },
          { configuration },
        );
      const ticks = { events: [{ type: "tick" }, { type: "tick" }] };
      const journal = memoryJournal();
      await run(counting(1, "old"), null, { journal });
      await resume(counting(1, "old"), journal, ticks);
      await resume(counting(1, "new"), journal, { ...ticks, upgrade: true });
      const { all } = await checked(counting(2, "old"), [journal]);
      // 2 for 1; 4 for 2 follows. The upgrade begins with what was recorded: 4 for 3; 6 for 4 follows.
      expect(all).toMatchObject([{ status: "diverged", compared: 5, consequences: 2 }]);
      expect(
        all[0]?.causes.map(({ recorded, computed, seqs }) => [recorded, computed, seqs]),
      ).toEqual([
        [1, 2, [1]],
        [3, 4, [3]],
      ]);
      // What was accepted has consequences as well.
      const accepted = new Set(all[0]?.causes.slice(0, 1).map(({ cause }) => cause.key));
      const known = await checked(counting(2, "old"), [journal], { accepted });
      expect(known.all).toMatchObject([{ accepted: 1, consequences: 2 }]);
      expect(known.groups.map(({ recorded, computed }) => [recorded, computed])).toEqual([[3, 4]]);
    });

    test("code that does not take the run over is a difference, and nothing behind it is compared", async () => {
      const refusing = {
        ...talker("third"),
        migrate: () => {
          throw new Error("there is no state ready");
        },
      };
      const { all, groups } = await checked(refusing, [await upgraded()]);
      expect(groups).toMatchObject([{ what: "the upgrade", computed: "there is no state ready" }]);
      expect(all).toMatchObject([
        { status: "diverged", events: 0, stopped: { seq: 1, why: "there is no state ready" } },
      ]);
    });

    test("code that cannot step through what other code wrote is no reason to refuse", async () => {
      const throwing = (seq: number) => {
        const own = talker("new");
        const step: typeof own.step = (state, event) => {
          if (state.seq === seq) throw new Error("this code cannot read that");
          return own.step(state, event);
        };
        return { ...own, step };
      };
      const { all } = await checked(throwing(0), [await upgraded()]);
      expect(all).toMatchObject([{ status: "identical", events: 2 }]);
      await expect(checked(throwing(2), [await upgraded()])).rejects.toThrow("cannot read that");
      const other = { ...throwing(2), fingerprint: "another" };
      await expect(checked(other, [await upgraded()])).rejects.toThrow("cannot read that");
    });
  });

  test("a journal is read once, but for its header", async () => {
    const [journal] = await corpus([30]);
    let chunks = 0;
    const counted: JournalPort = {
      ...(journal as JournalPort),
      async *read(from) {
        for await (const chunk of (journal as JournalPort).read(from)) {
          chunks += 1;
          yield chunk;
        }
      },
    };
    let all = 0;
    for await (const _chunk of (journal as JournalPort).read()) all += 1;
    await replay(clerk() as never, counted, { keepGoing: true });
    expect(chunks).toBeLessThanOrEqual(all + 1);
  });

  test("a journal of another reasoner is refused", async () => {
    const journals = await corpus([1]);
    await expect(checked(agent({ name: "cook" }), journals)).rejects.toMatchObject({
      code: "journal.reasoner",
    });
  });

  test("where what was recorded answers nothing that is asked, it stops", async () => {
    const [journal] = await corpus([2]);
    const limited = clerk(undefined, [look], { maxIterations: 1 });
    const one = await replay(limited as never, journal as JournalPort, { keepGoing: true });
    expect(one.status).toBe("diverged");
    expect(one.stopped?.why).toMatch(/the run has ended|nothing waits for/);
  });
});

test("one cause at several events is one, with all of its places", async () => {
  const teller = (data: number) =>
    smallReasoner({
      initial: "a",
      states: {
        a: {
          on: {
            tick: { actions: issue({ type: "notify", topic: "t", data }) },
            tock: { actions: issue({ type: "notify", topic: "t", data: 9 }) },
            end: "b",
          },
        },
        b: { type: "final" },
      },
    });
  const journal = memoryJournal();
  const live = run(teller(1), null, { journal });
  // What is as it was before is in no line: between two of a kind comes another.
  for (const type of ["tick", "tock", "tick", "end"]) live.send({ type });
  await live;
  const found = await replay(teller(2), journal, { keepGoing: true });
  expect(found.causes).toMatchObject([
    { cause: { what: "data" }, recorded: 1, computed: 2, seqs: [1, 3] },
  ]);
  expect(found).toMatchObject({ status: "diverged", compared: 5, events: 1, consequences: 0 });
});
