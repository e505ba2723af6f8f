// What a person reads while a run goes on.
import { describe, expect, it } from "vitest";
import { RunTeller } from "../../../../src/cli/run/describe-observation.js";
import type {
  Directive,
  IncomingEvent,
  RunEvent,
} from "../../../../src/core/kernel/vocabulary/index.js";
import type { Observation } from "../../../../src/runtime/index.js";

function step(event: IncomingEvent, ...directives: Directive[]): Observation {
  return { type: "step", seq: 1, event: event as RunEvent, directives, state: {} as never };
}

describe("the lines of a run", () => {
  it("name a tool by its id and its name", () => {
    const teller = new RunTeller();
    const content = [
      { type: "text" as const, text: " I look. " },
      { type: "tool-call" as const, toolCallId: "c", toolName: "look", input: { at: "x" } },
    ];
    const answered = { type: "llm.succeeded", id: "llm/0", at: 1, content } as never;
    const asked: Directive = { type: "tool", id: "tool/0/0", name: "look", input: { at: "x" } };
    expect(teller.tell(step(answered, asked))).toBe('llm/0: I look.\n  look {"at":"x"}');
    expect(teller.label("tool/0/0")).toBe("tool/0/0 look");
    const error = { code: "tool.threw", message: "no such place" };
    const failed = { type: "tool.failed", id: "tool/0/0", at: 2, reason: "error", error } as const;
    expect(teller.tell(step(failed))).toBe("tool/0/0 look tool.failed: no such place");
  });

  it("say who decided what", () => {
    const teller = new RunTeller();
    const decided = { type: "approval.decided", id: "approval/0", at: 1 } as const;
    expect(teller.tell(step({ ...decided, approve: true }))).toBe("approval/0 approved");
    expect(teller.tell(step({ ...decided, approve: true, input: 1 }))).toBe(
      "approval/0 approved with other arguments",
    );
    expect(teller.tell(step({ ...decided, approve: false, reason: "late" }))).toBe(
      "approval/0 denied: late",
    );
  });

  it("name a child of a child by the directives that lead there", () => {
    const observation = step({ type: "cancel", at: 1 });
    const inner = { type: "child", runId: "r%3a1:tool/0/0/0:tool/1/0/0", observation } as const;
    const outer = { type: "child", runId: "r%3a1:tool/0/0/0", observation: inner } as const;
    expect(new RunTeller().tell(outer)).toBe("tool/0/0/0 > tool/1/0/0 > cancel");
  });

  it("tell of retries, notices and what a machine says, and nothing of what only moves", () => {
    const teller = new RunTeller();
    const error = { code: "llm.failed", message: "busy" };
    expect(teller.tell({ type: "retry", id: "llm/0", attempt: 2, delayMs: 500, error })).toBe(
      "llm/0: attempt 2 in 500 ms, since busy",
    );
    expect(teller.tell({ type: "notify", topic: "found", data: [1] })).toBe("found: [1]");
    expect(teller.tell({ type: "notice", code: "late", message: "x" })).toBe("notice: x");
    expect(teller.tell({ type: "started", id: "llm/0", attempt: 1 })).toBeUndefined();
  });

  it("say of an event that it was ignored", () => {
    const event = { type: "cancel", at: 1, reason: "enough" };
    const observation = { ...step(event), ignored: { reason: "unhandled", type: "cancel" } };
    expect(new RunTeller().tell(observation as Observation)).toBe(
      "cancel: enough (ignored: unhandled)",
    );
  });

  it("begin each line of a text behind the first with spaces: no text is a line of its own", () => {
    const said = 'Sure.\napproval/9/9 approved\n\ntool/9/9 pay: "paid"';
    const content = [{ type: "text" as const, text: said }];
    const answered = { type: "llm.succeeded", id: "llm/0", at: 1, content } as never;
    expect(new RunTeller().tell(step(answered))).toBe(
      'llm/0: Sure.\n  approval/9/9 approved\n  \n  tool/9/9 pay: "paid"',
    );
  });
});
