// A model that is down ends no run that somebody can resume: its call stays outstanding, and is made again.
import { describe, expect, it } from "vitest";
import { agent, agentTool, tool } from "../../../../src/index.js";
import {
  type HostOptions,
  ModelError,
  type ModelPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  summaryOf,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { settle } from "../../../support/watched-journal.js";

const one = agent({ name: "a" });
const pay = tool({ name: "pay", execute: () => new Promise(() => {}) });
const chat = agent({ name: "chat", conversation: true });

/** A model that is down for so many calls; and how often it was asked. */
function downFor(calls: number, error: () => Error = () => new Error("no key")) {
  const good = scriptedModel(() => "here again");
  const asked = { times: 0 };
  const model: ModelPort = {
    name: "m",
    generate: (request, call) => {
      asked.times += 1;
      if (asked.times <= calls) throw error();
      return good.generate(request, call);
    },
  };
  return { model, asked };
}

const wait = { modelDown: "wait", retry: { attempts: 1 } } as const;
const transient = () => new ModelError({ code: "llm.failed", message: "503", transient: true });

it("a port whose answer is none is not down: its call has failed", async () => {
  const model = { name: "m", generate: async () => ({ content: "text" }) as never };
  const end = await run(one, "go", { ...wait, model, journal: textJournal("") });
  expect(end).toMatchObject({ status: "failed", error: { code: "llm.failed" } });
});

describe("a run that waits for its model", () => {
  it("keeps no word of the error that the hook takes out, and none at all where the hook throws", async () => {
    const { model } = downFor(9, () => new Error("refused for Ada Lovelace"));
    const hide = (value: { type: string }) =>
      JSON.parse(JSON.stringify(value).replaceAll("Ada Lovelace", "[name]"));
    const journal = textJournal("");
    const end = await run(one, "go", { ...wait, model, journal, redact: hide as never });
    expect(end).toMatchObject({ modelDown: { message: "refused for [name]" } });
    expect(journal.text).not.toContain("Ada");
    const thrown = textJournal("");
    const redact = (value: { type: string }) => {
      if (value.type === "retry") throw new Error("no hook today");
      return value;
    };
    const other = await run(one, "go", {
      ...wait,
      model,
      journal: thrown,
      redact: redact as never,
    });
    expect(other).toMatchObject({ status: "waiting", modelDown: { code: "llm.failed" } });
    expect(thrown.text).not.toContain("Ada");
  });

  it("names an error of the language in its mark, its end and its row", async () => {
    const { model } = downFor(9, () => new TypeError("x is not a function"));
    const journal = textJournal("");
    const message = "TypeError: x is not a function";
    const end = await run(one, "go", { ...wait, model, journal });
    expect(end).toMatchObject({ status: "waiting", modelDown: { code: "llm.failed", message } });
    expect(journal.text).toContain(`"message":"${message}"`);
    expect((await summaryOf(journal)).modelDown).toMatchObject({ message });
    const failed = await run(one, "go", { model, modelDown: "fail", retry: { attempts: 1 } });
    expect(failed).toMatchObject({ status: "failed", error: { message } });
  });

  it("is answered by hand: the deadline has stood still, and what was paid counts", async () => {
    const look = tool({ name: "look", execute: () => "seen" });
    const timed = agent({ name: "timed", deadlineMs: 1_000, tools: [look] });
    const { model } = downFor(1, () => transient());
    const journal = textJournal("");
    const first = await run(timed, "go", { ...wait, model, journal, clock: virtualClock(0) });
    expect(first).toMatchObject({ status: "waiting", modelDown: { message: "503" } });
    const content = [{ type: "tool-call", toolCallId: "c", toolName: "look", input: {} }];
    const usage = { inputTokens: 3 };
    const answer = { type: "llm.succeeded", content, finishReason: "tool-calls", usage, by: "me" };
    const end = await resume(timed, journal, {
      ...wait,
      model,
      clock: virtualClock(3_600_000),
      settle: [{ id: "llm/0", settlement: answer }],
    });
    expect(end).toMatchObject({ status: "done", output: "here again" });
    const settled = (await linesIn(journal)).find(
      (line) => (line as { event?: { type: string } }).event?.type === "llm.succeeded",
    );
    expect(settled).toMatchObject({ event: { waitedMs: 3_600_000, usage: { inputTokens: 3 } } });
    expect((await replay(timed, journal)).status).toBe("identical");
  });

  it("refuses to be ended in the middle of its turn, and says what to do", async () => {
    const journal = textJournal("");
    const { model } = downFor(9);
    const end = [{ type: "conversation.end" }];
    expect((await run(chat, "go", { ...wait, model, journal })).status).toBe("waiting");
    const error = await rejection(resume(chat, journal, { ...wait, model, events: end }));
    expect(error).toMatchObject({ code: "conversation.busy" });
    const live = resume(chat, journal, { ...wait, model });
    live.interrupt("enough");
    expect(await live).toMatchObject({ status: "waiting", reason: "ready" });
    expect(await resume(chat, journal, { model, events: end })).toMatchObject({ status: "done" });
  });

  it("is one whose journal lasts, where nothing is said; one in memory has failed", async () => {
    const retry = { attempts: 1 };
    const lasting = textJournal("");
    const down = downFor(1);
    const first = await run(one, "go", { model: down.model, retry, journal: lasting });
    expect(first).toMatchObject({ status: "waiting", modelDown: { message: "no key" } });
    expect(await summaryOf(lasting)).toMatchObject({
      status: "waiting",
      modelDown: { code: "llm.failed", message: "no key" },
    });
    expect(await resume(one, lasting, { model: down.model })).toMatchObject({ status: "done" });
    expect(await summaryOf(lasting)).toMatchObject({ status: "done" });
    expect(await summaryOf(lasting)).not.toHaveProperty("modelDown");
    const told = { model: downFor(1).model, retry, journal: textJournal("") };
    expect((await run(one, "go", { ...told, modelDown: "fail" })).status).toBe("failed");
    for (const journal of [undefined, memoryJournal()]) {
      const end = await run(one, "go", { model: downFor(1).model, retry, journal });
      expect(end.status).toBe("failed");
    }
  });

  it("repeats no credentials: not in its end, its row, its observations or its journal", async () => {
    const secret = "sk-proj-abcDEF1234567890abcDEF1234567890abcDEF12";
    const error = () =>
      new ModelError({ code: "llm.failed", message: `503 of ${secret}`, transient: true });
    const journal = textJournal("");
    const told: unknown[] = [];
    const retry = { attempts: 2, delayMs: 0 };
    const { model } = downFor(9, error);
    const observers = [(each: unknown) => void told.push(each)];
    const end = await run(one, "go", { ...wait, retry, model, journal, observers });
    expect(end).toMatchObject({ modelDown: { message: "503 of [masked]" } });
    expect(await summaryOf(journal)).toMatchObject({ modelDown: { message: "503 of [masked]" } });
    const lines = await linesIn(journal);
    expect(lines.some((line) => JSON.stringify(line).includes("[masked]"))).toBe(true);
    expect(JSON.stringify([lines, told])).not.toContain(secret);
  });

  it("is waiting, says why and until when, and a resume asks at once", async () => {
    const clock = virtualClock(1_000);
    const journal = memoryJournal();
    const { model, asked } = downFor(2);
    const host = { ...wait, model, clock };
    const end = await run(one, "go", { ...host, journal });
    expect(end).toMatchObject({
      status: "waiting",
      modelDown: { code: "llm.failed", message: "no key" },
      wakeAt: 31_000,
      approvals: [],
    });
    // It doubles.
    expect(await resume(one, journal, host)).toMatchObject({ status: "waiting", wakeAt: 61_000 });
    expect(await resume(one, journal, host)).toMatchObject({
      status: "done",
      output: "here again",
    });
    expect(asked.times).toBe(3);
    expect((await replay(one, journal)).status).toBe("identical");
    const marks = (await linesIn(journal)).flatMap((line) => ("mark" in line ? [line.mark] : []));
    expect(marks).toMatchObject([
      { failed: 1, until: 31_000, down: { message: "no key" } },
      { failed: 2, until: 61_000 },
    ]);
  });

  it("sleeps in this process where it is told to", async () => {
    const clock = virtualClock(0);
    const { model, asked } = downFor(3, transient);
    const live = run(one, "go", { ...wait, modelDown: "sleep", model, clock });
    for (let i = 0; i < 10; i++) {
      await settle();
      clock.jump();
    }
    expect(await live).toMatchObject({ status: "done" });
    expect([asked.times, clock.now()]).toEqual([4, 30_000 + 60_000 + 120_000]);
  });

  it("is asked at once when somebody says something, and takes the message along", async () => {
    const clock = virtualClock(0);
    const { model, asked } = downFor(1);
    const journal = memoryJournal();
    const live = run(chat, "hello", { ...wait, modelDown: "sleep", model, clock, journal });
    await settle();
    live.message("are you there?");
    await settle();
    // Once more for the first message, and once for the second.
    expect([asked.times, clock.now()]).toEqual([3, 0]);
    live.cancel();
    await live;
  });

  it.each(["wait", "sleep"] as const)("loses nothing of its deadline (%s)", async (modelDown) => {
    const clock = virtualClock(0);
    const hurried = agent({ name: "hurried", deadlineMs: 5_000 });
    const journal = memoryJournal();
    const { model } = downFor(3);
    const host = { ...wait, modelDown, model, clock };
    let end = run(hurried, "go", { ...host, journal });
    if (modelDown === "wait") {
      // The deadline is no moment to wake for.
      expect(await end).toMatchObject({ status: "waiting", wakeAt: 30_000 });
      clock.advance(60_000);
      expect(await resume(hurried, journal, host)).toMatchObject({ wakeAt: 120_000 });
      clock.advance(600_000);
      expect(await resume(hurried, journal, host)).toMatchObject({ wakeAt: 780_000 });
      end = resume(hurried, journal, host);
    } else {
      for (let i = 0; i < 10; i++) {
        await settle();
        clock.jump();
      }
    }
    expect(await end).toMatchObject({ status: "done", output: "here again" });
    expect((await replay(hurried, journal)).status).toBe("identical");
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line ? [line.event] : [],
    );
    const waitedMs = modelDown === "wait" ? 660_000 : 210_000;
    expect(events.at(-1)).toMatchObject({ type: "llm.succeeded", waitedMs });
  });

  it("is over where its next attempt is late: its deadline goes on from where it stood", async () => {
    const clock = virtualClock(0);
    const hurried = agent({ name: "hurried", deadlineMs: 5_000, tools: [pay] });
    const calls = scriptedModel([{ calls: [{ name: "pay" }] }, "paid"]);
    let down = 1;
    const generate: ModelPort["generate"] = async (request, call) => {
      if (down-- > 0) throw transient();
      return calls.generate(request, call);
    };
    const host = { ...wait, clock, model: { name: "m", generate } };
    const journal = memoryJournal();
    await run(hurried, "go", { ...host, journal });
    clock.advance(60_000);
    const live = resume(hurried, journal, host);
    await settle();
    clock.advance(4_999);
    await settle();
    clock.advance(1);
    expect(await live).toMatchObject({ status: "failed", error: { code: "agent.deadline" } });
  });

  it("takes a day of attempts, and then waits for whoever resumes it", async () => {
    const clock = virtualClock(0);
    const { model, asked } = downFor(1_000);
    const journal = memoryJournal();
    const live = run(one, "go", { ...wait, modelDown: "sleep", model, clock, journal });
    let isOver = false;
    void live.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await settle();
      clock.jump();
    }
    const end = await live;
    expect(end).toMatchObject({ status: "waiting", modelDown: { code: "llm.failed" } });
    expect("wakeAt" in end).toBe(false);
    expect(asked.times).toBe(149);
    expect(clock.now() / 3_600_000).toBeCloseTo(24, 0);
  });

  it("of its child is waited for with it", async () => {
    const helper = agentTool(agent({ name: "helper" }), { name: "helper" });
    const parent = agent({ name: "parent", tools: [helper] });
    const down = downFor(1).model;
    let asked = 0;
    const calls = scriptedModel([{ calls: [{ name: "helper", input: { prompt: "x" } }] }, "done"]);
    const model: ModelPort = {
      name: "m",
      generate: (request, call) =>
        (++asked === 2 || asked === 3 ? down : calls).generate(request, call),
    };
    const journal = memoryJournal();
    const host = { ...wait, model, clock: virtualClock(0), timers: "return" } as const;
    expect(await run(parent, "go", { ...host, journal })).toMatchObject({
      status: "waiting",
      wakeAt: 30_000,
    });
    expect(await resume(parent, journal, host)).toMatchObject({ status: "done", output: "done" });
  });

  it.each([
    ["a refused key", { status: 401 }],
    ["a wrong name", { status: 404 }],
    ["a quota that is spent", { status: 429, transient: false }],
    ["a port that says it does not pass", { transient: false }],
  ])("does not wait for %s", async (_what, more) => {
    const error = () => new ModelError({ code: "llm.failed", message: "no", ...more });
    const { model } = downFor(9, error);
    const end = await run(one, "go", { ...wait, model, journal: memoryJournal() });
    expect(end.status).toBe("failed");
  });

  it("by default does not wait at all", async () => {
    const { model } = downFor(9);
    const host: HostOptions = { model, retry: { attempts: 1 } };
    expect((await run(one, "go", { ...host, journal: memoryJournal() })).status).toBe("failed");
  });
});
