// Observers in strict consumer code: one that says whose states it reads goes where any observer does.
import {
  type AgentContext,
  agent,
  agentCallbacks,
  type Observation,
  type Observer,
  type RunOptions,
  resume,
  run,
  toArray,
} from "reckoner";
import type { ThoughtsContext } from "reckoner/thoughts";
import { expectTypeOf, test } from "vitest";

const one = agent({ name: "a" });

test("an observer of an agent's runs reads its context", () => {
  const watch: Observer<AgentContext> = (seen) => {
    if (seen.type !== "step") return;
    expectTypeOf(seen.state.context).toEqualTypeOf<AgentContext>();
    toArray(seen.state.context.messages);
  };
  run(one, "x", { observers: [watch] });
  resume(one, "run.jsonl", { observers: [watch, agentCallbacks({})] });
  const options: RunOptions = { observers: [watch] };
  run(one, "x", options);
});

test("what is written in its place may say it as well, and without a word the context is unknown", () => {
  run(one, "x", {
    observers: [
      (seen: Observation<AgentContext>) => seen.type === "step" && seen.state.context.iteration,
      async (seen: Observation<ThoughtsContext>) => void seen,
      (seen) => {
        if (seen.type === "step") expectTypeOf(seen.state.context).toEqualTypeOf<unknown>();
      },
    ],
  });
});

test("what is no observer is an error", () => {
  // @ts-expect-error it is shown observations
  run(one, "x", { observers: [(seen: string) => seen.length] });
  // @ts-expect-error no function
  run(one, "x", { observers: ["log"] });
});
