// Observers and redaction: who sees what, and what a hook may change.

import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  memoryJournal,
  type Observation,
  replay,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const one = agent({ name: "a", tools: [tool({ name: "t", execute: () => "secret 123" })] });
const model = scriptedModel([{ calls: [{ name: "t" }] }, "the secret is 123"]);

describe("observers", () => {
  it("that throw, at once or later, change nothing and are told of", async () => {
    const notices: Observation[] = [];
    const live = run(one, "go", {
      model,
      observers: [
        () => {
          throw new Error("at once");
        },
        async () => {
          throw new Error("later");
        },
      ],
    });
    for await (const seen of live) if (seen.type === "notice") notices.push(seen);
    expect((await live).status).toBe("done");
    const text = JSON.stringify(notices);
    expect(text).toContain("Observer 0 threw on step: at once");
    expect(text).toContain("Observer 1 threw on step: later");
  });

  it("see every step once and in order, and so does everybody who iterates", async () => {
    const seen: number[] = [];
    const iterated: number[][] = [[], []];
    const live = run(one, "go", {
      model,
      observers: [(each) => each.type === "step" && seen.push(each.seq)],
    });
    const iterate = async (into: number[]) => {
      for await (const each of live) if (each.type === "step") into.push(each.seq);
    };
    await Promise.all(iterated.map(iterate));
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(iterated).toEqual([seen, seen]);
  });

  it("who stop iterating do not stop the run", async () => {
    const live = run(one, "go", { model });
    for await (const _ of live) break;
    expect((await live).status).toBe("done");
  });

  it("who iterate a run that fails to be written are told by the iterator too", async () => {
    const journal = memoryJournal();
    await run(one, "go", { model, journal });
    const live = run(one, "go", { model, journal });
    const iterate = async () => {
      for await (const _ of live);
    };
    expect((await rejection(iterate())).code).toBe("journal.exists");
  });

  it("hear what a machine tells them", async () => {
    const { defineReasoner, setupReasoner } = await import("../../../../src/kernel.js");
    const told = { type: "notify", topic: "progress", data: { n: 1 } } as const;
    const machine = setupReasoner<Record<string, never>, null>().createMachine({
      context: {},
      initial: "over",
      states: { over: { type: "final", entry: { type: "issue", params: told } } },
    });
    const seen: Observation[] = [];
    for await (const each of run(defineReasoner({ id: "own", machine }), null)) seen.push(each);
    expect(seen[1]).toEqual(told);
  });

  it("hear what a machine threw, in words that are in no state", async () => {
    const { defineReasoner, setupReasoner } = await import("../../../../src/kernel.js");
    const context = (): Record<string, never> => {
      throw new Error("in the factory");
    };
    const machine = setupReasoner<Record<string, never>, null>().createMachine({ context });
    const live = run(defineReasoner({ id: "own", machine }), null);
    const seen: Observation[] = [];
    for await (const each of live) seen.push(each);
    const end = await live;
    expect(end).toMatchObject({ status: "failed", reason: "machine.threw" });
    expect(seen).toContainEqual({
      type: "notice",
      code: "machine.threw",
      message: "start: in the factory",
    });
    expect(await textIn(end.journal)).not.toContain("in the factory");
  });

  it("are warned of deps that look like secrets", async () => {
    const seen: Observation[] = [];
    const live = run(one, { prompt: "go", deps: { region: "eu", apiKey: "x" } }, { model });
    for await (const each of live) if (each.type === "notice") seen.push(each);
    expect(seen).toMatchObject([{ code: "deps.secret" }]);
    expect(JSON.stringify(seen)).toContain("deps.apiKey looks like a secret");
  });
});

describe("a redaction hook", () => {
  const hide = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("123", "***"));

  it("sees input, events and deltas first: what it removes is in no state and no byte", async () => {
    const journal = memoryJournal();
    const seen: Observation[] = [];
    // Neither the run's id nor a time has that number in it by chance.
    const fixed = { runId: "r", clock: virtualClock(1_000) };
    const live = run(one, "the number is 123", { model, journal, redact: hide, ...fixed });
    for await (const each of live) seen.push(each);
    const end = await live;
    expect(end).toMatchObject({ status: "done", output: "the secret is ***" });
    expect(seen.some((each) => each.type === "delta" && each.delta.text.includes("***"))).toBe(
      true,
    );
    expect(JSON.stringify([seen, end.state, await textIn(journal)])).not.toContain("123");
    expect((await replay(one, journal)).status).toBe("identical");
  });

  const refused: readonly (readonly [string, (value: { type: string }) => unknown])[] = [
    ["the type", (value) => ({ ...value, type: "other" })],
    ["the time", (value) => ("at" in value ? { ...value, at: 7 } : value)],
    ["everything", () => undefined],
  ];
  for (const [name, redact] of refused) {
    it(`that changes ${name} stops the run`, async () => {
      const live = run(one, "go", {
        model: scriptedModel([{ calls: [{ name: "t" }] }]),
        redact: redact as never,
      });
      expect((await rejection(live)).code).toBe("redaction.refused");
    });
  }

  it.each([
    ["changes the id", (value: object) => ("id" in value ? { ...value, id: "tool/9/9" } : value)],
    [
      "returns what is not JSON",
      (value: { type?: string }) =>
        value.type === "llm.succeeded" ? { ...value, when: new Date(0) } : value,
    ],
  ])("that %s of an answer has it failed, and the journal can be read", async (_how, redact) => {
    const journal = memoryJournal();
    const end = await run(one, "go", { model, journal, redact: redact as never });
    expect(end).toMatchObject({ status: "failed", error: { code: "redaction.refused" } });
    expect(await replay(one, journal)).toMatchObject({ status: "identical", events: 2 });
  });
});
