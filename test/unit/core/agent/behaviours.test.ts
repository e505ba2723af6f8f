// Behaviours: each of the eight callbacks, what holds where one is left out, and how they are called.
import { describe, expect, it } from "vitest";
import { call } from "../../../../src/core/agent/extend/behaviour.js";
import {
  type AgentSpec,
  agent,
  agentContext,
  type Behaviour,
  basicBehaviour,
  type List,
  type Message,
  type Request,
  scriptedModel,
  toArray,
  tool,
} from "../../../../src/index.js";
import { lists } from "../../../../src/kernel.js";
import {
  answer,
  lastOf,
  messagesOf,
  resultsOf,
  returned,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
const hide = tool({ name: "hide", idempotent: true, execute: () => "hidden" });

/** The basic behaviour with some callbacks of a test's own. */
const own = (callbacks: Partial<Behaviour>): Behaviour => ({
  ...basicBehaviour,
  name: "own",
  ...callbacks,
});
const started = (callbacks: Partial<Behaviour>, more: object = {}) =>
  byHand(agent({ name: "a", tools: [look, hide], behaviour: own(callbacks), ...more }), "Hello");
const request = (run: { directives: readonly { type: string }[] }) =>
  run.directives.find(({ type }) => type === "llm") as unknown as {
    id: string;
    messages: readonly Message[];
    tools?: readonly { name: string }[];
    settings?: object;
  };

describe("buildMessages", () => {
  it("says what the model reads, and leaves the transcript as it is", () => {
    const run = started({
      buildMessages: (_agent, { messages }) => [
        { role: "system", content: "Rhyme." },
        ...toArray(messages),
      ],
    });
    expect(request(run).messages).toEqual([
      { role: "system", content: "Rhyme." },
      { role: "user", content: "Hello" },
    ]);
    expect(messagesOf(run.context)).toEqual([{ role: "user", content: "Hello" }]);
  });

  it("that cuts a result off gives it back: each call in a request has one", () => {
    const run = started({
      buildMessages: (_agent, { messages }) =>
        toArray(messages).filter(({ role }) => role !== "tool"),
    });
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(request(run).messages.at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "call-look" }],
    });
  });
  it("that cuts a call off leaves its result out, in an array and in a List", () => {
    for (const shape of [(all: readonly Message[]) => all, lists.of<Message>]) {
      const run = started({
        buildMessages: (_agent, { messages }) => shape(toArray(messages).slice(-2)),
      });
      run.take(answer(0, wish("look", {}, "c1"), wish("hide", {}, "c2")));
      run.take(returned("tool/0/0", "seen"));
      run.take({ type: "message", content: "And?" });
      run.take(returned("tool/0/1", "hidden"));
      const { messages } = request(run);
      const sent = lists.is(messages) ? toArray(messages as List<Message>) : messages;
      expect(sent).toEqual([{ role: "user", content: "And?" }]);
    }
  });

  it("that cuts a result off gives it back in a List too", () => {
    const run = started({
      buildMessages: (_agent, { messages }) =>
        lists.of(toArray(messages).filter(({ role }) => role !== "tool")),
    });
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    const { messages } = request(run);
    const sent = lists.is(messages) ? toArray(messages as List<Message>) : messages;
    expect(sent.at(-1)).toMatchObject({ role: "tool", content: [{ toolCallId: "call-look" }] });
  });
});

describe("processResponse", () => {
  it("takes the model's message into the context", () => {
    const run = started({
      processResponse: (spec, message, context) =>
        agentContext.mergeDeps(basicBehaviour.processResponse(spec, message, context), {
          words: JSON.stringify(message.content).length,
        }),
    });
    run.take(answer(0, "Hi"));
    expect(run.context.deps).toEqual({ words: 29 });
    expect(run.state.value).toBe("answered");
  });

  it("may ask for another response", () => {
    const run = started({
      processResponse(spec, message, context) {
        const next = basicBehaviour.processResponse(spec, message, context);
        return context.iteration > 1
          ? next
          : agentContext.addMessage(next, { role: "user", content: "Are you sure?" });
      },
    });
    run.take(answer(0, "Yes"));
    expect(run.owed).toEqual(["llm/1"]);
    run.take(answer(1, "No"));
    expect(run.output).toBe("No");
  });
});

