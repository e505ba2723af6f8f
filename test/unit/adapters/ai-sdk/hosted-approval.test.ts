// A hosted tool of OpenAI's asks before it runs: a person is asked, and the provider is told the answer.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import { describe, expect, it } from "vitest";
import { fromAiSdkTools } from "../../../../src/adapters/ai-sdk/index.js";
import {
  type AgentContext,
  agent,
  memoryJournal,
  resume,
  run,
  toArray,
} from "../../../../src/index.js";
import { recordsOf } from "../../../support/agent-events.js";
import { type Major, majors } from "../../../support/provider-model.js";
import { events, openaiResponse, openaiText, portTo, report } from "./wire-support.js";

const createOpenAIOf = (major: Major) => (major === 7 ? createOpenAIOf7 : createOpenAI);
const question = {
  type: "mcp_approval_request",
  id: "mcpr_1",
  server_label: "files",
  name: "remove",
  arguments: '{"path":"/tmp/x"}',
};
const answered = (approve: boolean) => ({
  store: true,
  input: [
    { role: "user" },
    { type: "item_reference", id: "mcpr_1" },
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve },
  ],
});

const helperOf = (major: Major) => {
  const mcp = createOpenAIOf(major)({ apiKey: "none" }).tools.mcp({
    serverLabel: "files",
    serverUrl: "https://files.example.test",
    requireApproval: "always",
  });
  return agent({ name: "helper", tools: fromAiSdkTools({ files: mcp }) });
};

describe.each(majors)("a hosted tool's question, with the clients of ai %i", (major) => {
  it.each([
    [{ approve: true }, true, "succeeded"],
    [{ approve: false, reason: "Not that one." }, false, "rejected"],
  ])("is an approval of the run: %j", async (decision, approve, status) => {
    const model = await portTo("openai-responses", major, [
      { body: openaiResponse([question]), expect: { store: true } },
      { body: openaiResponse([openaiText("Done as you say.")]), expect: answered(approve) },
    ]);
    const helper = helperOf(major);
    const journal = memoryJournal();
    const waiting = await run(helper, "Remove it.", { model, journal });
    expect(waiting.status).toBe("waiting");
    const [approval] = "approvals" in waiting ? waiting.approvals : [];
    expect(approval).toMatchObject({
      subject: { tool: "mcp.remove", input: { path: "/tmp/x" } },
    });
    const end = await resume(helper, journal, {
      model,
      approvals: { [approval?.id as string]: decision },
    });
    expect(end).toMatchObject({ status: "done", output: "Done as you say." });
    expect(report()).toEqual({ served: 2, mismatches: [] });
    expect(recordsOf(end.context as AgentContext)).toMatchObject([{ name: "mcp.remove", status }]);
    expect(toArray(end.context.messages).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
  });

  it("is one in a stream too", async () => {
    const added = { type: "response.output_item.added", output_index: 0, item: question };
    const chunks = [
      {
        type: "response.created",
        response: { id: "r", created_at: 1, model: "gpt-5-mini", service_tier: null },
      },
      added,
      { ...added, type: "response.output_item.done" },
      { type: "response.completed", response: openaiResponse([question]) },
    ];
    const body = events(chunks, "");
    const model = await portTo("openai-responses", major, [{ body }], { stream: true });
    const waiting = await run(helperOf(major), "Remove it.", { model, journal: memoryJournal() });
    expect(waiting).toMatchObject({
      status: "waiting",
      approvals: [{ title: expect.any(String) }],
    });
  });
});
