// Approvals: decided at hand, while the run waits, from outside while the run is live, twice, too late, or by nobody.
import { type ApprovalDecision, agent } from "reckoner";
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, AnyReasoner, Scenario } from "../scenario.js";
import { look, note, remove, scripted, send } from "./tools.js";

const transfer = scripted(
  { name: "transfer", ms: [300, 3_000], fails: 0.1 },
  { needsApproval: true, sequential: true },
);
const clerk = agent({
  name: "clerk",
  system: "clerk",
  maxIterations: 4,
  tools: [look, send, remove, transfer, note],
});

/** An approval's scenario. */
export function approvals(name: string): Scenario {
  const chance = chanceOf("oracle", name);
  const how = oneOf(chance, ["at hand", "while it waits", "from outside", "nobody"] as const);
  const concurrency = whole(chance, 1, 4);
  const decision = (): ApprovalDecision =>
    chance() < 0.7 ? { approve: true, by: "outside" } : { approve: false, by: "outside" };
  const acts: Act[] = [];
  if (how !== "nobody") {
    // Some name an approval that waits; others one that does not, or no more.
    for (let i = 0; i < whole(chance, 2, 8); i++) {
      const id = `approval/${whole(chance, 0, 2)}/${whole(chance, 0, 3)}`;
      acts.push({ at: whole(chance, 1_000, 25_000), do: "decide", id, decision: decision() });
    }
  }
  if (chance() < 0.2) acts.push({ at: whole(chance, 2_000, 20_000), do: "cancel", reason: "no" });
  acts.sort((a, b) => a.at - b.at);
  return {
    name,
    about: `decided ${how === "nobody" ? "by nobody" : how}, ${concurrency} slots`,
    reasoner: clerk as unknown as AnyReasoner,
    input: "tidy up",
    model: { ms: [200, 3_000], turns: whole(chance, 1, 3), calls: whole(chance, 2, 5) },
    options: {
      concurrency,
      retry: { delayMs: 700 },
      ...(how === "nobody" ? { unattended: oneOf(chance, ["wait", "deny"] as const) } : {}),
    },
    ...(how === "at hand" ? { approverMs: [300, 9_000] as const } : {}),
    reviews: how !== "nobody",
    appends: oneOf(chance, ["at once", "a moment later"]),
    acts,
  };
}
