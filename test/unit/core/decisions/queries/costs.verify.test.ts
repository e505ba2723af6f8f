// What it costs to ask: work that is counted, and grows as what is asked of.
import "../../../../support/work.js";

import { it } from "vitest";
import { DecisionGraph, type Operation } from "../../../../../src/core/decisions/index.js";
import { expectFlat } from "../../../../support/work.js";

it("a history costs the same for each of few reasons and of many", async () => {
  await expectFlat(
    (count) => {
      const node = { id: "a", type: "decision", label: "x" };
      const operations = [
        { type: "addNode", at: 0, node },
        ...Array.from({ length: count }, (_, i) => ({
          type: "updateNode",
          at: i + 1,
          id: "a",
          patch: { rationale: `because ${i}` },
        })),
      ];
      const { graph } = DecisionGraph.empty.apply(operations as Operation[]);
      return () => graph.query({ type: "history", nodeId: "a" });
    },
    50,
    3_000,
    2,
  );
});
