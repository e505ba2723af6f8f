// An interrupt ends a turn and not the run; a drain leaves a run to another process.
import { describe, expect, it } from "vitest";
import { toArray } from "../../../../src/core/kernel/values/index.js";
import { type AgentContext, agent, agentTool, tool } from "../../../../src/index.js";
import { defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import {
  type ModelPort,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  scriptedModel,
  type VirtualClock,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { messagesOf, transcriptFault } from "../../../support/agent-events.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

/** A model that streams some text and never ends, unless it is stopped; then it answers. */
function streaming(pieces: readonly string[], then = "done") {
  const seen = { aborted: 0, asked: 0 };
  const model: ModelPort = {
    name: "streaming",
    generate(_request, { onDelta, signal }) {
      seen.asked += 1;
      if (seen.asked > 1) {
        return Promise.resolve({
          content: [{ type: "text", text: then }],
          finishReason: "stop",
          usage: {},
        });
      }
      for (const text of pieces) onDelta({ type: "text", text });
      onDelta({ type: "tool-input", text: '{"half', toolCallId: "c", toolName: "t" });
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          seen.aborted += 1;
          reject(signal.reason);
        });
      });
    },
  };
  return { model, seen };
}

const chat = (more: object = {}) => agent({ name: "chat", conversation: true, ...more });
const until = async (live: AsyncIterable<Observation>, is: (each: Observation) => boolean) => {
  for await (const each of live) if (is(each)) return;
};
/** Moves a clock, and lets what it woke go on. */
async function advance(clock: VirtualClock, ms: number) {
  clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
}
const isDelta = ({ type }: Observation) => type === "delta";
const started = (id: string) => (each: Observation) => each.type === "started" && each.id === id;

describe("a turn while the model writes", () => {
  it("ends with what had streamed; the conversation waits and goes on", async () => {
    const { model, seen } = streaming(["The ans", "wer is"]);
    const journal = memoryJournal();
    const live = run(chat(), "hello", { model, journal, runId: "r" });
    await until(live, isDelta);
    live.interrupt("enough");
    const end = await live;
    expect(seen.aborted).toBe(1);
    expect(end).toMatchObject({ status: "waiting", reason: "ready", usage: { requests: 1 } });
    expect(messagesOf(end.context).map(({ content }) => content)).toEqual([
      "hello",
      [{ type: "text", text: "The answer is" }],
    ]);
    expect(await textIn(journal)).toContain('"reason":"enough"');
    expect(transcriptFault(messagesOf(end.context))).toBeUndefined();
    const next = await resume(chat(), journal, { model, messages: ["go on"] });
    expect(next).toMatchObject({ status: "waiting", output: "done" });
    expect(await replay(chat(), journal)).toMatchObject({ status: "identical" });
  });

  it("goes on at once with what the user said meanwhile", async () => {
    const { model } = streaming(["Well"]);
    const live = run(chat(), "hello", { model, journal: memoryJournal() });
    await until(live, isDelta);
    live.message("something else");
    live.interrupt();
    expect(await live).toMatchObject({ status: "waiting", output: "done" });
  });

  it("of no conversation ends the run as interrupted", async () => {
    const { model } = streaming(["Well"]);
    const live = run(agent({ name: "a" }), "hello", { model });
    await until(live, isDelta);
    live.interrupt();
    expect(await live).toMatchObject({ status: "cancelled", reason: "interrupted" });
  });

  it("keeps nothing that redaction removes, in no byte", async () => {
    const { model } = streaming(["my sec", "ret is out"]);
    const journal = memoryJournal();
    const redact = (value: object) =>
      JSON.parse(JSON.stringify(value).replaceAll("secret", "[gone]"));
    const live = run(chat(), "hello", { model, journal, redact });
    await until(live, isDelta);
    live.interrupt();
    await live;
    const text = await textIn(journal);
    expect(text).toContain("my [gone] is out");
    expect(text).not.toContain("secret");
  });

  it("before the run has begun asks nobody", async () => {
    const { model, seen } = streaming(["Well"]);
    const live = run(chat(), "hello", { model, journal: memoryJournal() });
    live.interrupt();
    expect(await live).toMatchObject({
      status: "waiting",
      reason: "ready",
      usage: { requests: 0 },
    });
    expect(seen.asked).toBe(0);
  });

  it("twice is once, and after the rest it is nothing", async () => {
    const { model } = streaming(["Well"]);
    const journal = memoryJournal();
    const live = run(chat(), "hello", { model, journal });
    await until(live, isDelta);
    live.interrupt("one");
    live.interrupt("two");
    await live;
    // In its mark while the model is stopped, and in the event.
    expect((await textIn(journal)).match(/"reason":"\w+"/g)).toEqual(
      Array(2).fill('"reason":"one"'),
    );
    await live.interrupt();
  });
});

