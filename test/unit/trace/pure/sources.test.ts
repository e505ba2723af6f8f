// Why did the model see this: each block of a request, and each argument of a call, and the record it
// is a copy of. What is none says so.
import { describe, expect, it } from "vitest";
import type { Line } from "../../../../src/core/journal/index.js";
import { defineReasoner, setupReasoner } from "../../../../src/core/kernel/machine/index.js";
import { sizeOf } from "../../../../src/core/kernel/values/index.js";
import { registry } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  agent,
  basicBehaviour,
  type ModelPort,
  memoryJournal,
  scriptedModel,
  ToolError,
  tool,
} from "../../../../src/index.js";
import { callSources, requestSources, type SeenBlock } from "../../../../src/trace/pure/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { refusal } from "../../../support/thrown.js";
import { lived, traceOf } from "../../../support/traced.js";

const object = { type: "object" } as const;
const brief = (blocks: readonly SeenBlock[]) =>
  blocks.map(({ path, sources }) => {
    const [source] = sources;
    if (source?.kind !== "copy" && source?.kind !== "holds") return `${path} ${source?.kind}`;
    return `${path} ${source.kind} ${source.eventId} ${source.seq ?? "header"} ${source.path}`;
  });

const find = tool({
  name: "find",
  jsonSchema: object,
  execute: () => ({ customer: "Margarethe Oppenheimer", order: 48_213, note: "fragile" }),
});
const fall = tool({
  name: "fall",
  jsonSchema: object,
  execute: () => {
    throw new ToolError("the shelf is empty today");
  },
});
const count = tool({ name: "count", jsonSchema: object, reduce: () => "one, two" });

/** A run in which a model looks something up, fails, counts, and writes to the customer. */
async function desk() {
  const same = { name: "find", input: {}, id: "call_1" };
  const model = scriptedModel([
    { text: "I look.", calls: [same, { name: "fall", input: {} }, { name: "count", input: {} }] },
    {
      calls: [
        {
          name: "find",
          input: {
            to: "Margarethe Oppenheimer",
            about: "order 48213",
            number: 48_213,
            made: "something that nobody has said",
            short: "a",
          },
        },
      ],
    },
    "Done.",
  ]);
  const { journal } = await lived(
    agent({ name: "desk", system: "You help.", tools: [find, fall, count] }) as never,
    "Where is my order, please?",
    { model },
  );
  return { lines: await linesIn(journal) };
}

