/**
 * A run of thoughts whose best path is written into a decision graph: the question becomes a goal,
 * each thought on the way to the best one an option that was chosen, and what was thought beside it
 * options that were rejected. `npx jiti examples/decisions/thoughts.ts`
 */
import { run } from "reckoner";
import { Decisions, type OpenOperation, type StorePort } from "reckoner/decisions";
import { type ThoughtGraph, thoughtGraph } from "reckoner/thoughts";
import { simulatedModel } from "../thoughts/simulated-model.js";
import { sorter, sortingCase } from "../thoughts/sorting.js";

/** The best path of a run of thoughts as operations: one transaction. */
export function pathAsDecisions(
  graph: ThoughtGraph<object>,
  best: string,
  runId: string,
  goal: string,
): readonly OpenOperation[] {
  // A thought's id is unique in its run, and the run's among all.
  const nodeId = (thought: string) => `${runId}/${thought}`;
  const path = thoughtGraph.tracePath(graph, best);
  const onPath = new Set(path.map(({ id }) => id));
  return path.flatMap((thought): OpenOperation[] => {
    const isRoot = thought === path[0];
    const node: OpenOperation = {
      type: "addNode",
      node: isRoot
        ? { id: nodeId(thought.id), type: "goal", label: goal }
        : { id: nodeId(thought.id), type: "option", label: thought.content },
    };
    const [parent] = path.slice(path.indexOf(thought) - 1);
    const chosen: OpenOperation[] =
      isRoot || parent === undefined
        ? []
        : [
            {
              type: "addEdge",
              edge: { fromId: nodeId(parent.id), toId: nodeId(thought.id), edgeType: "chosen" },
            },
          ];
    const beside = thoughtGraph
      .children(graph, thought.id)
      .filter(({ id, content }) => !onPath.has(id) && content.trim() !== "")
      .flatMap(({ id, content }): OpenOperation[] => [
        {
          type: "addNode",
          node: { id: nodeId(id), type: "option", label: content, status: "rejected" },
        },
        {
          type: "addEdge",
          edge: { fromId: nodeId(thought.id), toId: nodeId(id), edgeType: "rejected" },
        },
      ]);
    return [node, ...chosen, ...beside];
  });
}

/** Sorts a list by thoughts, and writes how into a store of decisions. */
export async function thinkAndRecord(store: StorePort, seed = "decisions"): Promise<string> {
  const size = 32;
  const end = await run(sorter("tot", size), sortingCase(seed, size), {
    model: simulatedModel(),
    seed,
  });
  if (end.status !== "done") throw new Error(`The run ended as ${end.status}: ${end.reason}.`);
  const { thought } = end.output;
  if (thought === null) throw new Error("Nothing was thought.");
  const operations = pathAsDecisions(end.context.graph, thought, end.runId, `Sort ${size} numbers`);
  // The same run written twice has no second effect.
  await new Decisions(store).write(operations, { idempotencyKey: end.runId });
  return `${end.runId}/${thought}`;
}