describe("a turn while tools run", () => {
  function working() {
    const clock = virtualClock(0);
    const slow = (name: string, ms: number) =>
      tool({
        name,
        execute: (_input, { signal }) => clock.sleep(ms, signal as never).then(() => name),
      });
    const model = scriptedModel([{ calls: [{ name: "quick" }, { name: "slow" }] }, "next"]);
    const one = chat({ tools: [slow("quick", 10), slow("slow", 1_000)] });
    return { clock, model, one };
  }

  const statuses = ({ toolCalls }: AgentContext) => toArray(toolCalls).map(({ status }) => status);

  it("gives them no time by default: they are unknown", async () => {
    const { clock, model, one } = working();
    const journal = memoryJournal();
    const live = run(one, "go", { model, clock, journal });
    await until(live, started("tool/0/1"));
    live.interrupt();
    const end = await live;
    expect(end).toMatchObject({ status: "waiting", reason: "ready" });
    expect(statuses(end.context)).toEqual(["unknown", "unknown"]);
    expect(transcriptFault(messagesOf(end.context))).toBeUndefined();
    expect(await replay(one, journal)).toMatchObject({ status: "identical" });
  });

  it("gives them the grace that is asked for; the rest is unknown", async () => {
    const { clock, model, one } = working();
    const journal = memoryJournal();
    const live = run(one, "go", { model, clock, journal });
    await until(live, started("tool/0/1"));
    live.interrupt("stop", { graceMs: 100 });
    await advance(clock, 50);
    await advance(clock, 100);
    const end = await live;
    expect(statuses(end.context)).toEqual(["succeeded", "unknown"]);
    expect(end.usage).toMatchObject({ requests: 1 });
    expect(clock.sleepers).toBe(0);
    expect(await replay(one, journal)).toMatchObject({ status: "identical" });
  });

  it("does not wait longer than they need, and asks the model nothing more", async () => {
    const { clock, model, one } = working();
    const live = run(one, "go", { model, clock, journal: memoryJournal() });
    await until(live, started("tool/0/1"));
    live.interrupt("stop", { graceMs: 60_000 });
    await advance(clock, 2_000);
    const end = await live;
    expect(statuses(end.context)).toEqual(["succeeded", "succeeded"]);
    expect(end).toMatchObject({ reason: "ready", usage: { requests: 1 } });
    expect(end.context.usage.requests).toBe(1);
  });
});

it("open approvals are cancelled", async () => {
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const model = scriptedModel([{ calls: [{ name: "pay" }] }, "next"]);
  const one = chat({ tools: [pay] });
  let asked = () => {};
  const asking = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let aborted = false;
  const live = run(one, "go", {
    model,
    journal: memoryJournal(),
    approve: (_approval, { signal }) => {
      asked();
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    },
  });
  await asking;
  live.interrupt();
  const end = await live;
  expect(end).toMatchObject({ status: "waiting", reason: "ready", approvals: [] });
  expect(aborted).toBe(true);
  expect(transcriptFault(messagesOf(end.context))).toBeUndefined();
});

it("a child run is cancelled, and the transcript is valid", async () => {
  const { model: childModel } = streaming(["child"]);
  const child = agent({ name: "child", model: "child" });
  const parent = chat({ tools: [agentTool(child, { name: "ask" })], model: "parent" });
  const model = {
    child: childModel,
    parent: scriptedModel([{ calls: [{ name: "ask", input: { prompt: "x" } }] }, "next"]),
  };
  const live = run(parent, "go", { model, journal: memoryJournal() });
  await until(
    live,
    ({ type, ...rest }) => type === "child" && JSON.stringify(rest).includes("delta"),
  );
  live.interrupt();
  const end = await live;
  expect(end).toMatchObject({ status: "waiting", reason: "ready" });
  expect(transcriptFault(messagesOf(end.context))).toBeUndefined();
});

