// A run that waits for a person, and goes on with the decision.

import { describe, expect, it } from "vitest";
import {
  type ApprovalDecision,
  agent,
  type JournalPort,
  toArray,
  tool,
} from "../../../../src/index.js";
import {
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { linesIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { gate, settle } from "../../../support/watched-journal.js";

/** An agent that asks before it removes; `removed` is what its tool has done. */
function remover() {
  const removed: unknown[] = [];
  const remove = tool({
    name: "remove",
    jsonSchema: { type: "object" },
    needsApproval: true,
    execute: (input) => {
      removed.push(input);
      return "gone";
    },
  });
  const model = scriptedModel([
    { calls: [{ name: "remove", input: { path: "a" } }] },
    "done",
    "more",
  ]);
  return { one: agent({ name: "remover", tools: [remove] }), model, removed };
}

/** A journal whose run waits before `approval/0/0`. */
async function waitingRun(): Promise<ReturnType<typeof remover> & { journal: JournalPort }> {
  const made = remover();
  const journal = memoryJournal();
  const end = await run(made.one, "tidy up", { model: made.model, journal });
  expect(end.status).toBe("waiting");
  return { ...made, journal };
}

describe("a run that nobody is there to approve", () => {
  it("waits where there is a journal, and says what has to be decided", async () => {
    const { one, model, removed } = remover();
    const end = await run(one, "tidy up", { model, journal: memoryJournal(), runId: "r" });
    expect(end).toMatchObject({
      status: "waiting",
      runId: "r",
      reason: "acting",
      events: 2,
      approvals: [{ id: "approval/0/0", subject: { tool: "remove", input: { path: "a" } } }],
    });
    expect(removed).toEqual([]);
  });

  it("is denied where there is none, and goes on", async () => {
    const { one, model, removed } = remover();
    const end = await run(one, "tidy up", { model });
    expect([end.status, removed]).toEqual(["done", []]);
  });

  it("is denied by nobody, and the journal says so", async () => {
    const { one, model } = remover();
    const journal = memoryJournal();
    await run(one, "tidy up", { model, journal, unattended: "deny" });
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line ? [line.event] : [],
    );
    expect(events.filter(({ type }) => type === "approval.decided")).toEqual([
      {
        type: "approval.decided",
        id: "approval/0/0",
        approve: false,
        by: "nobody",
        at: expect.any(Number),
      },
    ]);
  });

  it("both can be chosen", async () => {
    const { one, model } = remover();
    expect((await run(one, "x", { model, unattended: "wait" })).status).toBe("waiting");
    const journal = memoryJournal();
    expect((await run(one, "x", { model, journal, unattended: "deny" })).status).toBe("done");
  });
});

describe("resume with a decision", () => {
  const approvals: readonly (readonly [string, ApprovalDecision, readonly unknown[]])[] = [
    ["approve", { approve: true }, [{ path: "a" }]],
    ["reject", { approve: false, reason: "no" }, []],
    ["edit", { approve: true, input: { path: "b" } }, [{ path: "b" }]],
  ];
  for (const [name, decision, expected] of approvals) {
    it(`${name}: the run goes on to its end, and replays`, async () => {
      const { one, model, removed, journal } = await waitingRun();
      const end = await resume(one, journal, { model, approvals: { "approval/0/0": decision } });
      expect(end).toMatchObject({ status: "done", output: "done" });
      expect(removed).toEqual(expected);
      expect((await replay(one, journal)).status).toBe("identical");
    });
  }

  it("without a decision it waits again, and has written nothing", async () => {
    const { one, model, journal } = await waitingRun();
    const before = await textIn(journal);
    expect((await resume(one, journal, { model })).status).toBe("waiting");
    expect(await textIn(journal)).toBe(before);
  });

  it("an approver decides what is waiting", async () => {
    const { one, model, journal, removed } = await waitingRun();
    const end = await resume(one, journal, { model, approve: () => ({ approve: true }) });
    expect([end.status, removed.length]).toEqual(["done", 1]);
  });

  for (const id of ["approval/9/9", "tool/0/0", "llm/0", "constructor"]) {
    it(`a decision for ${id} is refused, and nothing is written`, async () => {
      const { one, model, journal } = await waitingRun();
      const before = await textIn(journal);
      const live = resume(one, journal, { model, approvals: { [id]: { approve: true } } });
      expect(await rejection(live)).toMatchObject({ code: "approval.stale", place: id });
      expect(await textIn(journal)).toBe(before);
      expect((await resume(one, journal, { model })).status).toBe("waiting");
    });
  }

  it("a decision that names no approval is told what the run waits for", async () => {
    const refused = async (count: number) => {
      const ids = Array.from({ length: count }, (_, i) => ({ type: "approval", id: `ask/${i}` }));
      const each = ids.map((one) => ({ ...one, title: "?", subject: null }));
      const entry = issue(...each, { type: "timer", id: "one", until: 10 });
      const desk = smallReasoner({ initial: "a", states: { a: { entry } } });
      const journal = memoryJournal();
      const clock = virtualClock(0);
      await run(desk, null, { journal, clock, timers: "return" });
      const approvals = { other: { approve: true } };
      return (await rejection(resume(desk, journal, { clock, approvals }))).message;
    };
    expect(await refused(0)).toContain("never asked for; the run waits for no approval. Nothing");
    expect(await refused(3)).toContain("; the run waits for ask/0, ask/1, ask/2. Nothing");
    expect(await refused(5)).toContain("; the run waits for ask/0, ask/1, ask/2, 2 more. Nothing");
  });

  it("a second decision is refused", async () => {
    const { one, model, journal } = await waitingRun();
    const approvals = { "approval/0/0": { approve: false } };
    await resume(one, journal, { model, approvals });
    const error = await rejection(resume(one, journal, { model, approvals }));
    expect(error.message).toContain("waiting: its run has ended. Nothing");
  });

  it("a message goes on with the conversation, and the approval still waits", async () => {
    const { one, model, journal } = await waitingRun();
    const end = await resume(one, journal, { model, messages: ["are you there?"] });
    expect(end).toMatchObject({ status: "waiting", events: 3 });
    expect(toArray(end.context.queue)).toEqual([{ role: "user", content: "are you there?" }]);
  });
});

describe("while the run is live", () => {
  it("an approver decides, once for each approval", async () => {
    const { one, model, removed } = remover();
    const asked: string[] = [];
    const end = await run(one, "x", {
      model,
      approve: (approval) => {
        asked.push(approval.id);
        return { approve: true, by: "me" };
      },
    });
    expect([end.status, removed.length, asked]).toEqual(["done", 1, ["approval/0/0"]]);
  });

  it("an approver that throws denies, and the model reads why", async () => {
    const { one, model, removed } = remover();
    const end = await run(one, "x", {
      model,
      approve: () => {
        throw new Error("no terminal");
      },
    });
    expect(removed).toEqual([]);
    expect(JSON.stringify(end.context.messages)).toContain("The approver failed: no terminal");
  });

  it("a decision from elsewhere counts, and the approver that still asks is called off", async () => {
    const { one, model, removed } = remover();
    let signal: AbortSignal | undefined;
    const asked = gate();
    const live = run(one, "x", {
      model,
      approve: (_, call) => {
        signal = call.signal;
        asked.open();
        return new Promise<never>(() => {});
      },
    });
    await asked.passed;
    live.decide("approval/0/0", { approve: true });
    expect((await live).status).toBe("done");
    expect([removed.length, signal?.aborted]).toEqual([1, true]);
  });

  it("a decision that comes too late is refused", async () => {
    const { one, model, removed } = remover();
    const live = run(one, "x", { model, approve: () => ({ approve: false }) });
    const codes: string[] = [];
    for await (const seen of live) {
      if (seen.type !== "step" || seen.event.type !== "approval.decided") continue;
      codes.push((await rejection(live.decide("approval/0/0", { approve: true }))).code);
    }
    expect([(await live).status, removed, codes]).toEqual(["done", [], ["approval.stale"]]);
  });

  it("what is sent to a run that waits is refused", async () => {
    const { one, model } = remover();
    const live = run(one, "x", { model, journal: memoryJournal() });
    await live;
    await settle();
    await expect(live.message("hello?")).rejects.toThrow(/has ended or waits/);
    await live.cancel();
  });
});
