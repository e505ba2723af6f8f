/**
 * Normalises nodes and edges from outside: duplicate ids and edges to missing nodes are dropped and
 * counted.
 */

/** The parts that can be drawn, and a note about the others. */
export interface Known<Node, Edge> {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  readonly notes: readonly string[];
}

/** The first of several nodes with an id stays; an edge with an end that is not there is left out. */
export function knownEdges<
  Node extends { readonly id: string },
  Edge extends { readonly from: string; readonly to: string },
>(nodes: readonly Node[], edges: readonly Edge[]): Known<Node, Edge> {
  const first = new Map<string, Node>();
  for (const node of nodes) if (!first.has(node.id)) first.set(node.id, node);
  const there = edges.filter(({ from, to }) => first.has(from) && first.has(to));
  const notes: string[] = [];
  const repeated = nodes.length - first.size;
  if (repeated > 0) notes.push(`Left out: ${repeated} with an id that another one has.`);
  const loose = edges.length - there.length;
  if (loose > 0) notes.push(`Left out: ${loose} edges to what is not here.`);
  return { nodes: [...first.values()], edges: there, notes };
}