it("a machine that does not know interrupts says so, and nothing is recorded", async () => {
  const { createMachine } = setupReasoner<Record<string, never>, null>();
  const machine = createMachine({
    context: {},
    initial: "a",
    states: { a: { on: { message: {} } } },
  });
  const reasoner = defineReasoner({ id: "m", machine });
  const clock = virtualClock(0);
  const approve = () => new Promise<never>(() => {});
  const journal = memoryJournal();
  const live = run(reasoner, null, { journal, clock, approve });
  const seen: string[] = [];
  for await (const each of live) {
    if (each.type !== "step") continue;
    seen.push(each.event.type);
    expect((await rejection(live.interrupt())).code).toBe("run.notInterruptible");
  }
  expect(seen).toEqual(["start"]);
  // It waits: there is no turn to end.
  live.interrupt();
  expect(await textIn(journal)).not.toContain("interrupt");
  expect((await rejection(live.interrupt("x", { graceMs: -1 }))).code).toBe("event.invalid");
  expect((await rejection(live.interrupt("x", null as never))).code).toBe("event.invalid");
  expect((await rejection(live.interrupt("x", { grace: 5 } as never))).message).toBe(
    "interrupt: grace is not a part of it; graceMs is.",
  );
});

describe("a drain", () => {
  it("lets what runs settle, begins nothing more, and another process goes on", async () => {
    const clock = virtualClock(0);
    const ran: string[] = [];
    const work = tool({
      name: "work",
      execute: async (_input, { id }) => {
        await clock.sleep(10);
        ran.push(id);
        return "worked";
      },
    });
    const model = scriptedModel([{ calls: [{ name: "work" }] }, "all done"]);
    const one = agent({ name: "a", tools: [work] });
    const journal = memoryJournal();
    const live = run(one, "go", { model, clock, journal });
    await until(live, started("tool/0/0"));
    const drained = live.drain(1_000);
    await advance(clock, 20);
    expect(await drained).toMatchObject({ status: "waiting", reason: "drained", drained: true });
    expect(ran).toEqual(["tool/0/0"]);
    expect(clock.sleepers).toBe(0);
    const end = await resume(one, journal, { model, clock });
    expect(end).toMatchObject({ status: "done", output: "all done" });
    expect(ran).toEqual(["tool/0/0"]);
    expect(await replay(one, journal)).toMatchObject({ status: "identical" });
  });

  it("waits no longer than it is given: a model is asked again, a tool is unknown", async () => {
    const clock = virtualClock(0);
    const never = tool({ name: "never", execute: () => new Promise(() => {}) });
    const model = scriptedModel([{ calls: [{ name: "never" }] }, "all done"]);
    const one = agent({ name: "a", tools: [never] });
    const journal = memoryJournal();
    const live = run(one, "go", { model, clock, journal });
    await until(live, started("tool/0/0"));
    const drained = live.drain(100);
    await advance(clock, 200);
    expect(await drained).toMatchObject({ reason: "drained" });
    const end = await resume(one, journal, { model, clock });
    expect(end).toMatchObject({ status: "done" });
    expect(JSON.stringify(messagesOf(end.context))).toContain("interrupted after it had started");
  });

  it("reaches children, which go on with their parent", async () => {
    const { model: childModel, seen } = streaming(["child"], "child done");
    const child = agent({ name: "child", model: "child" });
    const parent = agent({
      name: "p",
      tools: [agentTool(child, { name: "ask" })],
      model: "parent",
    });
    const model = {
      child: childModel,
      parent: scriptedModel([{ calls: [{ name: "ask", input: { prompt: "x" } }] }, "parent done"]),
    };
    const journal = memoryJournal();
    const live = run(parent, "go", { model, journal });
    await until(
      live,
      ({ type, ...rest }) => type === "child" && JSON.stringify(rest).includes("delta"),
    );
    expect(await live.drain()).toMatchObject({ status: "waiting", reason: "drained" });
    expect(seen.aborted).toBe(1);
    const end = await resume(parent, journal, { model });
    expect(end).toMatchObject({ status: "done", output: "parent done" });
  });
});
