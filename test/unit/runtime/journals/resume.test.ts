// Resume after a kill: nothing that was settled is repeated, and what is owed is carried out.

import { describe, expect, it } from "vitest";
import { agent, contextUpdate, tool, withUpdate } from "../../../../src/index.js";
import {
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { killedAfter } from "../../../support/watched-journal.js";

/** An agent of three turns; `ran` is what its tools have done, and how often the model was asked. */
function counter() {
  const ran: string[] = [];
  const make = (name: string, more: object = {}) =>
    tool({
      name,
      execute: (_input, ctx) => {
        ran.push(ctx.idempotencyKey);
        return withUpdate(name, contextUpdate().increment(name));
      },
      ...more,
    });
  const script = scriptedModel([
    { calls: [{ name: "once" }, { name: "again" }] },
    { calls: [{ name: "once" }] },
    "done",
  ]);
  const model = {
    name: "counted",
    generate: (...[request, call]: Parameters<typeof script.generate>) => {
      ran.push(`llm ${request.messages.length}`);
      return script.generate(request, call);
    },
  };
  const tools = [make("once"), make("again", { idempotent: true })];
  return { one: agent({ name: "counter", tools }), model, ran };
}

/** The journal of a whole run. */
async function whole() {
  const { one, model } = counter();
  const journal = memoryJournal();
  const end = await run(one, "go", { model, journal, runId: "r" });
  return { journal, end, lines: (await textIn(journal)).trimEnd().split("\n") };
}

describe("a run that was killed", () => {
  it("after any line resumes to the same end, and settles every call", async () => {
    const { journal, end, lines } = await whole();
    for (let cut = 1; cut < lines.length; cut++) {
      const rest = await killedAfter(journal, cut);
      const { one, model, ran } = counter();
      const again = await resume(one, rest, { model });
      expect([cut, again.status, "output" in again && again.output]).toEqual([cut, "done", "done"]);
      expect(again.context.toolCalls["@list"]).toBe(end.context.toolCalls["@list"]);
      expect((await replay(one, rest)).status).toBe("identical");
      const settledBefore = lines
        .slice(0, cut)
        .map((line) => JSON.parse(line).event)
        .filter((event) => event?.type === "tool.succeeded")
        .map((event) => `r:${event.id}`);
      for (const key of settledBefore) expect(ran).not.toContain(key);
    }
  });

  it("does not run a tool again that had started, but where it says that it may", async () => {
    const { journal } = await whole();
    const rest = await killedAfter(journal, 3);
    const { one, model, ran } = counter();
    const end = await resume(one, rest, { model });
    expect(ran.filter((key) => key.startsWith("r:tool/0"))).toEqual(["r:tool/0/1"]);
    const [first] = (await rest.lines()).filter(
      (line) => (line.event as { id?: string } | undefined)?.id === "tool/0/0",
    );
    expect(first?.event).toMatchObject({
      type: "tool.failed",
      reason: "unknown",
      error: {
        code: "tool.unknown",
        message: "The process ended while tool once ran (attempt 1).",
      },
    });
    expect(end.context.deps).toEqual({ again: 1, once: 1 });
  });

  it("runs a tool that was issued and had not started", async () => {
    // With one place the second tool waits: its mark is not in the event line.
    const { one, model } = counter();
    const journal = memoryJournal();
    await run(one, "go", { model, journal, runId: "r", concurrency: 1 });
    const rest = await killedAfter(journal, 3);
    const second = counter();
    await resume(second.one, rest, { model: second.model, concurrency: 1 });
    expect(second.ran).toContain("r:tool/0/1");
    expect(second.ran).not.toContain("r:tool/0/0");
  });

  it("does not start a tool once more than its retries allow", async () => {
    const { one, model } = counter();
    const journal = memoryJournal();
    await run(one, "go", { model, journal, runId: "r" });
    let rest = await killedAfter(journal, 3);
    // The idempotent tool starts again, and then the process is killed again before it settles.
    const again = counter();
    const killed = await resume(again.one, rest, { model: again.model });
    expect(killed.status).toBe("done");
    const lines = (await textIn(rest)).split("\n");
    const mark = lines.findIndex((line) => line.includes('"mark":{"id":"tool/0/1","attempt":2'));
    expect(mark).toBeGreaterThan(0);
    rest = await killedAfter(rest, mark + 1);
    const third = counter();
    await resume(third.one, rest, { model: third.model });
    expect(third.ran).not.toContain("r:tool/0/1");
  });

  it("before its start was recorded begins from its header", async () => {
    const { journal } = await whole();
    const rest = await killedAfter(journal, 1);
    const { one, model, ran } = counter();
    expect((await resume(one, rest, { model })).status).toBe("done");
    expect(ran[0]).toBe("llm 1");
  });

  it("asks a model again that had not answered", async () => {
    const { journal } = await whole();
    const { one, model, ran } = counter();
    await resume(one, await killedAfter(journal, 2), { model });
    expect(ran[0]).toBe("llm 1");
  });
});

describe("a run that has ended", () => {
  it("gives its end again, runs nothing and writes nothing", async () => {
    const { journal, end } = await whole();
    const before = await textIn(journal);
    const { one, model, ran } = counter();
    const again = await resume(one, journal, { model });
    expect(again).toMatchObject({ status: "done", output: "done", events: end.events });
    expect(again.state).toEqual(end.state);
    expect([ran, await textIn(journal)]).toEqual([[], before]);
  });

  it("takes no message", async () => {
    const { journal } = await whole();
    const { one, model } = counter();
    const error = await rejection(resume(one, journal, { model, messages: ["more"] }));
    expect(error.code).toBe("run.ended");
  });
});

describe("what cannot be resumed is refused, and left as it is", () => {
  it("a journal that is not there, or empty", async () => {
    const { one } = counter();
    expect((await rejection(resume(one, memoryJournal()))).code).toBe("journal.missing");
  });

  it("a journal of another reasoner", async () => {
    const { journal } = await whole();
    const { defineReasoner, setupReasoner } = await import("../../../../src/kernel.js");
    const machine = setupReasoner<Record<string, never>, null>().createMachine({ context: {} });
    const other = defineReasoner({ id: "other", machine });
    expect((await rejection(resume(other, journal))).code).toBe("journal.reasoner");
  });

  it("a journal that the present code would have written otherwise, with both values", async () => {
    // Without its snapshots: what it did has to be done again to know.
    const journal = await killedAfter((await whole()).journal, (await whole()).lines.length);
    const before = await textIn(journal);
    const changed = agent({
      name: "counter",
      system: "Be brief.",
      tools: Object.values(counter().one.tools),
    });
    const { fingerprint } = counter().one;
    expect((await rejection(resume(changed, journal))).code).toBe("journal.configuration");
    const error = await rejection(resume({ ...changed, fingerprint }, journal));
    expect(error.code).toBe("journal.diverged");
    expect(error.message).toMatch(
      /directives\[0\]\.system: recorded nothing, computed "Be brief\."/,
    );
    expect(await textIn(journal)).toBe(before);
  });

  it("a changed line, by its number", async () => {
    const { lines } = await whole();
    const copy = memoryJournal();
    const writer = await copy.open("create");
    const changed = lines.map((line, i) => (i === 2 ? line.replace("llm", "LLM") : line));
    await writer.append(changed, { lines: 0, bytes: 0 });
    await writer.close();
    expect(await rejection(resume(counter().one, copy))).toMatchObject({
      code: "journal.chain",
      place: "line 3",
    });
  });

  it("a second resume while the first one runs", async () => {
    const { journal } = await whole();
    const rest = await killedAfter(journal, 2);
    const { one, model } = counter();
    const first = resume(one, rest, { model });
    const error = await rejection(resume(one, rest, { model }));
    expect(error.code).toBe("journal.locked");
    expect((await first).status).toBe("done");
    expect((await resume(one, rest, { model })).status).toBe("done");
  });
});