describe("the blocks of a request", () => {
  it("are copies of what was said, answered and returned, each by its own record", async () => {
    expect(brief(requestSources(await desk(), "r#llm/1"))).toEqual([
      "system untraced",
      "messages[0].content copy r#@0 header $.input",
      "messages[1].content[0] copy r#llm/0 1 $.event.content[0]",
      "messages[1].content[1] copy r#llm/0 1 $.event.content[1]",
      "messages[1].content[2] copy r#llm/0 1 $.event.content[2]",
      "messages[1].content[3] copy r#llm/0 1 $.event.content[3]",
      expect.stringMatching(/^messages\[2\]\.content\[0\] copy r#tool\/0\/0 \d \$\.event\.output$/),
      expect.stringMatching(
        /^messages\[3\]\.content\[0\] holds r#tool\/0\/1 \d \$\.event\.error\.message$/,
      ),
      "messages[4].content[0] computed",
      "tools[0] untraced",
      "tools[1] untraced",
      "tools[2] untraced",
    ]);
  });

  it("of a behaviour's own making say so, and hold what they hold", async () => {
    const told = agent({
      name: "told",
      behaviour: {
        ...basicBehaviour,
        name: "quotes",
        beforeRequest: (_agent, { toolCalls }, request) =>
          sizeOf(toolCalls) === 0
            ? request
            : { ...request, system: "Remember Margarethe Oppenheimer, who waits." },
      },
      tools: [find],
    });
    const { journal } = await lived(told as never, "Go on with it then.", {
      model: scriptedModel([{ calls: [{ name: "find", input: {} }] }, "Done."]),
    });
    const blocks = requestSources({ lines: await linesIn(journal) }, "llm/1");
    expect(blocks[0]?.path).toBe("system");
    expect(blocks[0]?.sources).toEqual([
      {
        kind: "holds",
        eventId: "r#tool/0/0",
        runId: "r",
        seq: 2,
        path: "$.event.output.customer",
        text: "Margarethe Oppenheimer",
      },
    ]);
  });

  it("with equal texts are the first and the second of them, in order", async () => {
    const talker = agent({ name: "talker", tools: [count] });
    const again = { name: "count", input: {} };
    const { journal } = await lived(talker as never, "go", {
      model: scriptedModel([
        { text: "Once more.", calls: [again] },
        { text: "Once more.", calls: [again] },
        "Done.",
      ]),
    });
    const blocks = requestSources({ lines: await linesIn(journal) }, "llm/2");
    const said = brief(blocks).filter((line) => line.includes("content[0] copy"));
    expect(said).toEqual([
      "messages[1].content[0] copy r#llm/0 1 $.event.content[0]",
      "messages[3].content[0] copy r#llm/1 2 $.event.content[0]",
    ]);
    const computed = blocks.flatMap(({ sources: [source] }) =>
      source?.kind === "computed" ? [source.eventId] : [],
    );
    expect(computed).toEqual(["r#tool/0/0", "r#tool/1/0"]);
  });

  it("of a model that gives all its calls one id are of the calls of the answer before them", async () => {
    let asked = 0;
    const repeating: ModelPort = {
      name: "repeating",
      async generate() {
        asked += 1;
        const call = {
          type: "tool-call",
          toolCallId: "same",
          toolName: "count",
          input: {},
        } as const;
        const done = { type: "text", text: "Done." } as const;
        return {
          content: asked < 3 ? [call] : [done],
          finishReason: asked < 3 ? "tool-calls" : "stop",
          usage: {},
        };
      },
    };
    const { journal } = await lived(agent({ name: "t", tools: [count] }) as never, "go", {
      model: repeating,
    });
    const blocks = requestSources({ lines: await linesIn(journal) }, "llm/2");
    const computed = blocks.flatMap(({ sources: [source] }) =>
      source?.kind === "computed" ? [source.eventId] : [],
    );
    expect(computed).toEqual(["r#tool/0/0", "r#tool/1/0"]);
  });

  it("of a run that goes on from another are copies of what that one was told", async () => {
    const one = memoryJournal("one");
    const two = memoryJournal("two");
    const talker = agent({ name: "talker" }) as never;
    const hello = "A greeting of some length.";
    await lived(talker, hello, { journal: one, model: scriptedModel(["First."]), runId: "one" });
    await lived(talker, "And again, hello.", {
      journal: two,
      from: one,
      model: scriptedModel(["Second."]),
      runId: "two",
    });
    const lines = await linesIn(two);
    const earlier = [await linesIn(one)];
    expect(brief(requestSources({ lines, earlier }, "llm/0"))).toEqual([
      "messages[0].content copy one#@0 header $.input",
      "messages[1].content[0] copy one#llm/0 1 $.event.content[0]",
      "messages[2].content copy two#@0 header $.input",
    ]);
    const alone = requestSources({ lines }, "llm/0");
    expect(alone[0]).toMatchObject({ path: "messages[0..1]", sources: [{ kind: "untraced" }] });
    expect(brief(alone).at(-1)).toBe("messages[2].content copy two#@0 header $.input");
  });

  it("are found by the id of the event, whatever stands in the directive's", () => {
    const id = "llm/50%#a";
    const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: { a: "so it is" } };
    const asked = { do: [{ type: "llm", id, messages: [{ role: "user", content: "so it is" }] }] };
    const answered = { type: "llm.succeeded", id, content: [call], usage: {}, at: 1 };
    const lines = [
      { type: "header", runId: "r#1", reasoner: { id: "a", version: 1 }, at: 0, input: "so it is" },
      { seq: 0, event: { type: "start", at: 0 }, value: "v", ...asked },
      { seq: 1, event: answered, value: "v" },
    ] as unknown as readonly Line[];
    const [event] = traceOf(lines)
      .events()
      .filter(({ type }) => type === "llm_call");
    expect(event?.id).toBe("r#1#llm/50%25%23a");
    const [answer] = callSources({ lines }, "r#1#tool/50%25%23a/0");
    expect(answer?.sources).toMatchObject([{ kind: "copy", path: "$.input" }]);
    for (const named of ["r#1#llm/50%25%23a", "llm/50%25%23a", id]) {
      expect(requestSources({ lines }, named)).toHaveLength(1);
    }
    expect(callSources({ lines }, "tool/50%#a/0")).toEqual([answer]);
  });

  it("of a request that there is not are refused", async () => {
    const run = await desk();
    expect(refusal(() => requestSources(run, "llm/9"))).toMatchObject({ code: "trace.missing" });
    expect(refusal(() => callSources(run, "tool/9/9"))).toMatchObject({ code: "trace.missing" });
  });
});

