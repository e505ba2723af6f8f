// Processes that die: between two moments, and as they call a model, a tool or a store; each time another
// one goes on from the journal.
import { chanceOf, oneOf, whole } from "../chance.js";
import type { Act, Scenario } from "../scenario.js";
import { agents } from "./agents.js";
import { approvals } from "./approvals.js";
import { conversations } from "./conversations.js";
import { machines } from "./machines.js";
import { thoughts } from "./thoughts.js";
import { trees } from "./trees.js";

/** A scenario of another family, with kills. */
export function kills(name: string): Scenario {
  const chance = chanceOf("oracle", "kills", name);
  const family = oneOf(chance, [
    agents,
    approvals,
    conversations,
    machines,
    thoughts,
    trees,
    trees,
  ]);
  const scenario = family(name);
  const killed: Act[] = [];
  for (let i = 0; i < whole(chance, 0, 2); i++) {
    killed.push({ at: whole(chance, 300, 25_000), do: "kill" });
  }
  const lives = Array.from({ length: whole(chance, 1, 3) }, () =>
    chance() < 0.7 ? whole(chance, 1, 7) : undefined,
  );
  const acts = [...scenario.acts, ...killed].sort((a, b) => a.at - b.at);
  const calls = lives.map((call) => call ?? "no").join(", ");
  return {
    ...scenario,
    about: `${family.name}: ${scenario.about}; killed ${killed.length} times, and at call ${calls}`,
    acts,
    lives,
  };
}
