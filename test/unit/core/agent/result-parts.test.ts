// Results in parts: what the model reads, what the record keeps, and what of a call goes on its result.
import { describe, expect, it } from "vitest";
import {
  type AgentContext,
  agent,
  contextUpdate,
  type Json,
  providerTool,
  type Tool,
  type ToolContentPart,
  tool,
  withContent,
  withUpdate,
} from "../../../../src/index.js";
import {
  answer,
  decided,
  failed,
  messagesOf,
  recordsOf,
  returned,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const png: ToolContentPart = { type: "image", image: "aGk=", mediaType: "image/png" };
const text = (value: string): ToolContentPart => ({ type: "text", text: value });
const started = (...tools: readonly Tool[]) => {
  const run = byHand(agent({ name: "a", tools, deps: { n: 0 } }), "x");
  run.take(answer(0, wish(tools[0]?.name as string)));
  return run;
};
const resultOf = (run: { readonly context: unknown }) => {
  const message = messagesOf(run.context as AgentContext).at(-1);
  return message?.role === "tool" ? message.content[0] : undefined;
};
const shot = (more: object = {}) => tool({ name: "shot", execute: () => "", ...more });

describe("a result in parts", () => {
  it("of an effect: the model reads the parts, the record keeps the output", () => {
    const run = started(shot());
    run.take(returned("tool/0/0", { id: 7 }, { content: [text("Seen:"), png] }));
    expect(resultOf(run)?.output).toEqual({ type: "content", value: [text("Seen:"), png] });
    expect(recordsOf(run.context)[0]?.output).toEqual({ id: 7 });
  });

  it("of a pure tool, with a context update, whichever is put around the other", () => {
    const update = contextUpdate().set("n", 1);
    for (const reduce of [
      () => withContent(withUpdate("ok", update), [png]),
      () => withUpdate(withContent("ok", [png]), update),
    ]) {
      const run = started(tool({ name: "shot", reduce }));
      expect(resultOf(run)?.output).toEqual({ type: "content", value: [png] });
      expect(recordsOf(run.context)[0]?.output).toBe("ok");
      expect(run.context.deps).toEqual({ n: 1 });
    }
  });

  it.each([
    [{ type: "video" }, "content[0].type must be"],
    [{ type: "image" }, "content[0].image is missing"],
    ["text", "content[0] must be an object"],
    [{ type: "custom" }, "content[0].providerOptions is missing"],
  ])("with a part that is none fails the call: %j", (part, why) => {
    const run = started(tool({ name: "shot", reduce: () => withContent("ok", [part as never]) }));
    expect(resultOf(run)?.output).toMatchObject({
      type: "error-text",
      value: expect.stringContaining(why),
    });
  });

  it("of a final tool ends the run with its output", () => {
    const run = started(
      tool({ name: "shot", final: true, reduce: () => withContent({ id: 7 }, [png]) }),
    );
    expect([run.state.status, run.output]).toEqual(["done", { id: 7 }]);
  });
});

describe("an error in parts", () => {
  it("is the error's text and what the tool had to show", () => {
    const run = started(shot());
    run.take({ ...failed("tool/0/0", "it is dark"), forModel: true, content: [png] });
    const said = text("Tool execution failed: it is dark");
    expect(resultOf(run)?.output).toEqual({ type: "error-content", value: [said, png] });
    expect(recordsOf(run.context)[0]).toMatchObject({
      status: "failed",
      output: said.type === "text" ? said.text : "",
    });
  });

  it("keeps its parts behind the tool's own words", () => {
    const run = started(shot({ formatError: () => "Too dark." }));
    run.take({ ...failed("tool/0/0", "x"), content: [png] });
    expect(resultOf(run)?.output).toEqual({
      type: "error-content",
      value: [text("Too dark."), png],
    });
  });
});

describe("a call's provider options", () => {
  const providerOptions = { anthropic: { caller: { type: "direct" } } };
  const call = { ...wish("shot"), providerOptions };

  it("go on its result, whatever it came to", () => {
    const ways: readonly (readonly [Tool, Json | undefined])[] = [
      [shot(), returned("tool/0/0", "ok") as Json],
      [shot(), failed("tool/0/0", "no") as Json],
      [shot({ needsApproval: true }), decided("approval/0/0", false) as Json],
      [tool({ name: "shot", reduce: () => "ok" }), undefined],
      [tool({ name: "other", execute: () => "" }), undefined],
      [shot(), { type: "cancel" }],
    ];
    for (const [each, event] of ways) {
      const run = byHand(agent({ name: "a", tools: [each] }), "x");
      run.take(answer(0, call));
      if (event !== undefined) run.take(event as never);
      expect(resultOf(run)).toMatchObject({ toolCallId: "call-shot", providerOptions });
    }
  });

  it("go on the result of a call that was left over from an earlier transcript", () => {
    const messages = [{ role: "assistant" as const, content: [call] }];
    const run = byHand(agent({ name: "a" }), { messages, prompt: "x" });
    expect(messagesOf(run.context)[1]).toMatchObject({ content: [{ providerOptions }] });
  });
});

describe("arguments that are JSON and no object", () => {
  it.each([[[1, 2]], ["Rome"], [5], [null], [true]])(
    "are said to be that, and kept: %j",
    (input) => {
      const run = byHand(agent({ name: "a", tools: [shot()] }), "x");
      run.take(answer(0, wish("shot", input)));
      expect(resultOf(run)?.output).toEqual({
        type: "error-text",
        value: `Error: tool arguments were valid JSON but not an object: ${JSON.stringify(input)}. Please retry with a JSON object.`,
      });
      expect(messagesOf(run.context)[1]?.content).toMatchObject([{ type: "tool-call", input }]);
      expect(recordsOf(run.context)[0]?.input).toEqual(input);
    },
  );
});

describe("a provider's own tool", () => {
  const search = providerTool({ name: "search", id: "openai.web_search" });
  const ran = { ...wish("search", { q: 1 }), providerExecuted: true };
  const found = {
    type: "tool-result" as const,
    toolCallId: "call-search",
    toolName: "search",
    output: { type: "json" as const, value: [1] },
  };
  const searching = () => byHand(agent({ name: "a", tools: [search] }), "x");

  it("is shown to the model, and its calls are none of ours", () => {
    const run = searching();
    expect(run.directives[0]).toMatchObject({
      tools: [{ name: "search", provider: { id: "openai.web_search", args: {} } }],
    });
    run.take(answer(0, ran, found, "Found."));
    expect([run.state.status, run.output]).toEqual(["done", "Found."]);
  });

  it("that is at work when the answer ends is waited for by asking again", () => {
    const run = searching();
    run.take(answer(0, "I look.", ran));
    expect(run.owed).toEqual(["llm/1"]);
    run.take({ ...answer(1, found, "Found."), finishReason: "stop" });
    expect([run.state.status, run.output]).toEqual(["done", "Found."]);
  });

  it("that the model calls as one of ours fails by a word", () => {
    const run = searching();
    run.take(answer(0, wish("search")));
    expect(resultOf(run)?.output).toMatchObject({
      value: expect.stringContaining("by the provider"),
    });
    expect(run.owed).toEqual(["llm/1"]);
  });

  it.each([
    [{ name: "no good", id: "a.b" }, /needs a name/],
    [{ name: "x", id: "web_search" }, /<provider>\.<tool>/],
    [{ name: "x", id: "a.b", args: { f: () => 1 } as never }, /args that are JSON/],
  ])("is refused where it cannot work: %j", (options, why) => {
    expect(() => providerTool(options)).toThrow(why);
  });
});
