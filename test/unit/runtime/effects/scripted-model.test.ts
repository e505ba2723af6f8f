// The scripted model: stateless, so that a resumed run gets the answers that are still due.
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../src/index.js";
import { type Delta, type Script, scriptedModel } from "../../../../src/runtime/index.js";
import { refusal, rejection } from "../../../support/thrown.js";

const user: Message = { role: "user", content: "hi" };
const said: Message = { role: "assistant", content: "x" };

const known = { runId: "r", id: "llm/0", attempt: 1, idempotencyKey: "r:llm/0" };

async function ask(script: Script, messages: readonly Message[] = [user]) {
  const deltas: Delta[] = [];
  const call = {
    ...known,
    signal: new AbortController().signal,
    onDelta: (delta: Delta) => deltas.push(delta),
  };
  return { response: await scriptedModel(script).generate({ messages }, call), deltas };
}

describe("a scripted model", () => {
  it("answers by the number of answers in the request", async () => {
    const script = ["first", "second"];
    expect((await ask(script)).response.content).toEqual([{ type: "text", text: "first" }]);
    const second = await ask(script, [user, said, user]);
    expect(second.response).toMatchObject({ content: [{ text: "second" }], finishReason: "stop" });
  });

  it("makes up ids of calls where none is given, different in every turn", async () => {
    const calls = [{ name: "a" }, { name: "b", id: "mine", input: { n: 1 } }];
    const { response, deltas } = await ask([{ text: "both", calls }]);
    expect(response).toMatchObject({
      finishReason: "tool-calls",
      content: [
        { type: "text", text: "both" },
        { type: "tool-call", toolCallId: "call-0-0", toolName: "a", input: {} },
        { type: "tool-call", toolCallId: "mine", toolName: "b", input: { n: 1 } },
      ],
    });
    expect(deltas).toEqual([{ type: "text", text: "both" }]);
  });

  it("takes a call's input as it comes, and refuses what is not JSON", async () => {
    interface Place {
      readonly city: string;
      readonly street?: string | undefined;
    }
    const input: Place = { city: "Oslo", street: undefined };
    const { response } = await ask([{ calls: [{ name: "a", input }] }]);
    expect(response.content).toMatchObject([{ input: { city: "Oslo" } }]);
    const calls = [{ name: "a", input: { when: new Date(0) } }];
    await expect(ask([{ calls }])).rejects.toThrow("call 0 of turn 0.when is a Date");
  });

  it("fails past its end, and where its script says so", async () => {
    await expect(ask(["only"], [user, said])).rejects.toThrow(
      "The script has no turn 1; it has 1.",
    );
    const nothing: Script = () => undefined;
    await expect(ask(nothing)).rejects.toThrow("The script has no turn 0.");
    const error = { message: "busy", transient: true };
    await expect(ask([{ error }])).rejects.toMatchObject({
      error: { code: "llm.failed", ...error },
    });
  });

  it("asks a function, which sees the request and the turn", async () => {
    const script: Script = ({ messages }, turn) => `${messages.length} in turn ${turn}`;
    expect((await ask(script, [user, said, user])).response.content).toEqual([
      { type: "text", text: "3 in turn 1" },
    ]);
  });

  it("does not answer what was aborted", async () => {
    const call = { ...known, signal: AbortSignal.abort(new Error("gone")), onDelta: () => {} };
    await expect(scriptedModel(["x"]).generate({ messages: [] }, call)).rejects.toThrow("gone");
  });

  it.each([
    ["no script", undefined, "The script must be a list of turns, or a function"],
    ["a text", "hello", "The script must be a list of turns, or a function"],
    [
      "a number as a turn",
      ["a", 5],
      "Turn 1 of the script must be a string or an object; it is 5.",
    ],
    [
      "nothing as a turn",
      [null],
      "Turn 0 of the script must be a string or an object; it is null.",
    ],
    [
      "a misspelt part",
      [{ cals: [] }],
      "cals of Turn 0 of the script is not a part of it; text, calls,",
    ],
    [
      "a part that is none",
      [{ text: 5 }],
      "text of Turn 0 of the script must be a string; it is 5.",
    ],
  ])("refuses %s where it is made", (_what, script, words) => {
    const refused = refusal(() => scriptedModel(script as never));
    expect([refused.code, refused.message]).toEqual([
      "option.invalid",
      expect.stringContaining(words),
    ]);
  });

  it("refuses what a function answers with, by its turn", async () => {
    const failed = await rejection(ask(() => 5 as never, [user, said]));
    expect(failed).toMatchObject({ code: "option.invalid" });
    expect(failed.message).toContain(
      "Turn 1 of the script must be a string or an object; it is 5.",
    );
  });
});
