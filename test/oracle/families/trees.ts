// Trees of agents, two and three deep: slots that the tree shares, children beside tools, approvals in
// children, interrupts, drains and cancels of the root while children run.
import { agent, agentTool } from "reckoner";
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, AnyReasoner, Scenario } from "../scenario.js";
import { keep, look, remove, search, send } from "./tools.js";

const leaf = agent({
  name: "leaf",
  system: "leaf",
  maxIterations: 3,
  tools: [look, send, search],
});
const cleaner = agent({
  name: "cleaner",
  system: "cleaner",
  maxIterations: 3,
  tools: [look, remove, keep],
});
const middle = agent({
  name: "middle",
  system: "middle",
  maxIterations: 3,
  tools: [look, agentTool(leaf, { name: "leaf" }), agentTool(cleaner, { name: "cleaner" })],
});
const children = [
  agentTool(leaf, { name: "leaf" }),
  agentTool(cleaner, { name: "cleaner", sequential: true }),
  agentTool(middle, { name: "middle" }),
];
const boss = agent({
  name: "boss",
  system: "boss",
  maxIterations: 3,
  tools: [look, ...children],
});
const chair = agent({
  name: "chair",
  system: "chair",
  conversation: true,
  maxIterations: 3,
  tools: [send, ...children],
});

/** A tree's scenario. */
export function trees(name: string): Scenario {
  const chance = chanceOf("oracle", name);
  const reasoner = oneOf(chance, [boss, chair]);
  const concurrency = whole(chance, 1, 6);
  const acts: Act[] = [];
  const kind = chance();
  const at = whole(chance, 2_000, 30_000);
  if (kind < 0.2) acts.push({ at, do: "cancel", reason: "enough" });
  else if (kind < 0.45 && reasoner === chair) {
    const graceMs = oneOf(chance, [0, 2_000, 9_000]);
    acts.push({ at, do: "interrupt", reason: "stop", graceMs });
    acts.push({ at: at + whole(chance, 500, 12_000), do: "message", text: "and now?" });
  } else if (kind < 0.6) acts.push({ at, do: "drain", ms: oneOf(chance, [0, 3_000]) });
  const depth = oneOf(chance, [8, 8, 8, 1]);
  return {
    name,
    about: `${reasoner.id}, ${concurrency} slots, children ${depth} deep at most; ${acts.map((act) => act.do).join(", ") || "nobody interferes"}`,
    reasoner: reasoner as unknown as AnyReasoner,
    input: "go",
    model: { ms: [200, 4_000], turns: whole(chance, 1, 2), calls: whole(chance, 1, 3), busy: 0.08 },
    options: {
      concurrency,
      retry: { attempts: 2, delayMs: 700 },
      ...(depth === 8 ? {} : { maxDepth: depth }),
    },
    ...(chance() < 0.3 ? { approverMs: [500, 9_000] as const } : {}),
    reviews: true,
    appends: oneOf(chance, ["at once", "a moment later"]),
    acts,
  };
}
