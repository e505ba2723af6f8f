/** What searches for one right answer have in common, whichever way they go. */
import {
  type OperationSpec,
  type Thought,
  type ThoughtsDone,
  type ThoughtsProgress,
  thoughtGraph,
} from "reckoner/thoughts";

/** What a search has to know of its task. */
export interface Search<State extends object> {
  /** Makes thoughts one step further. */
  readonly expand: OperationSpec<State>;
  /** Says whether one is right, in the end. */
  readonly check: OperationSpec<State>;
  readonly isSolved: (thought: Thought<State>) => boolean;
  /** Whether nothing can come after it. */
  readonly isLeaf: (thought: Thought<State>) => boolean;
}

/** The thoughts that an operation has handed on. */
export function outputOf<State extends object>(
  graph: ThoughtsProgress<State>["graph"],
  done: ThoughtsDone | null,
): readonly Thought<State>[] {
  return (done?.output ?? []).flatMap(({ id }) => thoughtGraph.getThought(graph, id) ?? []);
}

/** The result is among what was checked: what is not solved is not an answer here. */
export function solvedOnes<State extends object>({
  graph,
}: Pick<ThoughtsProgress<State>, "graph">): readonly string[] {
  return thoughtGraph
    .listThoughts(graph)
    .filter(({ solved }) => solved === true)
    .map(({ id }) => id);
}
