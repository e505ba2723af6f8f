// Structured output: by JSON and by a final tool; what does not validate is sent back, not for ever.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  basicBehaviour,
  type LlmDirective,
  scriptedModel,
  tool,
} from "../../../../../src/index.js";
import { answer, lastOf, messagesOf, resultsOf, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";
import { everyWay } from "../../../../support/every-way.js";

const schema = z.object({ city: z.string(), people: z.number() });
const good = { city: "Bern", people: 140_000 };
const look = tool({ name: "look", idempotent: true, execute: () => "seen" });

const requestOf = (run: { directives: readonly object[] }) =>
  run.directives.find((each) => (each as LlmDirective).type === "llm") as LlmDirective;

describe("output by JSON", () => {
  const reasoner = agent({ name: "a", tools: [look], output: { schema, name: "city" } });
  const started = () => byHand(reasoner, "Which?");

  it("tells the provider the schema", () => {
    expect(requestOf(started()).responseFormat).toMatchObject({
      type: "json",
      name: "city",
      schema: { type: "object", required: ["city", "people"] },
    });
  });

  it.each([
    ["plain", JSON.stringify(good)],
    ["in a Markdown fence", `\`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\``],
  ])("takes JSON that is %s", (_how, text) => {
    const run = started();
    run.take(answer(0, text));
    expect(run.state).toMatchObject({ status: "done", value: "answered" });
    expect(run.output).toEqual(good);
  });

  it.each([
    ["\n```\n", "\n```\n"],
    ["```json  \n\n", "\n\n  ```  \n"],
    ["```\r\n", "\r\n```"],
  ])("may have its fence so: %j, %j", (before, behind) => {
    const run = started();
    run.take(answer(0, `${before}${JSON.stringify(good)}${behind}`));
    expect(run.output).toEqual(good);
  });

  it.each([
    ["```json\n", ""],
    ["```js\n", "\n```"],
    ["", "\n```"],
    ["```json ", "```"],
    ["```json\n", "```"],
    ["Bern, as [1] says:\n", "\n\nSee [1]."],
    ['A draft: {"city":"Thun"}. Better: ', ""],
    ['<think>{"city":"Thun","people":1}</think>', ""],
    ['Is it {"city":"Thun","people":1}? No.</think>\n```json\n', "\n```"],
    ["\ufeff", "\ufeff"],
  ])("is found among other text: %j, %j", (before, behind) => {
    const run = started();
    run.take(answer(0, `${before}${JSON.stringify(good)}${behind}`));
    expect(run.output).toEqual(good);
  });

  it("is the last that fits the schema; where none does, the model reads why of the last", () => {
    const run = started();
    run.take(answer(0, 'Either {"city":"Bern","people":1} or {"city":"Thun","people":"many"}.'));
    expect(run.output).toEqual({ city: "Bern", people: 1 });
    const other = started();
    other.take(answer(0, 'Either {"city":7,"people":1} or {"city":"Thun","people":"many"}.'));
    expect(String(lastOf(other.context)?.content)).toContain("people: ");
    expect(String(lastOf(other.context)?.content)).not.toContain("city: ");
  });

  it.each([
    ["```json 42 ```", 42],
    ["```json\n42\n```", 42],
    ["The answer is:\n```json\n42\n```\nAs [1] says.", 42],
    ['Either ```41``` or, better, ```json "many"```.', "many"],
    ["````json\n42\n````", 42],
    ['From {"a":"```json 41"} I take ```42```.', 42],
    ['It is ```42```, as in {"a":"```json 41```"}.', 42],
  ])("may be a plain value that stands alone in a fence: %j", (text, value) => {
    const schema = z.union([z.number(), z.enum(["many"])]);
    const run = byHand(agent({ name: "a", output: { schema } }), "How many?");
    run.take(answer(0, text));
    expect(run.output).toEqual(value);
  });

  it.each(["The answer is 42.", "```json\n42", "```python\n42\n``` prints it.", "``` 4 2 ```"])(
    "is no plain value elsewhere: %j",
    (text) => {
      const run = byHand(agent({ name: "a", output: { schema: z.number() } }), "How many?");
      run.take(answer(0, text));
      expect(run.state.status).toBe("active");
    },
  );

  it("is not what the model only thought of", () => {
    const run = started();
    run.take(answer(0, `<think>${JSON.stringify(good)}</think>I do not know.`));
    expect(String(lastOf(run.context)?.content)).toContain("it is not JSON");
  });

  it("is refused for the key that nobody may use, and not as no JSON", () => {
    const run = byHand(agent({ name: "a", output: { schema: z.looseObject({}) } }), "Which?");
    run.take(answer(0, '{"a":{"@list":["x"]}}'));
    expect(String(lastOf(run.context)?.content)).toContain("the key @list");
  });

  // By a pattern that began anew at each line break, these took hours.
  it.each([
    ["line breaks", "\n".repeat(100_000)],
    ["fences", "\n``` ".repeat(20_000)],
    ["spaces", " ".repeat(100_000)],
  ])("is looked for in a time that the answer's length sets: %s", (_what, text) => {
    for (const fence of ["```json\n", "```", ""]) {
      const run = started();
      run.take(answer(0, `${fence}${text}x`));
      expect(run.state.status).toBe("active");
    }
  });

  it("may come behind drafts, as the answer's last text", () => {
    const run = started();
    run.take(answer(0, "Let me see. ", '{"city":"Base"', JSON.stringify(good)));
    expect(run.output).toEqual(good);
  });

  it("may come in pieces that are JSON together", () => {
    const run = started();
    run.take(answer(0, '{"city":"Bern",', '"people":140000}'));
    expect(run.output).toEqual(good);
  });

  it("is the parsed value, with what the schema adds and converts", () => {
    const loose = z.object({ n: z.coerce.number(), unit: z.string().default("m") });
    const run = byHand(agent({ name: "a", output: { schema: loose } }), "x");
    run.take(answer(0, '{"n":"5"}'));
    expect(run.output).toEqual({ n: 5, unit: "m" });
  });

  it.each([
    ["no JSON", "It is Bern.", "it is not JSON"],
    ["JSON of another form", '{"city":"Bern"}', "people: "],
    ["no text", "", "it was empty"],
  ])("sends back %s with what is wrong", (_what, text, wrong) => {
    const run = started();
    run.take(answer(0, text));
    expect(run.owed).toEqual(["llm/1"]);
    expect(lastOf(run.context)).toMatchObject({ role: "user" });
    expect(String(lastOf(run.context)?.content)).toContain(wrong);
    run.take(answer(1, JSON.stringify(good)));
    expect(run.output).toEqual(good);
  });

  it.each([
    [undefined, 3],
    [0, 1],
    [1, 2],
  ])(
    "with retries %s fails after %d answers, with its reason and everything kept",
    (retries, asked) => {
      const a = agent({
        name: "a",
        output: { schema, ...(retries === undefined ? {} : { retries }) },
      });
      const run = byHand(a, "Which?");
      for (let i = 0; run.state.status === "active"; i++) run.take(answer(i, "Bern"));
      expect(run.state).toMatchObject({ status: "failed", value: "invalidOutput" });
      expect(a.error(run.state)).toMatchObject({ code: "agent.output" });
      expect(a.error(run.state)?.message).toContain("it is not JSON");
      expect(run.context.usage.requests).toBe(asked);
      expect(messagesOf(run.context)).toHaveLength(2 * asked);
    },
  );

  it("counts retries within the iterations", () => {
    const a = agent({ name: "a", maxIterations: 2, output: { schema, retries: 9 } });
    const run = byHand(a, "Which?");
    run.take(answer(0, "Bern"));
    run.take(answer(1, "Bern"));
    expect(run.state.value).toBe("maxIterations");
  });

  it("refuses a schema that answers with a promise, and one that cannot describe itself", () => {
    const slow = z.object({ n: z.number() }).refine(async () => true);
    const run = byHand(agent({ name: "a", output: { schema: slow, retries: 0 } }), "x");
    run.take(answer(0, '{"n":1}'));
    expect(run.context.error?.message).toContain("asynchronously");
    const mute = {
      "~standard": { version: 1, vendor: "mine", validate: (value: unknown) => ({ value }) },
    };
    expect(() =>
      agent({ name: "a", output: { schema: mute as unknown as typeof schema } }),
    ).toThrow("jsonSchema");
    expect(() =>
      agent({
        name: "a",
        output: { schema: mute as unknown as typeof schema, jsonSchema: { type: "object" } },
      }),
    ).not.toThrow();
  });

  it("comes to the same after a crash anywhere", async () => {
    const model = scriptedModel([
      { calls: [{ name: "look" }] },
      "Bern",
      '{"city":1}',
      JSON.stringify(good),
    ]);
    const { end } = await everyWay({ reasoner, input: "Which?", world: () => ({ model }) });
    expect(end).toMatchObject({ status: "done", output: good });
  });
});

describe("output by a final tool", () => {
  const reasoner = agent({
    name: "a",
    tools: [look],
    output: { schema, via: "tool", name: "give_city", description: "Give the city." },
  });
  const started = () => byHand(reasoner, "Which?");

  it("offers the tool and no response format", () => {
    const request = requestOf(started());
    expect(request.responseFormat).toBeUndefined();
    expect(request.tools?.at(-1)).toMatchObject({
      name: "give_city",
      description: "Give the city.",
    });
  });

  it("is offered whatever the behaviour selects: else nobody could answer", () => {
    const behaviour = { ...basicBehaviour, name: "none", getTools: () => [] };
    const run = byHand(agent({ name: "a", behaviour, output: { schema, via: "tool" } }), "x");
    expect(requestOf(run).tools?.map(({ name }) => name)).toEqual(["final_result"]);
    run.take(answer(0, wish("final_result", good)));
    expect(run.output).toEqual(good);
  });

  it("ends the run with the call's arguments", () => {
    const run = started();
    run.take(answer(0, wish("give_city", good)));
    expect(run.state).toMatchObject({ status: "done", value: "finished" });
    expect(run.output).toEqual(good);
  });

  it("asks for the call where the model answered in text", () => {
    const run = started();
    run.take(answer(0, "It is Bern."));
    expect(lastOf(run.context)?.content).toBe("Give your answer by calling the tool give_city.");
    run.take(answer(1, wish("give_city", good)));
    expect(run.output).toEqual(good);
  });

  it("sends back arguments that do not validate, a bounded number of times", () => {
    const run = started();
    run.take(answer(0, wish("give_city", { city: 5 })));
    expect(String(resultsOf(run.context)[0])).toContain("city: ");
    for (let i = 1; run.state.status === "active"; i++) {
      run.take(answer(i, wish("give_city", { city: i })));
    }
    expect(run.state).toMatchObject({ status: "failed", value: "invalidOutput" });
    expect(reasoner.error(run.state)).toMatchObject({ code: "agent.output" });
    expect(run.context.usage.requests).toBe(3);
  });

  it("refuses a name that collides", () => {
    expect(() =>
      agent({ name: "a", tools: [look], output: { schema, via: "tool", name: "look" } }),
    ).toThrow("Two tools are named look");
  });

  it("comes to the same after a crash anywhere", async () => {
    const model = scriptedModel([
      { calls: [{ name: "look" }] },
      "Bern",
      { calls: [{ name: "give_city", input: { city: 1 } }] },
      { calls: [{ name: "give_city", input: good }] },
    ]);
    const { end } = await everyWay({ reasoner, input: "Which?", world: () => ({ model }) });
    expect(end).toMatchObject({ status: "done", output: good });
  });
});

describe("output of a conversation", () => {
  it("is validated turn by turn, each with its own retries", () => {
    const run = byHand(
      agent({
        name: "a",
        conversation: true,
        output: { schema: z.object({ n: z.number() }), retries: 1 },
      }),
      "1",
    );
    for (const turn of [0, 1, 2]) {
      run.take(answer(2 * turn, "no"));
      run.take(answer(2 * turn + 1, `{"n":${turn}}`));
      expect(run.state.value).toBe("ready");
      expect(run.output).toEqual({ n: turn });
      run.take({ type: "message", content: "next" });
    }
  });
});

describe("the best answer at a limit", () => {
  it.each(["json", "tool"] as const)("is validated too, asked for as JSON (via %s)", (via) => {
    const a = agent({
      name: "a",
      tools: [look],
      maxIterations: 1,
      onLimit: "answer",
      output: { schema, via },
    });
    const limited = () => {
      const run = byHand(a, "x");
      run.take(answer(0, wish("nope")));
      return run;
    };
    const run = limited();
    expect(requestOf(run)).toMatchObject({ responseFormat: { type: "json" } });
    expect(requestOf(run).tools).toBeUndefined();
    run.take(answer(1, JSON.stringify(good)));
    expect(run.state.value).toBe("concluded");
    expect(run.output).toEqual(good);
    const bad = limited();
    bad.take(answer(1, "Bern"));
    expect(bad.state).toMatchObject({ status: "failed", value: "invalidOutput" });
  });
});
