// A random graph for benchmarks of stores, the same in every run: nodes in order of creation, edges
// between any two, so that there are cycles.

import { randomFrom } from "../scripts/random.mjs";

/** Ids as a store sees them: 32 hexadecimal digits, one flat text each. */
export function idsOf(count, seed) {
  const random = randomFrom(seed);
  const digits = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const texts = Array.from({ length: count }, () => digits() + digits() + digits() + digits());
  return JSON.parse(JSON.stringify(texts));
}

/** Operations that add the nodes, then those that add the edges, in lists of so many. */
export function* operationsOf(ids, degree, batch, nodeTypes) {
  for (let from = 0; from < ids.length; from += batch) {
    yield ids.slice(from, from + batch).map((id, i) => {
      const at = from + i;
      const type = nodeTypes[at % nodeTypes.length];
      return { type: "addNode", at, node: { id, type, label: `node ${at}`, rationale: "because" } };
    });
  }
  const random = randomFrom(2);
  const count = ids.length * degree;
  const edgeIds = idsOf(count, 3);
  const any = () => ids[Math.floor(random() * ids.length)];
  for (let from = 0; from < count; from += batch) {
    yield edgeIds.slice(from, from + batch).map((id) => {
      const edge = { id, fromId: any(), toId: any(), edgeType: "leads_to" };
      return { type: "addEdge", at: ids.length, edge };
    });
  }
}
