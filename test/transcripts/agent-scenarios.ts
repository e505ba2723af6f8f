// Transcripts of shaped agents: ReAct, a plug-in that awaits, a deadline with a last answer, an output
// by a final tool, a conversation.
import { agent, type Plugin, reactBehaviour, tool } from "reckoner";
import { z } from "zod";
import type { Scenario } from "./scenarios.js";

type Event = Scenario["events"][number];

const usage = { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const wish = (toolName: string, input: object, toolCallId = toolName) => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
});
const says = (id: string, ...content: (string | object)[]): Event =>
  ({
    type: "llm.succeeded",
    id,
    content: content.map((part) =>
      typeof part === "string" ? { type: "text", text: part } : part,
    ),
    finishReason: content.some((part) => typeof part === "object") ? "tool-calls" : "stop",
    usage,
  }) as Event;
const event = (type: string, more: object): Event => ({ type, ...more }) as Event;

const jsonSchema = { type: "object" };
const look = tool({ name: "look", jsonSchema, execute: () => "" });
const ask = tool({ name: "ask", jsonSchema, needsApproval: true, execute: () => "" });
const memory: Plugin = {
  name: "memory",
  issue: (_context, state) => [{ type: "read", store: "memory", query: state }],
  settle: (_context, state, [settled]) => ({
    state: Number(state) + 1,
    prompt: settled?.type === "read.succeeded" ? `You remember: ${settled.value}` : null,
  }),
};
const any = (reasoner: unknown) => reasoner as Scenario["reasoner"];

/** The scenarios. */
export const agentScenarios: readonly Scenario[] = [
  {
    name: "agent-react",
    hypothesis:
      "ReAct's tools are pure: they are settled in the step that brings the calls, each seeing what the\none before it did. After final_answer nobody is asked.",
    reasoner: any(agent({ name: "r", behaviour: reactBehaviour })),
    input: "Solve it.",
    events: [
      says(
        "llm/0",
        wish("plan", { plan: "look" }),
        wish("add_todo", { text: "look" }),
        wish("complete_todo", { id: 1 }),
      ),
      says("llm/1", wish("final_answer", { answer: "42" })),
    ],
  },
  {
    name: "agent-plugin",
    hypothesis:
      "Before each request the plug-in reads and the agent waits for it; what comes back is in the system\nprompt of that request. A read that fails leaves its text out, and the run goes on.",
    reasoner: any(agent({ name: "p", system: "You look.", tools: [look], plugins: [memory] })),
    input: "Look!",
    events: [
      event("read.succeeded", { id: "plugin/0/0/0", value: "the door is red" }),
      says("llm/0", wish("look", {})),
      event("tool.succeeded", { id: "tool/0/0", output: "a door" }),
      event("read.failed", {
        id: "plugin/1/0/0",
        error: { code: "port.failed", message: "gone" },
      }),
      says("llm/1", "It is a red door."),
    ],
  },
  {
    name: "agent-deadline",
    hypothesis:
      "The deadline comes while a tool runs and a person is asked: both are cancelled, each call has its\none result, and the model is asked once more, without tools. What was cancelled comes back as stale.",
    reasoner: any(agent({ name: "d", tools: [look, ask], deadlineMs: 20, onLimit: "answer" })),
    input: "Look!",
    events: [
      says("llm/0", wish("look", {}), wish("ask", {})),
      event("timer.fired", { id: "timer/deadline/0" }),
      event("tool.succeeded", { id: "tool/0/0", output: "late" }),
      says("llm/1", "I do not know yet."),
    ],
  },
  {
    name: "agent-output",
    hypothesis:
      "The output is the call of a tool. Text is answered with a word about that, arguments that do not\nvalidate with what is wrong; the call that validates ends the run.",
    reasoner: any(
      agent({
        name: "o",
        output: { schema: z.object({ city: z.string() }), via: "tool", name: "give" },
      }),
    ),
    input: "Which?",
    events: [
      says("llm/0", "It is Bern."),
      says("llm/1", wish("give", { city: 5 })),
      says("llm/2", wish("give", { city: "Bern" }, "again")),
    ],
  },
  {
    name: "agent-conversation",
    hypothesis:
      "The run is ready after an answer, with nothing outstanding, and takes the next message; it is\ndone when somebody ends it there.",
    reasoner: any(agent({ name: "c", conversation: true, deadlineMs: 20 })),
    input: "Hello",
    events: [
      says("llm/0", "Hi."),
      event("message", { content: "Bye" }),
      says("llm/1", "Bye."),
      event("conversation.end", {}),
    ],
  },
];
