// An attempt that a host of its own carries out: its report is what a driver takes.
import { agent, scriptedModel, tool } from "reckoner";
import { type Attempt, lostReport, perform } from "reckoner/driver";
import { describe, expect, it } from "vitest";

const slow = tool({ name: "slow", execute: () => new Promise(() => {}) });
const throws = tool({
  name: "throws",
  execute: () => {
    throw new Error("no");
  },
});
const helper = agent({ name: "helper" });
const reasoner = { ...agent({ name: "a", tools: [slow, throws] }), children: { helper } };
const attemptOf = (directive: object): Attempt => ({
  run: "",
  through: [],
  id: "x",
  attempt: 2,
  runId: "r",
  directive: { id: "x", ...directive } as never,
  idempotencyKey: "r:x",
  sees: { at: 0, deps: {}, usage: {} as never },
});
const call = (name: string) => attemptOf({ type: "tool", name, input: {} });

describe("perform", () => {
  it("refuses what is no attempt, or no ports, in words", async () => {
    const why = async (...given: readonly unknown[]) =>
      (perform as (...all: readonly unknown[]) => Promise<unknown>)(...given).catch(
        (thrown: { code: string; message: string }) => `${thrown.code} ${thrown.message}`,
      );
    expect(await why({}, { reasoner })).toBe(
      "option.invalid perform: attempt.run is missing; it must be a string.",
    );
    expect(await why(undefined, { reasoner })).toContain("attempt must be an object");
    expect(await why(call("slow"))).toContain("ports must be an object");
    expect(await why(call("slow"), {})).toContain("ports.reasoner is missing");
    expect(await why({ ...call("slow"), directive: 5 }, { reasoner })).toContain(
      "attempt.directive must be an object",
    );
  });

  it.each(["before", "while"])(
    "waits for no approver that does not hear its signal, aborted %s it is asked",
    async (when) => {
      const stop = new AbortController();
      if (when === "before") stop.abort();
      const asked = attemptOf({ type: "approval", title: "?", subject: null });
      const approve = () => new Promise<never>(() => stop.abort());
      expect(await perform(asked, { reasoner, approve }, stop.signal)).toMatchObject({
        type: "stopped",
        id: "x",
      });
    },
  );

  it("reports an attempt of which nobody knows how far it came", () => {
    const write = (store: string) => attemptOf({ type: "write", store, operations: [] });
    const report = { type: "settled", run: "", id: "x", attempt: 2 };
    const error = {
      code: "tool.unknown",
      message: "The process ended while tool slow ran (attempt 2).",
    };
    expect(lostReport(call("slow"))).toEqual({
      ...report,
      settlement: { type: "tool.failed", id: "x", reason: "unknown", error },
    });
    expect(() => lostReport(attemptOf({ type: "llm", messages: [] }))).toThrow(
      'lostReport: attempt.directive.type must be "tool" or "write"',
    );
    expect(lostReport(write("plain"))).toMatchObject({
      ...report,
      settlement: { type: "write.failed", error: { code: "store.unknown" } },
    });
  });

  it("reports an answer with the attempt that it is of", async () => {
    const model = scriptedModel(["Hello."]);
    const asked = attemptOf({ type: "llm", messages: [{ role: "user", content: "Hi" }] });
    expect(await perform(asked, { reasoner, model })).toMatchObject({
      type: "settled",
      run: "",
      id: "x",
      attempt: 2,
      settlement: { type: "llm.succeeded", id: "x" },
    });
  });

  it("reports a throw, and does not wait for a port that ignores its signal", async () => {
    expect(await perform(call("throws"), { reasoner })).toMatchObject({ type: "failed" });
    const abort = new AbortController();
    const stopped = perform(call("slow"), { reasoner }, abort.signal);
    abort.abort();
    expect(await stopped).toEqual({ type: "stopped", run: "", id: "x", attempt: 2 });
    expect(await perform(call("slow"), { reasoner }, abort.signal)).toMatchObject({
      type: "stopped",
    });
  });

  it("asks an approver", async () => {
    const approval = attemptOf({ type: "approval", title: "?", subject: null });
    const approve = () => ({ approve: true });
    expect(await perform(approval, { reasoner, approve })).toMatchObject({
      settlement: { type: "approval.decided", id: "x", approve: true },
    });
  });

  it("calls the tool of the child whose attempt it is", async () => {
    const quick = tool({ name: "quick", execute: () => "done" });
    const child = agent({ name: "child", tools: [quick] });
    const parent = { ...reasoner, children: { helper: { ...helper, children: { child } } } };
    const through = ["helper", "child"];
    expect(await perform({ ...call("quick"), through }, { reasoner: parent })).toMatchObject({
      settlement: { type: "tool.succeeded", output: "done" },
    });
    const nobody = await perform({ ...call("quick"), through: ["nobody"] }, { reasoner: parent });
    expect(nobody).toMatchObject({ settlement: { error: { code: "tool.missing" } } });
  });
});