describe("extractOutput", () => {
  it("makes the output of the context", () => {
    const run = started({
      extractOutput: (_agent, { messages }) => ({
        ok: true,
        output: { said: toArray(messages).length },
      }),
    });
    run.take(answer(0, "Hi"));
    expect(run.output).toEqual({ said: 2 });
  });

  it("that cannot fails the run with its reason, everything kept", () => {
    const a = agent({
      name: "a",
      behaviour: own({ extractOutput: () => ({ ok: false, error: "no verdict" }) }),
    });
    const run = byHand(a, "Hello");
    run.take(answer(0, "Hi"));
    expect(run.state).toMatchObject({ status: "failed", value: "invalidOutput" });
    expect(a.error(run.state)).toEqual({ code: "agent.output", message: "no verdict" });
    expect(lastOf(run.context)).toMatchObject({ role: "assistant" });
  });
});

describe("getTools", () => {
  const oneByOne = own({
    getTools: ({ tools }, { iteration }) => (iteration === 0 ? [tools.look!] : [tools.hide!]),
  });

  it("selects from the agent's tools, request by request", () => {
    const run = started(oneByOne);
    expect(request(run).tools?.map(({ name }) => name)).toEqual(["look"]);
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(request(run).tools?.map(({ name }) => name)).toEqual(["hide"]);
  });

  it("hides a tool: its call is not found, and the run continues", () => {
    const run = started(oneByOne);
    run.take(answer(0, wish("hide")));
    expect(resultsOf(run.context)).toEqual(["Tool not found: hide"]);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("adds tools of its own, which the agent then has", () => {
    const think = tool({ name: "think", reduce: () => "thought" });
    const run = started({ getTools: ({ tools }) => [think, ...Object.values(tools)] });
    expect(request(run).tools?.map(({ name }) => name)).toEqual(["think", "look", "hide"]);
    run.take(answer(0, wish("think")));
    expect(resultsOf(run.context)).toEqual(["thought"]);
  });

  it("may make the same tool anew at each call", () => {
    const anew = () => tool({ name: "anew", reduce: () => "new" });
    const run = started({ getTools: ({ tools }) => [...Object.values(tools), anew()] });
    run.take(answer(0, wish("anew")));
    expect(resultsOf(run.context)).toEqual(["new"]);
    expect(request(run).tools?.map(({ name }) => name)).toEqual(["look", "hide", "anew"]);
  });

  it("is refused what the agent cannot have had at its definition", () => {
    const late = tool({ name: "late", reduce: () => 1 });
    const run = started({
      getTools: ({ tools }, { iteration }) => [
        ...Object.values(tools),
        ...(iteration ? [late] : []),
      ],
    });
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(run.state).toMatchObject({
      status: "failed",
      fault: {
        place: expect.stringContaining(
          "getTools of behaviour own returns has the tool late, which it did not have at definition; add it to the behaviour's tools, or to the tools of agent a",
        ),
      },
    });
  });

  it("is refused another tool under the name of one that there is", () => {
    const other = tool({ name: "look", description: "Looks elsewhere.", execute: () => "" });
    const { state } = started({ getTools: () => [other] });
    expect(state.fault?.place).toContain("has another tool named look than agent a has");
  });

  it("leaves every tool to a resumed run, also one that is no longer offered", async () => {
    const model = scriptedModel([
      { calls: [{ name: "look" }] },
      { calls: [{ name: "hide" }] },
      "Done.",
    ]);
    const reasoner = agent({ name: "a", tools: [look, hide], behaviour: oneByOne });
    const { end, lines } = await everyWay({ reasoner, input: "Hello", world: () => ({ model }) });
    expect(resultsOf(end.context)).toEqual(["seen", "hidden"]);
    expect(lines).toBeGreaterThan(5);
  });
});

describe("initContext", () => {
  it("is called once, before the prompt is added", () => {
    const run = started({
      initContext: (spec, context) =>
        agentContext.mergeDeps(context, { name: spec.name, messages: messagesOf(context).length }),
    });
    expect(run.context.deps).toEqual({ name: "a", messages: 0 });
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(run.context.deps).toEqual({ name: "a", messages: 0 });
  });

  it("that leaves a call without a result has it answered before the prompt, and that is told", () => {
    const run = started({
      initContext: (_spec, context) =>
        agentContext.addMessage(context, { role: "assistant", content: [wish("look", {}, "c")] }),
    });
    expect(messagesOf(run.context).map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
    const told = run.directives.filter(({ type }) => type === "notify");
    expect(told).toMatchObject([
      { topic: "transcript.repaired", data: { source: "behaviour", answered: 1, moved: 0 } },
    ]);
  });
});

describe("beforeRequest", () => {
  it("has the last word on the request", () => {
    const run = started({
      beforeRequest: (_agent, { iteration }, given) => ({
        ...given,
        settings: { temperature: iteration },
      }),
    });
    expect(request(run).settings).toEqual({ temperature: 0 });
  });
});

describe("beforeRequest and tools", () => {
  const hiding = (names: readonly string[]) => ({
    beforeRequest: (_agent: unknown, _context: unknown, given: Request) => ({
      ...given,
      tools: given.tools?.filter(({ name }) => names.includes(name)) ?? [],
    }),
  });

  it("a tool that it leaves out cannot be called", () => {
    const run = started(hiding(["hide"]));
    run.take(answer(0, wish("look"), wish("hide")));
    expect(run.owed).toEqual(["tool/0/1"]);
    run.take(returned("tool/0/1", "hidden"));
    expect(resultsOf(run.context)).toEqual(["Tool not found: look", "hidden"]);
  });

  it("none means that no tool may be called, and nothing is said of a choice", () => {
    const run = started(hiding([]), { toolChoice: "required" });
    expect(Object.keys(request(run))).not.toContain("tools");
    expect(Object.keys(request(run))).not.toContain("toolChoice");
    run.take(answer(0, wish("look")));
    expect(resultsOf(run.context)).toEqual(["Tool not found: look"]);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("one that the agent does not have is refused", () => {
    const { schema } = tool({ name: "foreign", execute: () => "" });
    const { state } = started({
      beforeRequest: (_agent, _context, given) => ({ ...given, tools: [schema] }),
    });
    expect(state.fault?.place).toContain("the tool foreign, which agent a does not have");
  });
});

describe("afterTool", () => {
  it("sees each call's record in call order, its result written and its update applied", () => {
    const seen: unknown[] = [];
    const run = started({
      afterTool(_agent, { name, status, output }, context) {
        seen.push([name, status, output, context.deps, lastOf(context)?.role]);
        return agentContext.mergeDeps(context, { [`${name}ed`]: true });
      },
    });
    run.take(answer(0, wish("look"), wish("nope"), wish("hide")));
    run.take(returned("tool/0/2", "hidden"));
    run.take(returned("tool/0/0", "seen", { update: [{ op: "set", key: "n", value: 1 }] }));
    expect(seen).toEqual([
      ["look", "succeeded", "seen", { n: 1 }, "tool"],
      ["nope", "failed", "Tool not found: nope", { n: 1, looked: true }, "tool"],
      ["hide", "succeeded", "hidden", { n: 1, looked: true, nopeed: true }, "tool"],
    ]);
    expect(run.context.deps).toEqual({ n: 1, looked: true, nopeed: true, hideed: true });
  });
});

describe("handleError", () => {
  const error = { code: "llm.failed", message: "overloaded" };
  const failedCall = (id: string) => ({ type: "llm.failed", id, error });

  it("left out fails the run with the error", () => {
    const a = agent({ name: "a" });
    const run = byHand(a, "Hello");
    run.take(failedCall("llm/0"));
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(a.error(run.state)).toEqual(error);
  });

  it("retry asks the same iteration again, three times at most", () => {
    const run = started({
      handleError: (_agent, _error, context) => ({
        type: "retry",
        context: agentContext.mergeDeps(context, { tried: context.retry + 1 }),
      }),
    });
    const asked: string[] = [];
    while (run.state.status === "active") {
      const id = run.owed[0] as string;
      asked.push(id);
      run.take(failedCall(id));
    }
    expect(asked).toEqual(["llm/0", "llm/0/1", "llm/0/2", "llm/0/3"]);
    expect(run.context).toMatchObject({ iteration: 0, error, deps: { tried: 3 } });
    expect(run.state.value).toBe("modelFailed");
  });

  it("retry that succeeds goes on, and the next iteration has its own retries", () => {
    const run = started({ handleError: (_agent, _error, context) => ({ type: "retry", context }) });
    run.take(failedCall("llm/0"));
    run.take({ ...answer(0, wish("look")), id: "llm/0/1" });
    run.take(returned("tool/0/0", "seen"));
    expect(run.owed).toEqual(["llm/1"]);
    run.take(failedCall("llm/1"));
    expect(run.owed).toEqual(["llm/1/1"]);
  });

  it("continue goes on with the context it gives, and counts as an iteration", () => {
    const run = started(
      {
        handleError: (_agent, { message }, context) => ({
          type: "continue",
          context: agentContext.addMessage(context, {
            role: "user",
            content: `It said: ${message}`,
          }),
        }),
      },
      { maxIterations: 2 },
    );
    run.take(failedCall("llm/0"));
    expect(run.owed).toEqual(["llm/1"]);
    expect(lastOf(run.context)?.content).toBe("It said: overloaded");
    run.take(failedCall("llm/1"));
    // The model stayed down: that is why there is no answer, and not the limit.
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(run.context.error).toMatchObject({ message: "overloaded" });
  });

  it("continue ends at the limit where the model came back in between", () => {
    const run = started(
      { handleError: (_agent, _error, context) => ({ type: "continue", context }) },
      { maxIterations: 2 },
    );
    run.take(failedCall("llm/0"));
    run.take(answer(1, wish("look")));
    run.take(returned("tool/1/0", "seen"));
    expect(run.state).toMatchObject({ status: "failed", value: "maxIterations" });
    expect(run.context.error).toMatchObject({ code: "agent.maxIterations" });
  });

  it("continue without a wish for a response ends with an output", () => {
    const run = started({
      handleError: (_agent, _error, context) => ({
        type: "continue",
        context: agentContext.addMessage(context, { role: "assistant", content: "I am sorry." }),
      }),
    });
    run.take(failedCall("llm/0"));
    expect(run.output).toBe("I am sorry.");
  });

  it("error fails the run with the error it gives", () => {
    const a = agent({
      name: "a",
      behaviour: own({
        handleError: () => ({ type: "error", error: { code: "mine", message: "closed today" } }),
      }),
    });
    const run = byHand(a, "Hello");
    run.take(failedCall("llm/0"));
    expect(a.error(run.state)).toEqual({ code: "mine", message: "closed today" });
  });

  it("comes to the same after a crash anywhere", async () => {
    const reasoner = agent({
      name: "a",
      behaviour: own({
        handleError: (_agent, _error, context) =>
          context.retry < 2
            ? { type: "retry", context }
            : {
                type: "continue",
                context: agentContext.addMessage(context, { role: "user", content: "Again." }),
              },
      }),
    });
    const model = scriptedModel(({ messages }) =>
      messages.length < 2 ? { error: { message: "down" } } : "Up again.",
    );
    const { end } = await everyWay({ reasoner, input: "Hello", world: () => ({ model }) });
    expect(end).toMatchObject({ status: "done", output: "Up again." });
  });
});

describe("a behaviour", () => {
  const spec = agent({ name: "a" }).spec;
  const context = agentContext.newContext();

  it("is the basic one where an agent names none", () => {
    expect(agent({ name: "a" }).spec.behaviour).toBe(basicBehaviour);
    const mine = own({});
    expect(agent({ name: "a", behaviour: mine }).spec.behaviour).toBe(mine);
  });

  it("is called with a default for what it leaves out", () => {
    expect(call(basicBehaviour, "initContext", [spec, context], context)).toBe(context);
    const marked = own({
      initContext: (of: AgentSpec, given) => agentContext.mergeDeps(given, { of: of.name }),
    });
    expect(call(marked, "initContext", [spec, context], context).deps).toEqual({ of: "a" });
  });

  it("keeps its this", () => {
    class Mine implements Behaviour {
      readonly name = "mine";
      readonly greeting = "Hello from mine";
      buildMessages = basicBehaviour.buildMessages;
      processResponse = basicBehaviour.processResponse;
      extractOutput = basicBehaviour.extractOutput;
      getTools = basicBehaviour.getTools;
      initContext(_agent: AgentSpec, given: typeof context) {
        return agentContext.mergeDeps(given, { greeting: this.greeting });
      }
    }
    const run = byHand(agent({ name: "a", behaviour: new Mine() }), "x");
    expect(run.context.deps).toEqual({ greeting: "Hello from mine" });
  });

  it("brings tools of its own; a name that collides is refused", () => {
    const bringing = own({ tools: [hide] });
    expect(Object.keys(agent({ name: "a", behaviour: bringing }).tools)).toEqual(["hide"]);
    expect(() => agent({ name: "a", tools: [hide], behaviour: bringing })).toThrow(
      "Two tools are named hide",
    );
  });
});
