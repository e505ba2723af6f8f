// An agent that keeps track of its decisions, and a model that says what a test wants it to.

import { type DecisionsConfig, decisions } from "../../src/decisions.js";
import {
  agent,
  type Clock,
  type Json,
  type ModelRequest,
  type Observation,
  type RunOptions,
  run,
  type ScriptedTurn,
  type StorePort,
  scriptedModel,
  type ToolCallRecord,
  toArray,
  virtualClock,
} from "../../src/index.js";

/** A call that the model makes. */
export type Wish = readonly [name: string, input: Json];
/** Each answer: calls, or a text; what a call says may depend on the results so far. */
export type Answers = readonly (
  | string
  | readonly Wish[]
  | ((results: readonly Json[]) => readonly Wish[])
)[];

/** An agent with decision tracking. */
export const tracking = (config: DecisionsConfig = { store: "decisions" }) =>
  agent({ name: "planner", system: "Plan.", plugins: [decisions(config)], maxIterations: 50 });

/** What the tools have said so far, in a request. */
function resultsIn({ messages }: ModelRequest): readonly Json[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) =>
          part.type === "tool-result" && "value" in part.output ? [part.output.value as Json] : [],
        )
      : [],
  );
}

/** A model that gives one answer after the other, by how many there are in the transcript. */
export function answering(answers: Answers, requests: ModelRequest[] = []) {
  return scriptedModel((request): ScriptedTurn => {
    requests.push(request);
    const given = request.messages.filter(({ role }) => role === "assistant").length;
    const answer = answers[given] ?? "done";
    if (typeof answer === "string") return answer;
    const wishes = typeof answer === "function" ? answer(resultsIn(request)) : answer;
    return { calls: wishes.map(([name, input]) => ({ name, input })) };
  });
}

/** A clock that is never asked the same time twice: else what one moment makes is in no order. */
export function ticking(): Clock {
  const clock = virtualClock(1_000);
  let asked = 0;
  return {
    ...clock,
    now() {
      asked += 1;
      return clock.now() + asked;
    },
  };
}

/** Runs the agent, and says all that is to be seen of it. */
export async function track(
  store: StorePort | undefined,
  answers: Answers,
  config?: DecisionsConfig,
  options: RunOptions = {},
) {
  const requests: ModelRequest[] = [];
  const seen: Observation[] = [];
  const end = await run(tracking(config), "Go on.", {
    runId: "run",
    model: answering(answers, requests),
    ...(store === undefined ? {} : { stores: { decisions: store } }),
    observers: [(each) => seen.push(each)],
    ...options,
  });
  const calls: readonly ToolCallRecord[] = toArray(end.context.toolCalls);
  return {
    end,
    results: calls.map(({ output }) => output),
    calls,
    prompts: requests.map(({ system }) => system ?? ""),
    requests,
    notices: seen.filter(({ type }) => type === "notify"),
    seen,
  };
}
