/**
 * The quick start with an agent: it plans, and keeps track of its goals and decisions in a graph that
 * outlives the run. It is a configuration for the command line:
 * `PLAN=plan.duckdb npx --no reckoner run examples/decisions/planner.ts --journal plan.jsonl`, and once more
 * with another journal to see that the second run begins where the first left off.
 */
import {
  agent,
  defineConfig,
  type Json,
  type ModelPort,
  type ModelRequest,
  type ScriptedTurn,
  scriptedModel,
} from "reckoner";
import { decisions, memoryDecisions } from "reckoner/decisions";
import { duckdbDecisions } from "reckoner/decisions/duckdb";

/** What the agent is asked. */
export const task = "Plan and implement user authentication.";

/** The agent. Everything but the name of the store has a default. */
export const planner = agent({
  name: "planner",
  system: "You plan software. Be brief.",
  plugins: [decisions({ store: "decisions" })],
});

/** What the model calls next, by the results of its calls so far. */
type Move = (ids: readonly string[]) => readonly { readonly name: string; readonly input: Json }[];
const call = (name: string, input: { readonly [argument: string]: Json }) => ({ name, input });

/** The first run: it plans, and thinks better of its first decision. */
const planning: readonly Move[] = [
  () => [call("add_goal", { label: "Plan and implement user authentication", confidence: 0.9 })],
  ([goal = ""]) => [
    call("record_decision", {
      label: "Use JWT tokens",
      parent_id: goal,
      confidence: 0.7,
      rationale: "Stateless, scales horizontally",
    }),
    call("record_option", { label: "Log in through a third party only", parent_id: goal }),
  ],
  ([, , option = ""]) => [
    call("record_option", {
      id: option,
      outcome: "rejected",
      rationale: "Not every customer has an account there",
    }),
  ],
  ([goal = "", jwt = ""]) => [
    call("supersede_decision", {
      old_id: jwt,
      label: "Use sessions on the server",
      parent_id: goal,
      confidence: 0.85,
      rationale: "Tokens cannot be revoked",
    }),
  ],
];

/** The second run: all that it knows of the first is what the graph shows it. */
const implementing = (shown: string): readonly Move[] => {
  const idOf = (label: string) => new RegExp(`\\[(\\S+)\\] ${label}`).exec(shown)?.[1] ?? "";
  const goal = idOf("Plan and implement user authentication");
  const sessions = idOf("Use sessions on the server");
  return [
    () => [call("record_option", { label: "Keep sessions in Redis", parent_id: sessions })],
    ([option = ""]) => [
      call("record_option", { id: option, outcome: "chosen" }),
      call("record_outcome", { label: "Log-in works, 14 tests pass", parent_id: sessions }),
      call("complete_goal", { goal_id: goal }),
    ],
  ];
};

/** The ids that the tools have answered with, in the order of the calls. */
function idsIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role !== "tool"
      ? []
      : message.content.map((part) => {
          const output = part.type === "tool-result" && "value" in part.output ? part.output : null;
          return (output?.value as { readonly id?: string } | undefined)?.id ?? "";
        }),
  );
}

/** A model from a script, so that the example needs no key. */
export function scriptedPlanner(): ModelPort {
  let shown = "";
  return scriptedModel((request): ScriptedTurn => {
    const turn = request.messages.filter(({ role }) => role === "assistant").length;
    if (turn === 0) shown = request.system ?? "";
    const goesOn = turn === 0 ? isPlanned(shown) : isPlanned(firstCall(request));
    const move = (goesOn ? implementing(shown) : planning)[turn];
    if (move !== undefined) return { calls: move(idsIn(request)) };
    return goesOn ? "It is implemented, and its tests pass." : "The plan stands.";
  });
}

const isPlanned = (text: string) =>
  /Plan and implement user authentication \(status|sessions in Redis/.test(text);

/** The first call in the transcript, as text: which of the two runs it is. */
function firstCall({ messages }: ModelRequest): string {
  return JSON.stringify(messages.find(({ role }) => role === "assistant") ?? "");
}

const { PLAN: path, PLAN_RUN: runId } = process.env;

export default defineConfig({
  reasoner: planner,
  input: task,
  model: scriptedPlanner(),
  options: {
    stores: { decisions: path === undefined ? memoryDecisions() : duckdbDecisions({ path }) },
    ...(runId === undefined ? {} : { runId }),
  },
});
