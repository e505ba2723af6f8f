// Tools whose arguments are a text of any form (OpenAI's custom tools), through its clients of both majors.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { agent, memoryJournal, replay, run, tool } from "../../../../src/index.js";
import { answer, decided, resultsOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { majors } from "../../../support/provider-model.js";
import { refusal } from "../../../support/thrown.js";
import { openaiResponse } from "./wire-support.js";

const provider = {
  id: "openai.custom",
  args: { description: "Runs SQL", format: { type: "text" } },
};
const make = (more: object = {}) =>
  tool({
    name: "sql",
    provider,
    inputSchema: z.string().max(40),
    execute: (text) => `ran ${text}`,
    ...more,
  });
const SQL = 'SELECT "a" FROM t';

describe("a tool of free text", () => {
  it.each(majors)("is called with the text, which goes back as it was: ai %i", async (major) => {
    const bodies: { tools: object[]; input: object[] }[] = [];
    const said = [
      {
        type: "custom_tool_call",
        id: "ctc_1",
        call_id: "c1",
        name: "sql",
        input: SQL,
        status: "completed",
      },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Done.", annotations: [] }],
      },
    ];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)));
      return Response.json(openaiResponse([said[bodies.length - 1] as object]));
    };
    const client = (major === 6 ? createOpenAI : createOpenAIOf7)({ apiKey: "k", fetch });
    const desk = agent({ name: "desk", tools: [make()] });
    const journal = memoryJournal();
    const end = await run(desk, "go", { model: aiSdk(client.responses("gpt-5-mini")), journal });
    expect(end).toMatchObject({ status: "done", output: "Done." });
    expect(resultsOf(end.context)).toEqual([`ran ${SQL}`]);
    expect(bodies[0]?.tools).toMatchObject([
      { type: "custom", name: "sql", description: "Runs SQL" },
    ]);
    expect(bodies[1]?.input).toMatchObject([
      {},
      { type: "custom_tool_call", call_id: "c1", name: "sql", input: SQL },
      { type: "custom_tool_call_output", call_id: "c1", output: `ran ${SQL}` },
    ]);
    expect((await replay(desk, journal)).status).toBe("identical");
  });

  it("is checked by its schema, and takes nothing else than a text", () => {
    const beforeTool = ({ deps }: { deps: object }) =>
      "modify" in deps ? ({ type: "modify", input: { sql: 1 } } as const) : undefined;
    const started = (deps = {}) =>
      byHand(agent({ name: "a", tools: [make()], plugins: [{ name: "judge", beforeTool }] }), {
        prompt: "x",
        deps,
      });
    const long = started();
    long.take(answer(0, wish("sql", "x".repeat(41))));
    expect(resultsOf(long.context)[0]).toContain("did not match the schema");
    const modified = started({ modify: true });
    modified.take(answer(0, wish("sql", SQL)));
    expect(resultsOf(modified.context)[0]).toContain('takes a text and was called with {"sql":1}');
  });

  it("is edited by a person to another text, and to nothing else", () => {
    const one = agent({ name: "a", tools: [make({ needsApproval: true })] });
    const run = byHand(one, "x");
    run.take(answer(0, wish("sql", SQL)));
    const { ignored } = run.take(decided("approval/0/0", true, { input: { sql: 1 } }));
    expect(ignored).toMatchObject({ code: "approval.input" });
    run.take(decided("approval/0/0", true, { input: "SELECT 1" }));
    expect(run.directive("tool/0/0")).toMatchObject({ input: "SELECT 1" });
  });

  it("is the provider's to define: a tool of ours takes an object", () => {
    const ours = () => tool({ name: "sql", inputSchema: z.string(), execute: () => "" });
    expect(refusal(ours).message).toContain("a call's are an object; wrap them in one");
    const named = byHand(
      agent({ name: "a", tools: [tool({ name: "t", execute: () => "" })] }),
      "x",
    );
    named.take(answer(0, wish("t", "text")));
    expect(resultsOf(named.context)[0]).toContain("not an object");
  });
});
