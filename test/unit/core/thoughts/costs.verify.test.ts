// The costs of a tree: work that is counted, and grows as they do.
import "../../../support/work.js";

import { describe, it } from "vitest";
import { type ThoughtGraph, thoughtGraph } from "../../../../src/thoughts.js";
import { expectFlat } from "../../../support/work.js";

describe("costs the same for each of few and of many", () => {
  it("a tree whose leaves were all merged into one", async () => {
    await expectFlat(
      (count) => {
        let graph: ThoughtGraph = thoughtGraph.addThought(thoughtGraph.emptyGraph, {
          id: "root",
          content: "why?",
        });
        const parents = Array.from({ length: count }, (_, i) => `${i}`);
        for (const id of parents) {
          graph = thoughtGraph.addThought(graph, { id, content: id }, { parents: ["root"] });
        }
        const merged = { id: "all", content: "all" };
        graph = thoughtGraph.addThought(graph, merged, { parents, type: "aggregates" });
        return () => thoughtGraph.printTree(graph);
      },
      50,
      400,
    );
  });
});
