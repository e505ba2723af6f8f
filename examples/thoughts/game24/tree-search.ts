/**
 * Monte-Carlo tree search: a policy of one's own. In each round the tree is walked down to where it is
 * worth most to look (by the upper confidence bound of Kocsis and Szepesvári, 2006), a thought is
 * expanded there, some of what comes of it are played to the end side by side, and what they came to
 * is added up along the way to the root.
 */

import { type Table, tables } from "reckoner/kernel";
import {
  type OperationSpec,
  policy,
  type Thought,
  type ThoughtsPolicy,
  thoughtGraph,
} from "reckoner/thoughts";
import { outputOf, type Search, solvedOnes } from "./search.js";

/** What it has to know beside. */
export interface Playing<State extends object> extends Search<State> {
  /** Plays a thought to the end. */
  readonly playout: OperationSpec<State>;
  /** What a playout is worth, from 0 to 1. */
  readonly reward: (thought: Thought<State>) => number;
  /** Thoughts that are played to the end after an expansion, side by side. */
  readonly width: number;
  /** How much is looked at what was looked at little. The literature's is the root of 2. */
  readonly exploration: number;
}

/** How often a thought was passed, and what came of it. It grows with the tree, so it is a Table. */
interface Memory {
  readonly seen: Table<{ readonly visits: number; readonly value: number }>;
}

/** Makes the policy. */
export function treeSearch<State extends object>(task: Playing<State>): ThoughtsPolicy<State> {
  const { expand, playout, check, isSolved, isLeaf, reward, width, exploration } = task;
  const { children, tracePath } = thoughtGraph;
  return policy<State, Memory>({
    name: "tree search",
    operations: { expand, playout, check },
    configuration: { width, exploration },
    memory: { seen: tables.empty() },

    decide({ done, memory, graph, cut, running }) {
      if (cut !== null || done?.use === "check") return [];
      if (done === null) return [{ use: "expand", on: "root" }];
      let { seen } = memory;
      const statsOf = (id: string) => tables.get(seen, id) ?? { visits: 0, value: 0 };
      /** Adds a value up along the way to the root. */
      const add = (id: string, value: number) => {
        for (const { id: each } of tracePath(graph, id)) {
          const { visits, value: sum } = statsOf(each);
          seen = tables.set(seen, each, { visits: visits + 1, value: sum + value });
        }
      };
      /** The thoughts of the tree below one; playouts hang there too, and are none. */
      const below = (id: string) =>
        children(graph, id).filter(
          (each) => each.operation?.startsWith("expand") === true && !isLeaf(each),
        );
      /** Where it is worth most to look: down to a thought that was not expanded yet. */
      const walk = (): string | undefined => {
        let at = "root";
        for (;;) {
          const all = below(at);
          if (all.length === 0) return isExpanded(at) ? undefined : at;
          const total = Math.log(Math.max(1, statsOf(at).visits));
          const bound = (id: string) => {
            const { visits, value } = statsOf(id);
            if (visits === 0) return Number.POSITIVE_INFINITY;
            return value / visits + exploration * Math.sqrt(total / visits);
          };
          // A dead end has been passed so often in vain that others come first.
          at = all.reduce((best, each) => (bound(each.id) > bound(best.id) ? each : best)).id;
        }
      };
      const isExpanded = (id: string) => statsOf(`expanded ${id}`).visits > 0;
      /** Expands where it is worth most; dead ends on the way count as lost. */
      const goOn = () => {
        for (let tries = 0; tries < 50; tries++) {
          const on = walk();
          if (on !== undefined) return { begin: [{ use: "expand", on }], memory: { seen } };
          let at = "root";
          while (below(at).length > 0) {
            at = below(at).reduce((best, each) =>
              statsOf(each.id).visits < statsOf(best.id).visits ? each : best,
            ).id;
          }
          add(at, 0);
        }
        return { begin: [], memory: { seen } };
      };

      const output = outputOf(graph, done);
      const solved = output.find(isSolved);
      if (solved !== undefined) return [{ use: "check", on: solved.id }];
      if (done.use === "expand") {
        const [from] = done.inputs;
        seen = tables.set(seen, `expanded ${from?.id}`, { visits: 1, value: 0 });
        const open = output.filter((thought) => !isLeaf(thought)).slice(0, width);
        if (open.length === 0) {
          add(from?.id ?? "root", 0);
          return goOn();
        }
        // Several at once: each is an operation of its own.
        return {
          begin: open.map(({ id }) => ({ use: "playout", on: id })),
          memory: { seen },
        };
      }
      // A playout: what it came to counts for the thought that it began at.
      const [from] = done.inputs;
      add(from?.id ?? "root", Math.max(0, ...output.map(reward)));
      return running > 0 ? { begin: [], memory: { seen } } : goOn();
    },

    finals: solvedOnes,
  });
}
