// The same loop in each of the peers, written as their own documentation writes it.
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  END,
  MemorySaver,
  messagesStateReducer,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { Agent, tool as openaiTool, run, setTracingDisabled, Usage } from "@openai/agents";
import * as ai6 from "ai";
import * as ai7 from "ai-7";
import { z } from "zod";

setTracingDisabled(true);
const SYSTEM = "Call echo until you are told to stop.";
const schema = z.object({});

/** The AI SDK: `generateText` with a tool. */
function aiSdk({ generateText, stepCountIs, isStepCount, tool }, version) {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  };
  return async (turns) => {
    let asked = 0;
    const model = {
      specificationVersion: version,
      provider: "bench",
      modelId: "instant",
      supportedUrls: {},
      doGenerate: async () => {
        asked += 1;
        const done = asked > turns;
        const unified = done ? "stop" : "tool-calls";
        return {
          content: done
            ? [{ type: "text", text: "done" }]
            : [{ type: "tool-call", toolCallId: `call-${asked}`, toolName: "echo", input: "{}" }],
          finishReason: { unified, raw: unified },
          usage,
          warnings: [],
        };
      },
    };
    const echo = tool({ description: "echo", inputSchema: schema, execute: async () => "ok" });
    const { text } = await generateText({
      model,
      system: SYSTEM,
      prompt: "go",
      tools: { echo },
      stopWhen: (stepCountIs ?? isStepCount)(turns + 1),
    });
    if (text !== "done") throw new Error("The AI SDK's loop has not come to its end.");
  };
}

/** LangGraph.js: a graph of two nodes. @param saver whether each step is kept in memory */
function langGraph(saver) {
  return async (turns) => {
    let asked = 0;
    const State = Annotation.Root({
      messages: Annotation({ reducer: messagesStateReducer, default: () => [] }),
    });
    const graph = new StateGraph(State)
      .addNode("model", async () => {
        asked += 1;
        const calls = asked > turns ? [] : [{ id: `call-${asked}`, name: "echo", args: {} }];
        return {
          messages: [
            new AIMessage({ content: calls.length === 0 ? "done" : "", tool_calls: calls }),
          ],
        };
      })
      .addNode("tools", async ({ messages }) => {
        const [{ id }] = messages.at(-1).tool_calls;
        return { messages: [new ToolMessage({ content: "ok", tool_call_id: id })] };
      })
      .addEdge(START, "model")
      .addConditionalEdges("model", ({ messages }) =>
        messages.at(-1).tool_calls.length > 0 ? "tools" : END,
      )
      .addEdge("tools", "model")
      .compile(saver ? { checkpointer: new MemorySaver() } : {});
    const { messages } = await graph.invoke(
      { messages: [new HumanMessage("go")] },
      { recursionLimit: 2 * turns + 5, ...(saver ? { configurable: { thread_id: "bench" } } : {}) },
    );
    if (messages.at(-1).content !== "done")
      throw new Error("LangGraph's loop has not come to its end.");
  };
}

/** OpenAI Agents: `run` with a tool. */
async function openaiAgents(turns) {
  let asked = 0;
  const model = {
    async getResponse() {
      asked += 1;
      const done = asked > turns;
      return {
        usage: new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 }),
        output: [
          done
            ? {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: "done" }],
              }
            : {
                type: "function_call",
                callId: `call-${asked}`,
                name: "echo",
                arguments: "{}",
                status: "completed",
              },
        ],
      };
    },
  };
  const echo = openaiTool({
    name: "echo",
    description: "echo",
    parameters: schema,
    execute: async () => "ok",
  });
  const agent = new Agent({ name: "worker", instructions: SYSTEM, tools: [echo], model });
  const { finalOutput } = await run(agent, "go", { maxTurns: turns + 1 });
  if (finalOutput !== "done") throw new Error("OpenAI Agents' loop has not come to its end.");
}

export const peers = {
  "AI SDK 6": aiSdk(ai6, "v3"),
  "AI SDK 7": aiSdk(ai7, "v4"),
  "LangGraph.js": langGraph(false),
  "LangGraph.js with MemorySaver": langGraph(true),
  "OpenAI Agents": openaiAgents,
};
