/**
 * Plans a write for a store that keeps its rows elsewhere: requests the rows that the operations
 * name, in a few requests however many operations there are, and runs the transaction over them.
 * The store then writes the net rows and the change in one transaction of its own.
 */

import { MOST_CANDIDATES } from "../ids/name-node.js";
import { type Asking, ask } from "../queries/rows.js";
import type { DecisionEdge } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { CheckedOperation } from "../vocabulary/operation.js";
import { type Transacted, type TransactionBase, transact } from "./transaction.js";

/** So many rows are read whole where one of them has to be. */
const FEW = 100;

/**
 * Carries a transaction out over rows that are asked for.
 * @param last `seq` and `at` of the change before; 0 and 0 where there is none
 * @throws ReckonerError as `transact` does
 */
export function* planWrite(
  operations: readonly CheckedOperation[],
  last: { readonly seq: number; readonly at: number },
  key: string | null,
): Asking<Transacted> {
  const named = namesIn(operations);
  const nodes = new Map<string, DecisionNode>();
  const all = new Set([...named.nodes, ...named.newNodes]);
  // Of what only has to be there the id is enough; but a few rows cost less than another request.
  const inOne = named.whole.size > 0 && all.size <= FEW;
  yield* load(nodes, inOne ? all : named.whole);
  const ids = inOne ? [] : [...all].filter((id) => !nodes.has(id));
  const present = new Set(ids.length === 0 ? [] : yield* ask({ want: "nodeIds", ids }));
  const hasNode = (id: string) => nodes.has(id) || present.has(id);

  // A name that is no id yet, or that may be none any more when it is used, is taken for a prefix.
  const prefixes = [...named.nodes].filter(
    (name) => named.deletions > 0 || !(hasNode(name) || named.comeFirst.has(name)),
  );
  const candidates = new Map<string, readonly string[]>();
  if (prefixes.length > 0) {
    const limit = MOST_CANDIDATES + 1 + named.deletions;
    const lists = yield* ask({ want: "startingWith", prefixes, limit });
    for (const [i, prefix] of prefixes.entries()) candidates.set(prefix, lists[i] ?? []);
    yield* load(nodes, lists.flat());
  }
  /** Every node that a name may stand for. */
  const meant = (names: Iterable<string>): string[] => [
    ...new Set([...names].flatMap((name) => [name, ...(candidates.get(name) ?? [])])),
  ];

  const edgeIds = new Set<string>();
  if (named.newEdges.size > 0) {
    for (const id of yield* ask({ want: "edgeIds", ids: [...named.newEdges] })) edgeIds.add(id);
  }
  const edges = new Map<string, DecisionEdge[]>();
  const deleted = meant(named.deleted).filter((id) => nodes.has(id));
  if (deleted.length > 0) {
    for (const edge of yield* ask({ want: "edges", of: deleted, direction: "both" })) {
      for (const id of new Set([edge.fromId, edge.toId])) {
        const known = edges.get(id);
        if (known === undefined) edges.set(id, [edge]);
        else known.push(edge);
      }
    }
  }
  const successors = yield* successorsOf(meant(named.superseding), nodes);
  const base: TransactionBase = {
    hasNode,
    node: (id) => nodes.get(id),
    startingWith: (prefix, most) => candidates.get(prefix)?.slice(0, most) ?? [],
    hasEdge: (id) => edgeIds.has(id),
    edgesOf: (id) => edges.get(id) ?? [],
    supersededBy: (id) => successors.get(id),
  };
  return transact(base, operations, last, key);
}

/** What operations name, as it is given. */
interface Names {
  /** Ids of nodes that should be there, or prefixes of them. */
  readonly nodes: Set<string>;
  /** Of those, the ones that are needed with all their fields. */
  readonly whole: Set<string>;
  readonly newNodes: Set<string>;
  /** Of those, the ones that are added before anything else names them. */
  readonly comeFirst: Set<string>;
  readonly newEdges: Set<string>;
  readonly deleted: Set<string>;
  /** Nodes that supersede, or are superseded. */
  readonly superseding: Set<string>;
  deletions: number;
}

function namesIn(operations: readonly CheckedOperation[]): Names {
  const names: Names = {
    nodes: new Set(),
    whole: new Set(),
    newNodes: new Set(),
    comeFirst: new Set(),
    newEdges: new Set(),
    deleted: new Set(),
    superseding: new Set(),
    deletions: 0,
  };
  for (const operation of operations) {
    switch (operation.type) {
      case "addNode": {
        const { id } = operation.node;
        names.newNodes.add(id);
        if (!names.nodes.has(id)) names.comeFirst.add(id);
        break;
      }
      case "addEdge": {
        const { id, fromId, toId, edgeType } = operation.edge;
        names.newEdges.add(id);
        names.nodes.add(fromId).add(toId);
        if (edgeType === "supersedes") {
          names.superseding.add(fromId).add(toId);
          names.whole.add(fromId).add(toId);
        }
        break;
      }
      case "updateNode":
        names.nodes.add(operation.id);
        names.whole.add(operation.id);
        break;
      case "deleteNode":
        names.nodes.add(operation.id);
        names.whole.add(operation.id);
        names.deleted.add(operation.id);
        names.deletions += 1;
        break;
      case "supersede":
        names.newEdges.add(operation.edgeId);
        names.nodes.add(operation.oldId).add(operation.newId);
        names.whole.add(operation.oldId).add(operation.newId);
        names.superseding.add(operation.oldId).add(operation.newId);
        break;
    }
  }
  return names;
}

/** Loads the nodes of these ids that there are and that are not loaded. */
function* load(nodes: Map<string, DecisionNode>, wanted: Iterable<string>): Asking<void> {
  const ids = [...new Set(wanted)].filter((id) => !nodes.has(id));
  if (ids.length === 0) return;
  for (const node of yield* ask({ want: "nodes", ids })) nodes.set(node.id, node);
}

/** By what each of these nodes was superseded, that one in turn, and so on: to tell a cycle. */
function* successorsOf(
  start: readonly string[],
  nodes: Map<string, DecisionNode>,
): Asking<Map<string, string>> {
  const successors = new Map<string, string>();
  let of = start;
  for (;;) {
    of = of.filter((id) => nodes.get(id)?.status === "superseded" && !successors.has(id));
    if (of.length === 0) return successors;
    const edges = yield* ask({
      want: "edges",
      of,
      direction: "incoming",
      edgeTypes: ["supersedes"],
    });
    for (const edge of edges) successors.set(edge.toId, edge.fromId);
    of = edges.map((edge) => edge.fromId);
    yield* load(nodes, of);
  }
}
