// Conversations: answers that stream, messages while it waits and in the middle, interrupts with and without a
// grace, drains and cancels.
import { agent } from "reckoner";
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, AnyReasoner, Scenario } from "../scenario.js";
import { file, look, note, pay, remove, search, send } from "./tools.js";

const talker = agent({
  name: "talker",
  system: "talker",
  conversation: true,
  maxIterations: 4,
  tools: [look, search, send, pay, file, note],
});
const careful = agent({
  name: "careful",
  system: "careful",
  conversation: true,
  maxIterations: 3,
  tools: [look, remove, pay],
});

/** A conversation's scenario. */
export function conversations(name: string): Scenario {
  const chance = chanceOf("oracle", name);
  const reasoner = oneOf(chance, [talker, talker, careful]);
  const concurrency = whole(chance, 1, 4);
  const acts: Act[] = [];
  const count = whole(chance, 1, 4);
  for (let i = 0; i < count; i++) {
    acts.push({ at: whole(chance, 1_000, 40_000), do: "message", text: `and ${i}?` });
  }
  const winds = whole(chance, 1, 3);
  for (let i = 0; i < winds; i++) {
    const at = whole(chance, 500, 30_000);
    const kind = chance();
    if (kind < 0.35) acts.push({ at, do: "interrupt", reason: "stop", graceMs: 0 });
    else if (kind < 0.75) {
      acts.push({ at, do: "interrupt", reason: "wait", graceMs: whole(chance, 500, 6_000) });
    } else acts.push({ at, do: "drain", ms: oneOf(chance, [0, 1_500, 6_000]) });
  }
  if (chance() < 0.3) acts.push({ at: whole(chance, 20_000, 60_000), do: "cancel", reason: "bye" });
  acts.sort((a, b) => a.at - b.at);
  return {
    name,
    about: `${reasoner.id}, ${concurrency} slots; ${acts.map((act) => act.do).join(", ")}`,
    reasoner: reasoner as unknown as AnyReasoner,
    input: "hello",
    model: { ms: [400, 5_000], turns: 9, calls: whole(chance, 1, 4), pieces: whole(chance, 0, 4) },
    options: { concurrency, retry: { attempts: 2, delayMs: 700 }, llmTimeoutMs: 60_000 },
    ...(chance() < 0.5 ? { approverMs: [500, 6_000] as const } : {}),
    reviews: true,
    appends: oneOf(chance, ["at once", "a moment later"]),
    acts,
  };
}
