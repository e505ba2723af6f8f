// Who begins to observe in the middle of a model's message is told what was missed of it, once and
// in one piece; and of nothing that is over.
import { describe, expect, it } from "vitest";
import { agent, agentTool } from "../../../../src/index.js";
import {
  type ModelCall,
  ModelError,
  type ModelPort,
  type ModelResponse,
  type Observation,
  type Run,
  type RunOptions,
  run,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { settle } from "../../../support/watched-journal.js";

const answer: ModelResponse = {
  content: [{ type: "text", text: "hello" }],
  finishReason: "stop",
  usage: {},
};

/** A model whose calls a test answers by hand. */
function byHand() {
  const calls: (ModelCall & { resolve(answer: ModelResponse): void; reject(e: Error): void })[] =
    [];
  const model: ModelPort = {
    name: "m",
    generate: (_request, call) =>
      new Promise((resolve, reject) => {
        calls.push({ ...call, resolve, reject });
      }),
  };
  return { calls, model };
}

/** Begins to observe; the list grows as the run goes on. */
function observing(live: Run): { readonly seen: Observation[]; readonly deltas: unknown[] } {
  const seen: Observation[] = [];
  void (async () => {
    for await (const each of live) seen.push(each);
  })();
  return {
    seen,
    get deltas() {
      return seen.flatMap((each) =>
        each.type === "delta" ? [{ attempt: each.attempt, ...each.delta }] : [],
      );
    },
  };
}
const text = (piece: string) => ({ type: "text", text: piece }) as const;
const input = (toolCallId: string, piece: string) =>
  ({ type: "tool-input", text: piece, toolCallId, toolName: "t" }) as const;

describe("a late observer", () => {
  it("is told what was written, in as few pieces as can be, and then what comes", async () => {
    const { calls, model } = byHand();
    const live = run(agent({ name: "a" }), "go", { model });
    await settle();
    const [call] = calls;
    call?.onDelta({ type: "reasoning", text: "hm" });
    for (const piece of ["he", "l"]) call?.onDelta(text(piece));
    for (const each of [input("c1", '{"a"'), input("c1", ":1}"), input("c2", "{")]) {
      call?.onDelta(each);
    }
    const late = observing(live);
    await settle();
    const missed = [
      { attempt: 1, type: "reasoning", text: "hm" },
      { attempt: 1, ...text("hel") },
      { attempt: 1, ...input("c1", '{"a":1}') },
      { attempt: 1, ...input("c2", "{") },
    ];
    expect(late.deltas).toEqual(missed);
    call?.onDelta(input("c2", "}"));
    await settle();
    expect(late.deltas).toEqual([...missed, { attempt: 1, ...input("c2", "}") }]);
    expect(observing(live).deltas).toEqual([]);
    call?.resolve(answer);
    await live;
  });

  it("is told nothing of a message that is in the transcript, observed or not", async () => {
    const { calls, model } = byHand();
    const live = run(agent({ name: "a", conversation: true }), "go", { model });
    await settle();
    calls[0]?.onDelta(text("hello"));
    live.message("and again");
    calls[0]?.resolve(answer);
    await settle();
    expect(calls).toHaveLength(2);
    const late = observing(live);
    await settle();
    expect(late.deltas).toEqual([]);
    calls[1]?.resolve(answer);
    await live;
  });

  it("is told nothing of an attempt that failed, and the attempts of what it is told", async () => {
    const { calls, model } = byHand();
    const clock = virtualClock();
    const live = run(agent({ name: "a" }), "go", { model, clock });
    await settle();
    calls[0]?.onDelta(text("hel"));
    calls[0]?.reject(new ModelError({ code: "llm.failed", message: "busy", transient: true }));
    await settle();
    const between = observing(live);
    clock.jump();
    await settle();
    expect(between.deltas).toEqual([]);
    calls[1]?.onDelta(text("hello"));
    const late = observing(live);
    await settle();
    expect([between.deltas, late.deltas]).toEqual([
      [{ attempt: 2, ...text("hello") }],
      [{ attempt: 2, ...text("hello") }],
    ]);
    calls[1]?.resolve(answer);
    await live;
  });

  it("is told nothing of a message that was cancelled", async () => {
    const { calls, model } = byHand();
    const live = run(agent({ name: "a" }), "go", { model });
    await settle();
    calls[0]?.onDelta(text("hel"));
    live.cancel();
    await settle();
    expect(observing(live).deltas).toEqual([]);
    await live;
  });

  it("is told nothing of a message that a deadline cut off, and of the next one all", async () => {
    const { calls, model } = byHand();
    const clock = virtualClock();
    const hasty = agent({ name: "a", deadlineMs: 10, onLimit: "answer" });
    const live = run(hasty, "go", { model, clock });
    await settle();
    calls[0]?.onDelta(text("hel"));
    clock.jump();
    await settle();
    expect(calls).toHaveLength(2);
    const before = observing(live);
    calls[1]?.onDelta(text("quick"));
    const late = observing(live);
    await settle();
    const quick = [{ attempt: 1, ...text("quick") }];
    expect([before.deltas, late.deltas]).toEqual([quick, quick]);
    calls[1]?.resolve(answer);
    await live;
  });

  it("is told what is being written all the same when something else happens", async () => {
    const { calls, model } = byHand();
    const live = run(agent({ name: "a" }), "go", { model });
    await settle();
    calls[0]?.onDelta(text("hel"));
    live.message("by the way");
    await settle();
    const late = observing(live);
    await settle();
    expect(late.deltas).toEqual([{ attempt: 1, ...text("hel") }]);
    live.cancel();
    await live;
  });

  it("is told what a child run's model is writing, as the child's", async () => {
    const { calls, model } = byHand();
    const child = agent({ name: "child" });
    const parent = agent({ name: "parent", tools: [agentTool(child, { name: "ask" })] });
    const live = run(parent, "go", { model });
    await settle();
    calls[0]?.resolve({
      ...answer,
      content: [{ type: "tool-call", toolCallId: "c", toolName: "ask", input: { prompt: "x" } }],
    });
    await settle();
    calls[1]?.onDelta(text("from "));
    calls[1]?.onDelta(text("below"));
    const late = observing(live);
    await settle();
    expect(late.seen).toEqual([
      {
        type: "child",
        runId: expect.stringContaining("tool/0/0"),
        observation: { type: "delta", id: "llm/0", attempt: 1, delta: text("from below") },
      },
    ]);
    calls[1]?.resolve(answer);
    await settle();
    const later = observing(live);
    await settle();
    expect(later.seen).toEqual([]);
    calls[2]?.resolve(answer);
    await live;
  });

  it("is told what a redaction hook made of it, and no more", async () => {
    const { calls, model } = byHand();
    const live = run(agent({ name: "a" }), "go", {
      model,
      redact: (value: { readonly type: string; readonly delta?: object }) =>
        value.type === "delta" ? { ...value, delta: { ...value.delta, text: "***" } } : value,
    } as RunOptions);
    await settle();
    calls[0]?.onDelta(text("secret"));
    const late = observing(live);
    await settle();
    expect(JSON.stringify(late.seen)).toContain("***");
    expect(JSON.stringify(late.seen)).not.toContain("secret");
    calls[0]?.resolve(answer);
    await live;
  });

  it("is told nothing that a redaction hook takes out of the whole, though no piece holds it", async () => {
    const { calls, model } = byHand();
    const redact = (value: object) =>
      JSON.parse(JSON.stringify(value).replace(/sk-\d+/g, "[gone]"));
    const child = agent({ name: "child" });
    const parent = agent({ name: "parent", tools: [agentTool(child, { name: "ask" })] });
    const live = run(parent, "go", { model, redact });
    await settle();
    for (const piece of ["the key is s", "k-12", "34."]) calls[0]?.onDelta(text(piece));
    const late = observing(live);
    await settle();
    expect(late.deltas).toEqual([{ attempt: 1, ...text("the key is [gone].") }]);
    calls[0]?.resolve({
      ...answer,
      content: [{ type: "tool-call", toolCallId: "c", toolName: "ask", input: { prompt: "x" } }],
    });
    await settle();
    for (const piece of ["his is s", "k-99"]) calls[1]?.onDelta(text(piece));
    const later = observing(live);
    await settle();
    expect(later.seen).toMatchObject([
      { type: "child", observation: { type: "delta", delta: text("his is [gone]") } },
    ]);
    live.cancel();
    await live;
  });

  it("whose redaction hook fails on the whole is told nothing, and the run is let go of", async () => {
    const { calls, model } = byHand();
    const redact = (value: object) => {
      if (JSON.stringify(value).includes("hello")) throw new Error("no");
      return value;
    };
    const live = run(agent({ name: "a" }), "go", { model, redact });
    await settle();
    for (const piece of ["hel", "lo"]) calls[0]?.onDelta(text(piece));
    const late = live[Symbol.asyncIterator]();
    await expect(late.next()).rejects.toMatchObject({ code: "redaction.refused" });
    await expect(live).rejects.toMatchObject({ code: "redaction.refused" });
  });
  it("is told nothing of a message that was left to another process", async () => {
    const { calls, model } = byHand();
    const live = run(agent({ name: "a" }), "go", { model });
    await settle();
    calls[0]?.onDelta(text("hel"));
    await live.drain();
    const late = observing(live);
    await settle();
    expect(late.seen).toEqual([]);
  });
});
