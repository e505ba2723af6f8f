/** The graph without an agent: `npx jiti examples/decisions/direct.ts`. */
import { Decisions, memoryDecisions } from "reckoner/decisions";

/** Builds a small graph, supersedes a decision, and says what an agent is shown of it, and why. */
export async function direct(): Promise<{ readonly shown: string | null; readonly why: string }> {
  const graph = new Decisions(memoryDecisions());

  const goal = await graph.addNode({ type: "goal", label: "Implement auth", confidence: 0.9 });
  const jwt = await graph.addNode({
    type: "decision",
    label: "Use JWT tokens",
    rationale: "Stateless, scales horizontally",
  });
  await graph.addEdge({ fromId: goal.id, toId: jwt.id, edgeType: "leads_to" });

  const { nodes: goals } = await graph.activeGoals();
  const { nodes: recent } = await graph.recentDecisions({ limit: 5 });
  console.log(goals.length, recent.length);

  // Several changes are one transaction: all hold or none does.
  await graph.write([
    { type: "addNode", node: { id: "sessions", type: "decision", label: "Use sessions" } },
    { type: "addNode", node: { id: "redis", type: "option", label: "Keep them in Redis" } },
    { type: "addEdge", edge: { fromId: goal.id, toId: "sessions", edgeType: "leads_to" } },
    { type: "addEdge", edge: { fromId: "sessions", toId: "redis", edgeType: "rejected" } },
    { type: "supersede", oldId: jwt.id, newId: "sessions", rationale: "Tokens cannot be revoked" },
  ]);

  const { steps } = await graph.why("redis");
  return {
    shown: await graph.context(),
    why: steps.map(({ node }) => node.label).join(" > "),
  };
}
