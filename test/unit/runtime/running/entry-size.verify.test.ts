// What is too large is refused where it enters, with a code; what was there goes on as before.
import { describe, expect, it } from "vitest";
import { MAX_LINE_LENGTH } from "../../../../src/core/journal/index.js";
import { agent, ModelError, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { eventsIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const MIB = 1024 * 1024;
const huge = "h".repeat(17 * MIB);

const desk = agent({
  name: "desk",
  tools: [tool({ name: "pay", needsApproval: true, jsonSchema: {}, execute: () => "paid" })],
});
const model = scriptedModel([{ calls: [{ name: "pay" }] }, "done"]);

async function longestLine(journal: JournalPort): Promise<number> {
  return (await textIn(journal)).split("\n").reduce((max, line) => Math.max(max, line.length), 0);
}

describe("what is sent to a live run", () => {
  it("is refused at once, and the run goes on", async () => {
    const journal = memoryJournal();
    const live = run(desk, "go", { model, journal });
    expect((await rejection(live.message(huge))).code).toBe("event.tooLarge");
    let tried = 0;
    for await (const seen of live) {
      if (seen.type !== "step" || tried > 0) continue;
      tried += 1;
      const edited = { approve: true, input: { amount: huge } };
      const said = [
        live.message(huge),
        live.send({ type: "own", pad: huge }),
        live.decide("approval/0/0", edited),
      ];
      for (const each of said) expect((await rejection(each)).code).toBe("event.tooLarge");
    }
    expect(tried).toBe(1);
    expect((await live).status).toBe("waiting");
    expect(await longestLine(journal)).toBeLessThan(10_000);
    expect((await replay(desk, journal)).status).toBe("identical");
  });

  it("is taken up to 8 MiB of JSON", async () => {
    const conversation = agent({ name: "talk", conversation: true });
    const journal = memoryJournal();
    const live = run(conversation, "go", { model: scriptedModel(["one", "two"]), journal });
    live.message("m".repeat(8 * MIB - 100));
    expect((await live).status).toBe("waiting");
    expect(await longestLine(journal)).toBeLessThan(MAX_LINE_LENGTH);
    expect((await replay(conversation, journal)).status).toBe("identical");
  });

  it("is a reason to cancel, which is cut", async () => {
    const journal = memoryJournal();
    const controller = new AbortController();
    const live = run(desk, "go", { model, journal, signal: controller.signal });
    controller.abort(huge);
    expect((await live).status).toBe("cancelled");
    const again = run(desk, "go", { model });
    again.cancel(huge);
    expect((await again).status).toBe("cancelled");
    expect(await longestLine(journal)).toBeLessThan(100_000);
  });
});

describe("what a run is started with", () => {
  const cases: readonly (readonly [string, () => PromiseLike<unknown>])[] = [
    ["an input", () => run(desk, huge, { model, journal: untouched })],
    ["an input in parts", () => run(desk, parts as never, { model, journal: untouched })],
    ["a run id", () => run(desk, "go", { model, journal: untouched, runId: huge })],
    ["a seed", () => run(desk, "go", { model, journal: untouched, seed: huge })],
    ["a config", () => run(desk, "go", { model, journal: untouched, config: huge })],
  ];
  const third = "i".repeat(3 * MIB);
  const parts = { prompt: [third, third, third].map((text) => ({ type: "text", text })) };
  const untouched = {
    ...memoryJournal(),
    open: () => {
      throw new Error("nothing may be opened");
    },
  } as JournalPort;
  it.each(cases)("%s", async (_name, start) => {
    expect((await rejection(start())).code).toBe("event.tooLarge");
  });

  it("a name that is not a string", async () => {
    const start = run(desk, "go", { model, journal: untouched, runId: 5 as never });
    expect((await rejection(start)).code).toBe("option.invalid");
  });
});

describe("what a resume is given", () => {
  const given = [
    { messages: [huge] },
    { messages: [[{ type: "text" as const, text: huge }]] },
    { events: [{ type: "own", pad: huge }] },
    { approvals: { "approval/0/0": { approve: true, input: huge } } },
    { approvals: { "approval/0/0": { approve: false, reason: huge } } },
  ];
  it.each(given)("%# is refused before anything is written", async (options) => {
    const journal = memoryJournal();
    expect((await run(desk, "go", { model, journal })).status).toBe("waiting");
    const before = await textIn(journal);
    const error = await rejection(resume(desk, journal, { model, ...options }));
    expect(error.code).toBe("event.tooLarge");
    expect(await textIn(journal)).toBe(before);
    const approvals = { "approval/0/0": { approve: true } };
    expect((await resume(desk, journal, { model, approvals })).status).toBe("done");
  });
});

describe("what the world answers", () => {
  it("an approver's edit is no decision", async () => {
    const journal = memoryJournal();
    const approve = () => ({ approve: true, input: { amount: huge } });
    const end = await run(desk, "go", { model, journal, approve });
    expect(end.status).toBe("done");
    const decided = (await eventsIn(journal)).find(({ event }) =>
      event.type.startsWith("approval"),
    );
    expect(decided?.event).toMatchObject({
      approve: false,
      reason: expect.stringMatching(/decision on .* more than 8 MiB/),
    });
    expect(await longestLine(journal)).toBeLessThan(10_000);
  });

  it("an approver that returns no decision denies", async () => {
    for (const decision of [{}, { approve: "yes" }, undefined, null, 1]) {
      const journal = memoryJournal();
      await run(desk, "go", { model, journal, approve: () => decision as never });
      const decided = (await eventsIn(journal)).find(({ event }) =>
        event.type.startsWith("approval"),
      );
      expect(decided?.event).toMatchObject({
        approve: false,
        reason: expect.stringMatching(/^The approver failed: .*approve: true or approve: false/),
      });
    }
  });

  it("errors of tools and models are cut, their details left out", async () => {
    const failing = agent({
      name: "f",
      tools: [
        tool({
          name: "t",
          jsonSchema: {},
          execute: () => {
            throw new Error(huge);
          },
        }),
      ],
    });
    const journal = memoryJournal();
    const detail = { body: "d".repeat(6 * MIB) };
    const end = await run(failing, "go", {
      journal,
      model: {
        name: "m",
        async generate({ messages }, call) {
          if (messages.length > 1) throw new ModelError({ code: huge, message: huge, detail });
          return scriptedModel([{ calls: [{ name: "t" }] }]).generate({ messages } as never, call);
        },
      },
    });
    expect(end.status).toBe("failed");
    const errors = (await eventsIn(journal)).flatMap(({ event }) =>
      "error" in event ? [event.error as object] : [],
    );
    expect(errors).toHaveLength(2);
    for (const error of errors) {
      expect(JSON.stringify(error).length).toBeLessThan(25 * 1024);
      expect(error).toMatchObject({ message: expect.stringContaining("[cut: ") });
    }
  });

  it("a redaction hook that makes an answer too large has it failed, and the journal goes on", async () => {
    const journal = memoryJournal();
    const redact = (value: object) =>
      "type" in value && value.type === "llm.succeeded"
        ? { ...value, content: [{ type: "text", text: huge }] }
        : value;
    const end = await run(desk, "go", { model, journal, redact: redact as never });
    expect(end.status === "failed" && end.error.code).toBe("event.tooLarge");
    expect((await replay(desk, journal)).status).toBe("identical");
  });
});

describe("what a machine asks for", () => {
  const half = "c".repeat(5 * MIB);
  const parent = (input: unknown) => {
    const child = smallReasoner({ initial: "a", states: { a: { type: "final" } } });
    const reasoner = smallReasoner({
      initial: "a",
      states: {
        a: {
          entry: issue({ type: "run", id: "c", reasoner: "child", input }),
          on: { "run.failed": "b", "run.succeeded": "b" },
        },
        b: { type: "final" },
      },
    });
    return { ...reasoner, children: { child } } as unknown as typeof reasoner;
  };

  it("a child's input of two halves settles as failed", async () => {
    const journal = memoryJournal();
    const end = await run(parent({ a: half, b: half }), null, { journal });
    expect(end.status).toBe("done");
    const settled = (await eventsIn(journal)).find(({ event }) => event.type === "run.failed");
    expect(settled?.event).toMatchObject({ error: { code: "event.tooLarge" } });
    expect((await replay(parent({ a: half, b: half }), journal)).status).toBe("identical");
  });

  const large = {
    "a text of 9 MiB": "t".repeat(9 * MIB),
    "a text that is longer as JSON": "\n".repeat(4.5 * MIB),
    "an array of short entries": Array.from({ length: 1_500_000 }, (_, i) => i),
  };
  it.each(Object.entries(large))("%s ends the run as failed", async (_name, value) => {
    const asks = smallReasoner({
      initial: "a",
      states: {
        a: {
          on: { go: { actions: issue({ type: "tool", id: "t", name: "x", input: { value } }) } },
        },
      },
    });
    const journal = memoryJournal();
    const live = run(asks, null, { journal });
    live.send({ type: "go" });
    const end = await live;
    expect(end).toMatchObject({ status: "failed", error: { code: "machine.tooLarge" } });
    expect(end.state.fault?.place).toContain("directive 0: tool.input");
    expect((await replay(asks, journal)).status).toBe("identical");
  });

  it.each(Object.entries(large))("%s as the output as well", async (_name, value) => {
    const ends = smallReasoner({
      initial: "a",
      context: () => ({ output: value }),
      states: { a: { on: { go: "b" } }, b: { type: "final" } },
    });
    const journal = memoryJournal();
    const live = run(ends, null, { journal });
    live.send({ type: "go" });
    const end = await live;
    expect(end).toMatchObject({ status: "failed", error: { code: "machine.tooLarge" } });
    expect((await replay(ends, journal)).status).toBe("identical");
  });
});
