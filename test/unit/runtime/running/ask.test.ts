// A run for the sake of its output, and the transcript of an end as an array.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, ask, messagesOf, run, scriptedModel, tool } from "../../../../src/index.js";

const helper = agent({ name: "helper", system: "You are brief." });

describe("ask", () => {
  it("returns the output", async () => {
    expect(await ask(helper, "2 + 3?", { model: scriptedModel(["5"]) })).toBe("5");
  });

  it("has the type of the agent's output", async () => {
    const output = { schema: z.object({ sum: z.number() }) };
    const adder = agent({ name: "adder", output });
    const { sum } = await ask(adder, "2 + 3?", { model: scriptedModel(['{"sum":5}']) });
    expect(sum).toBe(5);
  });

  it("throws where the run failed, with its error as the cause", async () => {
    const model = scriptedModel([{ error: { message: "no credit", transient: false } }]);
    await expect(ask(helper, "hello", { model, runId: "r1" })).rejects.toMatchObject({
      code: "run.notDone",
      place: "r1",
      message: "ask: the run r1 failed (modelFailed): no credit",
      cause: { message: "no credit" },
    });
  });

  it("throws where the run waits, and says what to call instead", async () => {
    const talk = agent({ name: "talk", conversation: true });
    const asked = ask(talk, "hello", { model: scriptedModel(["hi"]), runId: "r1" });
    await expect(asked).rejects.toThrow(
      "ask: the run r1 waits (ready). Start what may wait with run, and go on with resume.",
    );
  });

  it("refuses options as run does", async () => {
    const asked = ask(helper, "hello", { modle: scriptedModel([]) } as never);
    await expect(asked).rejects.toMatchObject({ code: "option.invalid" });
  });
});

describe("the messages of an end", () => {
  it("are an array, made when it is read", async () => {
    const add = tool({ name: "add", idempotent: true, execute: () => 5 });
    const model = scriptedModel([{ calls: [{ name: "add", input: {} }] }, "5"]);
    const end = await run(agent({ name: "adder", tools: [add] }), "2 + 3?", { model });
    expect(end.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(end.messages).toEqual(messagesOf(end.context));
    // A copy is whole too.
    expect({ ...end }.messages).toHaveLength(4);
  });

  it("are those of a directive as well, where it keeps a list or an array", () => {
    const { directives } = helper.start("hello", { at: 0, runId: "r1" });
    const sent = directives.flatMap((each) => (each.type === "llm" ? messagesOf(each) : []));
    expect(sent).toEqual([{ role: "user", content: "hello" }]);
    expect(messagesOf({ messages: sent })).toBe(sent);
  });
});
