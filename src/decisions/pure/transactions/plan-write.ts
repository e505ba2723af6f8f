/**
 * Plans a write to a decision graph: requests the rows that its operations name, runs the operations over
 * them, and returns the rows that a backend has to delete and to put, in one transaction. Every backend uses
 * it, so that all accept and refuse alike.
 */
import { type Asking, ask, type EdgeRow, type NodeRow, type Version } from "../queries/rows.js";
import type { WriteResult } from "../vocabulary/change.js";
import type { CheckedOperation } from "../vocabulary/operation.js";
import { Draft, type Drafts } from "./draft.js";
import { Transaction } from "./operation-rules.js";

/** A write, for a backend to carry out. */
export interface PlannedWrite {
  readonly result: WriteResult;
  /** The version after it. */
  readonly version: Version;
  /** Rows to be deleted first; one that changed is deleted and put. */
  readonly deletedNodes: readonly string[];
  readonly deletedEdges: readonly string[];
  readonly nodes: readonly NodeRow[];
  readonly edges: readonly EdgeRow[];
}

/**
 * Plans a write.
 * @param before the version before it
 * @throws ReckonerError `decisions.missing`, `decisions.duplicate`, `decisions.superseded`,
 * `decisions.selfLoop`, `decisions.invalid`, with the path of the field as `place`
 */
export function* planWrite(
  operations: readonly CheckedOperation[],
  before: Version,
): Asking<PlannedWrite> {
  const drafts = yield* loadRows(operations);
  const transaction = new Transaction(drafts, before);
  for (const [i, operation] of operations.entries()) transaction.carryOut(operation, i);
  const { version } = transaction;
  const [nodes, edges] = [drafts.nodes.written(), drafts.edges.written()];
  // A repeated write gets it once more, and its caller may have changed it meanwhile.
  const result: WriteResult = Object.freeze({
    seq: version.seq,
    at: version.at,
    nodes: Object.freeze(nodes.map(({ node }) => node)),
    edges: Object.freeze(edges.map(({ edge }) => edge)),
  });
  const [deletedNodes, deletedEdges] = [drafts.nodes.deleted(), drafts.edges.deleted()];
  return { result, version, deletedNodes, deletedEdges, nodes, edges };
}

/** The rows that operations name, in a few requests however many operations there are. */
function* loadRows(operations: readonly CheckedOperation[]): Asking<Drafts> {
  const nodeIds = new Set<string>();
  const edgeIds = new Set<string>();
  /** Nodes whose edges are deleted or changed. */
  const ends = new Set<string>();
  for (const operation of operations) {
    switch (operation.type) {
      case "addNode":
        nodeIds.add(operation.node.id);
        break;
      case "addEdge":
        edgeIds.add(operation.edge.id);
        nodeIds.add(operation.edge.fromId).add(operation.edge.toId);
        break;
      case "supersede":
        edgeIds.add(operation.edgeId);
        nodeIds.add(operation.oldId).add(operation.newId);
        break;
      case "deleteNode":
      case "decideOption":
        ends.add(operation.id);
        nodeIds.add(operation.id);
        break;
      case "updateNode":
        nodeIds.add(operation.id);
    }
  }
  const drafts: Drafts = { nodes: new Draft(), edges: new Draft() };
  const rows = yield* ask({ want: "nodes", ids: [...nodeIds] });
  for (const row of rows) drafts.nodes.load(row.node.id, row);
  const edges = [
    ...(edgeIds.size > 0 ? yield* ask({ want: "edgesById", ids: [...edgeIds] }) : []),
    ...(ends.size > 0 ? yield* ask({ want: "edges", of: [...ends], direction: "both" }) : []),
  ];
  for (const row of edges) drafts.edges.load(row.edge.id, row);
  return drafts;
}
