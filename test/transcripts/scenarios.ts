// The transcripts' scenarios: each says what it is to show, and which events happen.
import { agent, contextUpdate, type Reasoner, tool } from "reckoner";
import { defineReasoner, setupReasoner } from "reckoner/kernel";

/** One transcript. */
export interface Scenario {
  readonly name: string;
  /** What the transcript shows, in a few lines; it opens the file. */
  readonly hypothesis: string;
  readonly reasoner: Reasoner<never, unknown, unknown>;
  readonly input: unknown;
  readonly events: readonly { readonly type: string; readonly [part: string]: unknown }[];
}

const jsonSchema = { type: "object" };
const desk = agent({
  name: "desk",
  system: "You tidy up.",
  maxIterations: 2,
  deps: { seen: 0 },
  tools: [
    tool({ name: "list", jsonSchema, execute: () => "" }),
    tool({ name: "read", jsonSchema, execute: () => "" }),
    tool({
      name: "remove",
      jsonSchema,
      needsApproval: true,
      execute: () => "",
    }),
  ],
}) as unknown as Scenario["reasoner"];

const usage = { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const call = (name: string, at: string, id: string) => ({
  type: "tool-call",
  toolCallId: id,
  toolName: name,
  input: { path: at },
});
const says = (n: number, ...content: object[]) => ({
  type: "llm.succeeded",
  id: `llm/${n}`,
  content,
  finishReason: content.some((part) => "toolName" in part) ? "tool-calls" : "stop",
  usage,
});
const text = (words: string) => ({ type: "text", text: words });
const did = (id: string, output: unknown, more: object = {}) => ({
  type: "tool.succeeded",
  id,
  output,
  ...more,
});
const decided = (id: string, approve: boolean, more: object = {}) => ({
  type: "approval.decided",
  id,
  approve,
  ...more,
});

const { createMachine } = setupReasoner<{ readonly n: number }, null, { type: "divide" }>();
const divider = defineReasoner({
  id: "divider",
  machine: createMachine({
    context: { n: 0 },
    initial: "ready",
    entry: { type: "issue", params: { type: "timer", id: "timer/0", until: 60_000 } },
    states: {
      ready: {
        on: {
          divide: {
            guard: ({ context }) => {
              if (context.n === 0) throw new Error("division by zero");
              return true;
            },
            target: "divided",
          },
        },
      },
      divided: { type: "final" },
    },
  }),
}) as unknown as Scenario["reasoner"];

export const scenarios: readonly Scenario[] = [
  {
    name: "plain-answer",
    hypothesis: "A model that answers without calling a tool ends the run; its text is the output.",
    reasoner: desk,
    input: "Hello?",
    events: [says(0, text("Hello."))],
  },
  {
    name: "parallel-batch-out-of-order",
    hypothesis: `Three calls of one answer are issued side by side. They come back last to first; the next
request shows their results in call order, and their context updates are applied in call order.`,
    reasoner: desk,
    input: "What is in a, b and c?",
    events: [
      says(
        0,
        text("I look."),
        call("list", "a", "x"),
        call("read", "b", "y"),
        call("list", "c", "z"),
      ),
      did("tool/0/2", ["c1"], { update: contextUpdate().append("order", "c").operations }),
      did("tool/0/1", "text of b", { update: contextUpdate().append("order", "b").operations }),
      did("tool/0/0", ["a1"], { update: contextUpdate().append("order", "a").operations }),
      says(1, text("a1, b and c1.")),
    ],
  },
  {
    name: "approval-edit",
    hypothesis: `A call that needs approval waits for a person. Approved with other arguments, the tool runs
with those; the record shows what ran, the model's own message stays as the model wrote it.`,
    reasoner: desk,
    input: "Remove the draft.",
    events: [
      says(0, call("remove", "/", "x")),
      decided("approval/0/0", true, { input: { path: "draft.md" }, by: "ada" }),
      did("tool/0/0", "gone"),
      says(1, text("The draft is gone.")),
    ],
  },
  {
    name: "cancel-in-the-middle",
    hypothesis: `Cancelled while one call is settled, one runs and one waits for a person: each has its one
result in the transcript, the effects that are outstanding are cancelled, and the late result changes
nothing, not even the sequence number.`,
    reasoner: desk,
    input: "Tidy up.",
    events: [
      says(0, call("list", "a", "x"), call("read", "b", "y"), call("remove", "c", "z")),
      did("tool/0/0", ["a1"]),
      { type: "cancel", reason: "enough" } as never,
      did("tool/0/1", "late"),
    ],
  },
  {
    name: "message-while-thinking",
    hypothesis: `What the user says while the model thinks waits for the answer, comes behind it in the
transcript, and is answered in another iteration.`,
    reasoner: desk,
    input: "What is in a?",
    events: [
      { type: "message", content: "And in b?" } as never,
      says(0, text("a1 is in a.")),
      says(1, text("And b1 in b.")),
    ],
  },
  {
    name: "max-iterations",
    hypothesis: `A model that calls tools for ever is asked as often as it may be (twice), and the run fails
with a valid transcript.`,
    reasoner: desk,
    input: "Count for ever.",
    events: [
      says(0, call("list", "a", "x")),
      did("tool/0/0", []),
      says(1, call("list", "a", "x")),
      did("tool/1/0", []),
    ],
  },
  {
    name: "stale-and-duplicate",
    hypothesis: `A settlement that comes twice, one for an id that was never issued, one of another type, an
event that nobody handles and a second start change nothing but the sequence number, and say why.`,
    reasoner: desk,
    input: "What is in a?",
    events: [
      says(0, call("list", "a", "x"), call("list", "b", "y")),
      did("tool/0/0", ["a1"]),
      did("tool/0/0", ["something else"]),
      did("tool/7/7", "from nowhere"),
      { type: "llm.failed", id: "tool/0/1", error: { code: "x", message: "y" } } as never,
      { type: "ping" } as never,
      { type: "start" } as never,
      did("tool/0/1", ["b1"]),
    ],
  },
  {
    name: "machine-fault",
    hypothesis: `A guard that throws (K6) ends the run as failed with a stable code and the place; the state and
the context before are kept, what is outstanding is cancelled, and the engine's words are in no state.`,
    reasoner: divider,
    input: null,
    events: [{ type: "divide" } as never],
  },
];
