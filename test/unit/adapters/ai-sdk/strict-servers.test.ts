// Agents through the SDK's own clients, of both majors, to servers that refuse what their providers
// refuse: a transcript of everything that a family may not take goes through.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import {
  type AgentInput,
  agent,
  type Message,
  memoryJournal,
  resume,
  run,
  tool,
  withContent,
} from "../../../../src/index.js";
import { majors } from "../../../support/provider-model.js";
import { type ServerName, servers, strictModel } from "../../../support/strict-servers.js";

const errorOf = (end: object) => (end as { readonly error?: object }).error;
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
const all = majors.flatMap((major) =>
  (Object.keys(servers) as ServerName[]).map((name) => [name, major] as const),
);
const shot = tool({
  name: "shot",
  inputSchema: z.object({ page: z.number() }),
  idempotent: true,
  execute: ({ page }) =>
    withContent({ page }, [
      { type: "text", text: "" },
      { type: "image", image: `${png}${"A".repeat(12_000)}`, mediaType: "image/png" },
    ]),
});
const empty = tool({ name: "empty", idempotent: true, execute: () => "" });
const fails = tool({
  name: "fails",
  execute: () => {
    throw new Error("sold out");
  },
});

/** What may stand in a transcript from elsewhere. */
const past: readonly Message[] = [
  { role: "user", content: "  " },
  { role: "assistant", content: [{ type: "text", text: "\n\n" }] },
  { role: "user", content: [{ type: "text", text: "" }] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "\n" },
      {
        type: "tool-call",
        toolCallId: "functions.shot:0",
        toolName: "shot here",
        input: '{"pa',
        malformed: true,
      },
      { type: "tool-call", toolCallId: "c".repeat(80), toolName: "shot", input: { page: 1 } },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "functions.shot:0",
        toolName: "shot here",
        output: { type: "error-text", value: "" },
      },
      {
        type: "tool-result",
        toolCallId: "c".repeat(80),
        toolName: "shot",
        output: { type: "content", value: [] },
      },
    ],
  },
  { role: "user", content: "Go on." },
  { role: "assistant", content: "As you like." },
  { role: "system", content: "Be brief." },
];

describe.each(all)("%s, through the client of ai %i", (name, major) => {
  it("takes what a run comes to", async () => {
    const script = strictModel(name, major, (turn) => {
      if (turn === 0)
        return [
          { id: "call_0", name: "shot", input: { page: 2 } },
          { id: "call_1", name: "empty", input: { x: 1 } },
          { id: "call_2", name: "no such tool", input: { x: 1 } },
        ];
      if (turn === 1) return [{ id: "call_0", name: "fails", input: { x: 1 } }];
      return turn === 2 ? "\n" : "Done.";
    });
    const { jsonSchema: loose } = { jsonSchema: { type: "object" } as const };
    const desk = agent({
      name: "desk",
      system: () => " ",
      conversation: true,
      tools: [
        shot,
        { ...empty, inputSchema: undefined, schema: { ...empty.schema, inputSchema: loose } },
        fails,
      ],
      settings: { stopSequences: [], topK: 3 },
    });
    const journal = memoryJournal();
    const options = { model: aiSdk(script.model), journal };
    const input: AgentInput = { messages: past, prompt: "And now?" };
    const first = await run(desk, input, options);
    expect(errorOf(first)).toBeUndefined();
    const last = await resume(desk, journal, { ...options, messages: ["Thanks.", " "] });
    expect(errorOf(last)).toBeUndefined();
    expect(script.bodies.length).toBeGreaterThanOrEqual(4);
  });

  it("is told the form of an output that it would not take as it is", async () => {
    const verdict = z.array(z.object({ name: z.string(), years: z.number().optional() }));
    const { model, bodies } = strictModel(
      name,
      major,
      () => '{"value":[{"name":"A","years":null}]}',
    );
    const judge = agent({ name: "judge", output: { schema: verdict } });
    const end = await run(judge, "Judge.", { model: aiSdk(model) });
    expect(errorOf(end)).toBeUndefined();
    expect(end.status === "done" && end.output).toEqual([{ name: "A" }]);
    expect(bodies).toHaveLength(1);
    // It can be read somewhere, whether as a schema or in words.
    expect(JSON.stringify(bodies[0])).toContain("years");
  });

  it("is told of a tool that takes a union, and the tool is given one", async () => {
    const given: unknown[] = [];
    const pay = tool({
      name: "pay",
      inputSchema: z.discriminatedUnion("by", [
        z.object({ by: z.literal("card"), number: z.string(), name: z.string().optional() }),
        z.object({ by: z.literal("cash") }),
      ]),
      idempotent: true,
      execute: (input) => {
        given.push(input);
        return "paid";
      },
    });
    const { model } = strictModel(name, major, (turn) =>
      turn < 2
        ? [
            {
              id: "call_0",
              name: "pay",
              input: {
                value: turn === 0 ? { by: "card", number: "1", name: null } : { by: "cash" },
              },
            },
          ]
        : "Paid.",
    );
    const end = await run(agent({ name: "till", tools: [pay] }), "Pay.", { model: aiSdk(model) });
    expect(errorOf(end)).toBeUndefined();
    expect(given).toEqual([{ by: "card", number: "1" }, { by: "cash" }]);
  });

  it("gives its last answer without tools, and nothing that was found is forgotten", async () => {
    const find = tool({
      name: "find",
      inputSchema: z.object({ q: z.string() }),
      idempotent: true,
      execute: () => "the needle",
    });
    const { model, bodies } = strictModel(name, major, (turn) =>
      turn < 2 ? [{ id: `c${turn}`, name: "find", input: { q: "x" } }] : "Here.",
    );
    const limited = agent({ name: "limited", tools: [find], maxIterations: 2, onLimit: "answer" });
    const end = await run(limited, "Find.", { model: aiSdk(model) });
    expect(errorOf(end)).toBeUndefined();
    expect(JSON.stringify(bodies.at(-1)).match(/the needle/g)).toHaveLength(2);
  });
});

describe.each(majors)("a run that changes its provider, with the clients of ai %i", (major) => {
  const pairs = (Object.keys(servers) as ServerName[]).flatMap((from, _, names) =>
    names.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(pairs)("goes on from %s to %s", async (from, to) => {
    const speak = (turn: number) =>
      turn === 0 ? [{ id: "call_0", name: "shot", input: { page: 1 } }] : "Seen.";
    const desk = agent({ name: "desk", conversation: true, tools: [shot] });
    const journal = memoryJournal();
    const one = strictModel(from, major, speak);
    expect(errorOf(await run(desk, "Look.", { model: aiSdk(one.model), journal }))).toBeUndefined();
    const two = strictModel(to, major, speak);
    const end = await resume(desk, journal, { model: aiSdk(two.model), messages: ["Again."] });
    expect(errorOf(end)).toBeUndefined();
    expect(two.bodies).toHaveLength(2);
  });
});
