// How long an interrupt waits: as it was told, from the moment at which it was said, whatever is being
// written meanwhile, and whether or not a tool heeds its signal.
import { describe, expect, it } from "vitest";
import { type AgentContext, agent, tool } from "../../../../src/index.js";
import {
  type InterruptOptions,
  memoryJournal,
  replay,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { messagesOf, transcriptFault } from "../../../support/agent-events.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

/** An agent with a tool that ends when its gate is opened, and never heeds its signal. */
function deaf() {
  const held = gate();
  const signals: { readonly aborted: boolean }[] = [];
  const slow = tool({
    name: "slow",
    execute: (_input, { signal }) => {
      signals.push(signal);
      return held.passed.then(() => "late");
    },
  });
  const model = scriptedModel([{ calls: [{ name: "slow" }] }, "done"]);
  const one = agent({ name: "a", tools: [slow], conversation: true });
  return { one, model, held, signals, clock: virtualClock(0) };
}

const said = (end: { readonly context: AgentContext }) => JSON.stringify(messagesOf(end.context));

describe("an interrupt over a tool that ignores its signal", () => {
  it.each<[string, InterruptOptions | undefined]>([
    ["no options", undefined],
    ["no grace", {}],
    ["a grace that is undefined", { graceMs: undefined }],
    ["a grace of 0", { graceMs: 0 }],
  ])("with %s ends the turn at once", async (_what, options) => {
    const { one, model, signals, clock } = deaf();
    const journal = memoryJournal();
    const live = run(one, "go", { model, journal, clock });
    await settle();
    live.interrupt("stop", options);
    const end = await live;
    expect([end.status, end.reason, signals[0]?.aborted]).toEqual(["waiting", "ready", true]);
    expect(clock.sleepers).toBe(0);
    expect(said(end)).toContain("interrupted after it had started");
    expect(transcriptFault(messagesOf(end.context))).toBeUndefined();
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("whose grace is over while a line is written ends the turn when that is durable", async () => {
    const { one, model, clock } = deaf();
    const journal = watchedJournal();
    const writing = gate();
    const live = run(one, "go", { model, journal, clock });
    await settle();
    await settle();
    journal.before = (lines) => (lines.join().includes('"message"') ? writing.passed : undefined);
    live.message("by the way");
    await settle();
    live.interrupt("stop", { graceMs: 100 });
    clock.advance(100);
    await settle();
    writing.open();
    const end = await live;
    expect(end.status).toBe("waiting");
    expect(said(end)).toContain("interrupted after it had started");
    const types = (await journal.lines()).flatMap(
      ({ event }) => (event as { readonly type: string } | undefined)?.type ?? [],
    );
    expect(types.slice(0, 4)).toEqual(["start", "llm.succeeded", "message", "interrupt"]);
    expect(clock.sleepers).toBe(0);
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("that has all the time there is ends it when the tool has settled, and keeps what came", async () => {
    const { one, model, held, clock } = deaf();
    const live = run(one, "go", { model, clock });
    await settle();
    live.interrupt("stop", { graceMs: Number.POSITIVE_INFINITY });
    clock.advance(29_999);
    await settle();
    held.open();
    const end = await live;
    expect([end.reason, clock.sleepers]).toEqual(["ready", 0]);
    expect(said(end)).toContain("late");
  });

  it("twice ends it with the shorter of the two", async () => {
    const { one, model, clock } = deaf();
    const live = run(one, "go", { model, clock });
    await settle();
    live.interrupt("stop", { graceMs: 1_000 });
    await settle();
    live.interrupt("now");
    const end = await live;
    expect([end.reason, clock.now(), clock.sleepers]).toEqual(["ready", 0, 0]);
    expect(said(end)).toContain("interrupted after it had started");
  });
});
