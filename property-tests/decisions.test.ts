// Stores of decisions agree with the pure graph, the graph agrees with a plain one, and what is
// hostile is refused with a code.
import fc from "fast-check";
import { expect, it } from "vitest";
import { DecisionGraph } from "../src/core/decisions/index.js";
import { isReckonerError } from "../src/core/kernel/index.js";
import { memoryDecisions } from "../src/runtime/index.js";
import { decisionScript, type NameChoice } from "../src/testing/stores/decision-script.js";
import { storeAgrees } from "../src/testing/stores/store-agrees.js";
import { rowStore } from "../test/support/row-store.js";
import { PlainGraph } from "./decisions-oracle.js";
import { seeds } from "./setup.js";

const times = Number(process.env.RECKONER_RUNS ?? 1);

for (const seed of seeds) {
  for (const [of, make] of [
    ["memory", memoryDecisions],
    ["rows", rowStore],
  ] as const) {
    const { name, property } = storeAgrees(make);
    it(`${of}: ${name} (seed ${seed})`, () => fc.assert(property, { seed, numRuns: 300 * times }));
  }
}

/** What a call came to, or the code with which it was refused. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    if (isReckonerError(thrown)) return thrown.code;
    throw thrown;
  }
}

/** Refused before the graph is looked at: what the plain graph knows nothing of. */
const atTheBorder = ["decisions.invalid", "json.refused", "json.reserved"];

for (const seed of seeds) {
  it(`the graph agrees with a plain one, and old versions stay as they were (seed ${seed})`, () => {
    const property = fc.property(decisionScript(), (script) => {
      let graph = DecisionGraph.empty;
      const plain = new PlainGraph();
      const versions: (readonly [DecisionGraph, string])[] = [];
      const everything = (of: DecisionGraph) =>
        JSON.stringify([of.query({ type: "nodes" }), of.query({ type: "edges" }), of.changes]);
      for (const step of script) {
        const { ids } = graph.query({ type: "nodes", select: "ids" });
        const named = ({ place, length, wrong }: NameChoice) => {
          const id = ids[place % (ids.length || 1)];
          return wrong || id === undefined ? "nobody" : length === 0 ? id : id.slice(0, length);
        };
        if (step.kind === "read") {
          const query = step.query(named);
          const expected = plain.read(query);
          if (expected !== undefined) expect(outcome(() => graph.query(query))).toEqual(expected);
          continue;
        }
        versions.push([graph, everything(graph)]);
        const operations = step.operations.map((choice) => choice(named));
        const code = outcome(() => {
          graph = graph.apply(operations).graph;
        });
        const isBorder = atTheBorder.includes(String(code));
        const isStatus =
          code === "decisions.superseded" && JSON.stringify(operations).includes('"superseded"');
        if (!isBorder && !isStatus) expect(code).toBe(plain.write(operations));
      }
      for (const [version, text] of versions) expect(everything(version)).toBe(text);
      // A second branch from an old version is a graph of its own.
      const [old] = versions[Math.floor(versions.length / 2)] ?? [DecisionGraph.empty];
      const branch = {
        type: "addNode",
        at: 99,
        node: { id: "branch", type: "goal", label: "x" },
      } as const;
      const before = everything(graph);
      expect(old.apply([branch]).graph.node("branch")?.label).toBe("x");
      expect(everything(graph)).toBe(before);
      expect(everything(DecisionGraph.fromChanges(graph.changes))).toBe(before);
    });
    fc.assert(property, { seed, numRuns: 300 * times });
  });
}
