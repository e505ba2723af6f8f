// Agents with tools: parallel and alone, retries, time-outs, slots, models that fail, arguments that are
// none; now and then somebody cancels.
import { agent } from "reckoner";
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, AnyReasoner, Scenario } from "../scenario.js";
import { file, keep, look, note, order, pay, search, send } from "./tools.js";

const worker = agent({
  name: "worker",
  system: "worker",
  maxIterations: 5,
  tools: [look, search, send, pay, file, order, note],
});
const keeper = agent({
  name: "keeper",
  system: "keeper",
  maxIterations: 4,
  tools: [look, keep, send],
});

/** An agent's scenario. */
export function agents(name: string): Scenario {
  const chance = chanceOf("oracle", name);
  const reasoner = oneOf(chance, [worker, worker, keeper]);
  const concurrency = whole(chance, 1, 5);
  const attempts = whole(chance, 1, 3);
  const acts: Act[] = [];
  if (chance() < 0.25)
    acts.push({ at: whole(chance, 500, 20_000), do: "cancel", reason: "enough" });
  return {
    name,
    about: `${reasoner.id}, ${concurrency} slots, a model is asked ${attempts} times at most`,
    reasoner: reasoner as unknown as AnyReasoner,
    input: "go",
    model: {
      ms: [200, 4_000],
      turns: whole(chance, 2, 4),
      calls: whole(chance, 2, 6),
      busy: 0.15,
      fails: 0.02,
      broken: 0.03,
      empty: 0.08,
    },
    options: {
      concurrency,
      retry: { attempts, delayMs: 700, maxDelayMs: 2_000 },
      llmTimeoutMs: oneOf(chance, [3_000, 300_000]),
    },
    appends: oneOf(chance, ["at once", "a moment later"]),
    acts,
  };
}
