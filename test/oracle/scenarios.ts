// All scenarios of the oracle, by family; each family has a fixture of its own.
import { agents } from "./families/agents.js";
import { approvals } from "./families/approvals.js";
import { conversations } from "./families/conversations.js";
import { kills } from "./families/kills.js";
import { machines } from "./families/machines.js";
import { thoughts } from "./families/thoughts.js";
import { trees } from "./families/trees.js";
import type { Scenario } from "./scenario.js";

/** How many scenarios each family has: 300 in all. */
const COUNTS = {
  agents: 50,
  approvals: 30,
  conversations: 50,
  trees: 50,
  machines: 40,
  thoughts: 30,
  kills: 50,
};
const FAMILIES = { agents, approvals, conversations, trees, machines, thoughts, kills };

/** A family's name. */
export type Family = keyof typeof FAMILIES;

/** The names of all families. */
export const families = Object.keys(FAMILIES) as readonly Family[];

/** A family's scenarios. */
export function scenariosOf(family: Family): readonly Scenario[] {
  return Array.from({ length: COUNTS[family] }, (_, i) =>
    FAMILIES[family](`${family} ${String(i + 1).padStart(2, "0")}`),
  );
}
