// What grows with what, counted and not timed: hashed characters, bytes read and written, journals opened.

import { describe, expect, it, vi } from "vitest";
import { Recorder } from "../../../../src/core/journal/index.js";
import type { RunState } from "../../../../src/core/kernel/machine/index.js";
import { refOf, toArray } from "../../../../src/core/kernel/values/index.js";
import type { RunEvent } from "../../../../src/core/kernel/vocabulary/index.js";
import { type Agent, agent } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { generate, plan, thoughts } from "../../../../src/thoughts.js";
import { countHashes } from "../../../support/hashed.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

vi.mock("#platform", async (original) =>
  (await import("../../../support/hashed.js")).counted(await original()),
);

/** How many characters are hashed by some work. */
async function hashed(work: () => unknown): Promise<number> {
  const hashedSince = countHashes();
  await work();
  return hashedSince().characters;
}

describe("a fan of outstanding effects", () => {
  const tool = (i: number) => ({ type: "tool", id: `t/${i}`, name: "x", input: i });
  const settleAll = (count: number) => {
    const wide = smallReasoner({
      initial: "a",
      states: { a: { entry: issue(...Array.from({ length: count }, (_, i) => tool(i))) } },
    });
    const recorder = new Recorder();
    const step = wide.start(null, { at: 0, runId: "r" });
    recorder.event(wide, { type: "start", at: 0 }, step, []);
    let state: RunState<never> = step.state as never;
    for (let i = 0; i < count; i++) {
      const event = { type: "tool.succeeded", id: `t/${i}`, at: 1, output: i } as RunEvent;
      const next = wide.step(state as never, event);
      recorder.event(wide, event, next, []);
      state = next.state as never;
    }
  };

  it("of ten thousand costs each what one of two thousand costs it", async () => {
    const few = (await hashed(() => settleAll(2_000))) / 2_000;
    const many = (await hashed(() => settleAll(10_000))) / 10_000;
    expect(many / few).toBeLessThan(1.25);
  });
});

describe("steps by themselves", () => {
  it("hash nothing: a digest is made where somebody asks for it", async () => {
    const fan = Array.from({ length: 40 }, (_, i) => `t/${i}`);
    const asks = smallReasoner({
      initial: "a",
      states: {
        a: { entry: issue(...fan.map((id) => ({ type: "tool", id, name: "x", input: 0 }))) },
      },
    });
    const stepThrough = (prove: (state: RunState<never>) => void) => () => {
      let { state } = asks.start(null, { at: 0, runId: "r" });
      for (const id of fan) {
        state = asks.step(state, { type: "tool.succeeded", id, at: 1, output: id }).state;
        prove(state as never);
      }
      expect([state.status, state.seq]).toEqual(["active", fan.length]);
    };
    expect(await hashed(stepThrough(() => {}))).toBe(0);
    const proven = await hashed(stepThrough(({ issued }) => refOf(issued as never)));
    expect(proven).toBeGreaterThan(40 * 34);
    // Each id once, whoever asks.
    expect(proven).toBeLessThan(40 * 50);
  });
});

describe("children", () => {
  const child = smallReasoner({ initial: "a", states: { a: { type: "final" } } });
  const family = (count: number) => {
    const runs = Array.from({ length: count }, (_, i) => ({
      type: "run",
      id: `c/${i}`,
      reasoner: "child",
      input: i,
    }));
    const parent = smallReasoner({ initial: "a", states: { a: { entry: issue(...runs) } } });
    return { ...parent, children: { child } } as unknown as typeof parent;
  };

  it("by the thousand cost each what a quarter of them costs", async () => {
    const costs: { hashed: number; bytes: number }[] = [];
    for (const count of [250, 1_000]) {
      const journal = memoryJournal();
      const all = await hashed(() => run(family(count), null, { journal }));
      const settled = (await textIn(journal)).split('"run.succeeded"').length - 1;
      expect(settled).toBe(count);
      costs.push({ hashed: all / count, bytes: (await textIn(journal)).length / count });
    }
    const [few, many] = costs as [(typeof costs)[0], (typeof costs)[0]];
    // A Table's rows fill up, no more: what grew with the number would be fourfold.
    expect(many.hashed / few.hashed).toBeLessThan(1.6);
    expect(many.bytes / few.bytes).toBeLessThan(1.1);
  });
});

describe("a generate of many responses", () => {
  it("costs each of two thousand what one of five hundred costs, in what is hashed and written", async () => {
    const model = scriptedModel(() => "a thought");
    const costs: { hashed: number; bytes: number }[] = [];
    for (const count of [500, 2_000]) {
      const journal = memoryJournal();
      const fan = thoughts({ policy: plan([generate({ responses: count })]) });
      const all = await hashed(async () => {
        expect((await run(fan, "why?", { model, journal })).status).toBe("done");
      });
      const { length } = await textIn(journal);
      costs.push({ hashed: all / count, bytes: length / count });
    }
    const [few, many] = costs as [(typeof costs)[0], (typeof costs)[0]];
    // Numbers of events, which are hashed with each state, grow by a digit.
    expect(many.hashed / few.hashed).toBeLessThan(1.3);
    expect(many.bytes / few.bytes).toBeLessThan(1.05);
  });
});

describe("a chain of linked runs", () => {
  it("starts its two-hundredth as its second: one journal is read, and of that no more", async () => {
    const talk = agent({ name: "talk" }) as Agent;
    const model = scriptedModel(() => "yes");
    let read: { readonly name: string; readonly bytes: number }[] = [];
    const journal = (name: string): JournalPort => {
      const port = memoryJournal(name);
      const { snapshots } = port;
      if (snapshots === undefined) throw new Error("A journal in memory keeps snapshots.");
      return {
        ...port,
        snapshots: {
          ...snapshots,
          async read(seq) {
            const text = await snapshots.read(seq);
            read.push({ name: `${name} snapshot`, bytes: text?.length ?? 0 });
            return text;
          },
        },
        async *read(from) {
          for await (const chunk of port.read(from)) {
            read.push({ name, bytes: chunk.length });
            yield chunk;
          }
        },
      };
    };
    let last = journal("0");
    await run(talk, "go", { model, journal: last });
    const costs: { names: string[]; journal: number; snapshot: number; context: number }[] = [];
    for (let i = 1; i <= 200; i++) {
      const next = journal(`${i}`);
      read = [];
      const end = await run(talk, "and", { model, journal: next, from: last });
      expect(end.status).toBe("done");
      const bytes = (of: string) =>
        read.reduce((sum, each) => sum + (each.name === of ? each.bytes : 0), 0);
      costs.push({
        names: [...new Set(read.map(({ name }) => name))],
        journal: bytes(`${i - 1}`),
        snapshot: bytes(`${i - 1} snapshot`),
        context: i === 200 ? JSON.stringify(toArray(end.context.messages)).length : 0,
      });
      last = next;
    }
    const [second, late] = [costs[1], costs[199]];
    expect(second?.names).toEqual(["1 snapshot", "1"]);
    expect(late?.names).toEqual(["199 snapshot", "199"]);
    expect((late?.journal ?? 0) / (second?.journal ?? 1)).toBeLessThan(1.05);
    // What is read beside it is the context that it goes on from, once.
    expect((late?.snapshot ?? 0) / (late?.context ?? 1)).toBeLessThan(1.5);
  });
});