describe("the arguments of a call", () => {
  it("are copies of what the model was shown, or its own", async () => {
    const found = callSources(await desk(), "r#tool/1/0");
    const kinds = Object.fromEntries(found.map(({ path, sources }) => [path, sources[0]?.kind]));
    expect(kinds).toEqual({
      "$.to": "copy",
      "$.about": "untraced",
      "$.number": "copy",
      "$.made": "untraced",
      "$.short": "untraced",
    });
    const [to] = found;
    expect(to?.seenIn.map(({ path }) => path)).toEqual(["messages[2].content[0]"]);
    expect(to?.sources[0]).toMatchObject({ eventId: "r#tool/0/0", path: "$.event.output" });
  });

  it("that a machine of one's own has put together are of what it was told", async () => {
    const { createMachine } = setupReasoner<{ readonly to: string }, string>();
    const sender = defineReasoner({
      id: "sender",
      tools: registry([tool({ name: "send", jsonSchema: object, execute: () => "sent" })]),
      machine: createMachine({
        context: ({ input: { input } }) => ({ to: input }),
        initial: "sending",
        states: {
          sending: {
            entry: {
              type: "issue",
              params: ({ context: { to } }) => ({
                type: "tool",
                id: "post/0",
                name: "send",
                input: { to, text: `Dear ${to}!`, made: "of its own", urgent: true },
              }),
            },
            on: { "tool.succeeded": "sent" },
          },
          sent: { type: "final" },
        },
      }),
    });
    const { journal } = await lived(sender as never, "Margarethe Oppenheimer", {});
    const lines = await linesIn(journal);
    const found = callSources({ lines }, "r#post/0");
    const kinds = Object.fromEntries(found.map(({ path, sources }) => [path, sources[0]?.kind]));
    expect(kinds).toEqual({
      "$.to": "copy",
      "$.text": "holds",
      "$.made": "untraced",
      "$.urgent": "untraced",
    });
    expect(found.find(({ path }) => path === "$.to")?.sources[0]).toMatchObject({
      eventId: "r#@0",
      path: "$.input",
    });
    expect(refusal(() => callSources({ lines }, "post/1"))).toMatchObject({
      code: "trace.missing",
    });
  });

  it("that a person gave are his", async () => {
    const careful = tool({
      name: "pay",
      jsonSchema: object,
      needsApproval: true,
      execute: () => "paid",
    });
    const { journal } = await lived(agent({ name: "p", tools: [careful] }) as never, "go", {
      model: scriptedModel([{ calls: [{ name: "pay", input: { amount: 100 } }] }, "Done."]),
      approve: () => ({ approve: true, input: { amount: 50 } }),
    });
    expect(callSources({ lines: await linesIn(journal) }, "tool/0/0")).toEqual([
      {
        path: "$.amount",
        value: 50,
        seenIn: [],
        sources: [
          {
            kind: "copy",
            eventId: "r#approval/0/0",
            runId: "r",
            seq: 2,
            path: "$.event.input.amount",
          },
        ],
      },
    ]);
  });
});
