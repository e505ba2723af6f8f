/** The graph of a search: the states found, how each was reached, and where each leads. */
import type { RunState } from "../../core/kernel/machine/index.js";
import type { Possible } from "./alphabet.js";
import type { Memories } from "./monitor.js";
import type { HistoryStep } from "./world.js";

/** A state that was found. */
export interface Node<Context> {
  readonly number: number;
  readonly state: RunState<Context>;
  readonly memories: Memories;
  /** Events from the start. */
  readonly depth: number;
  readonly from: Node<Context> | undefined;
  /** The step that led here, from `from`. */
  readonly taken: HistoryStep<Context>;
  /** The nodes that it leads to by other events than a cancel. */
  readonly next: Set<Node<Context>>;
  /** Answers that need not be taken here, since another order of the same leads to the same. */
  readonly asleep: Map<string, Possible>;
  /** Something may happen here that is not a part of the search. */
  open: boolean;
  /** All that may happen here was taken, or need not be. */
  expanded: boolean;
  /** The run can be over here: it ended, waits, or breaks a law. */
  end: boolean;
}

/** The shortest way to a state, the start first. */
export function wayTo<Context>(node: Node<Context>): HistoryStep<Context>[] {
  const way: HistoryStep<Context>[] = [];
  for (let at: Node<Context> | undefined = node; at !== undefined; at = at.from) way.push(at.taken);
  return way.reverse();
}

/** The states from which no end, and nothing that was not looked at, can be reached; in order. */
export function trapsIn<Context>(nodes: readonly Node<Context>[]): readonly Node<Context>[] {
  const before = nodes.map((): Node<Context>[] => []);
  for (const node of nodes) for (const next of node.next) before[next.number]?.push(node);
  const free = new Set(nodes.filter(({ end, open, expanded }) => end || open || !expanded));
  for (const node of free) for (const each of before[node.number] ?? []) free.add(each);
  return nodes.filter((node) => !free.has(node));
}
