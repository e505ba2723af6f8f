// A store of decisions as a database would be one: it keeps rows of the present and of the history,
// answers requests for rows by looking through all of them, and knows nothing else. What it shares
// with the store in memory is what every database shares with it: the core's plans.
import {
  answerLater,
  answerQuery,
  byCreation,
  checkKey,
  checkOperations,
  checkQuery,
  compareIds,
  type DecisionEdge,
  DecisionGraph,
  type DecisionNode,
  firstResult,
  type GraphChange,
  netRows,
  nodeFilter,
  planWrite,
  type RowAnswer,
  type RowRequest,
  Topology,
  walkRows,
} from "../../src/core/decisions/index.js";
import { asJson } from "../../src/core/kernel/index.js";
import type { StorePort } from "../../src/runtime/index.js";

interface Rows {
  nodes: DecisionNode[];
  edges: DecisionEdge[];
  changes: GraphChange[];
}

export function rowStore({ scoped = false }: { scoped?: boolean } = {}): StorePort {
  const scopes = new Map<string, Rows>();
  const rowsOf = (scope: string): Rows => {
    const rows = scopes.get(scope) ?? { nodes: [], edges: [], changes: [] };
    scopes.set(scope, rows);
    return rows;
  };
  // One writer at a time, as a database's lock has it.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const next = last.then(act);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    name: "rows",
    read: async (given, { signal }) => {
      signal.throwIfAborted();
      const { scope, query } = checkQuery(given, { scoped });
      return inTurn(async () => {
        const rows = rowsOf(scope);
        if ("asOf" in query && query.asOf !== undefined) {
          return asJson(DecisionGraph.fromChanges(rows.changes).answer(query));
        }
        return asJson(await answerLater(answerQuery(query), async (want) => answer(rows, want)));
      });
    },
    write: async (given, { signal, idempotencyKey }) => {
      signal.throwIfAborted();
      const { scope, operations } = checkOperations(given, { scoped });
      const key = checkKey(idempotencyKey);
      return inTurn(async () => {
        const rows = rowsOf(scope);
        const before = rows.changes.find((change) => change.key === key);
        if (before !== undefined) return asJson(firstResult(before, operations));
        const { seq, at } = rows.changes.at(-1) ?? { seq: 0, at: 0 };
        const plan = planWrite(operations, { seq, at }, key);
        const { change, effects } = await answerLater(plan, async (want) => answer(rows, want));
        const net = netRows(effects);
        const changed = new Map(net.changedNodes.map((node) => [node.id, node]));
        rows.nodes = rows.nodes
          .filter((node) => !net.deletedNodes.includes(node.id))
          .map((node) => changed.get(node.id) ?? node)
          .concat(net.addedNodes);
        rows.edges = rows.edges
          .filter((edge) => !net.deletedEdges.includes(edge.id))
          .concat(net.addedEdges);
        // Through text, as a database keeps them.
        rows.changes.push(JSON.parse(JSON.stringify(change)));
        return asJson(change.result);
      });
    },
  };
}

function answer({ nodes, edges, changes }: Rows, request: RowRequest): RowAnswer {
  const sorted = () => [...nodes].sort(byCreation);
  switch (request.want) {
    case "nodes":
      return nodes.filter((node) => request.ids.includes(node.id)).reverse();
    case "nodeIds":
      return nodes.map((node) => node.id).filter((id) => request.ids.includes(id));
    case "filtered": {
      const found = sorted().filter(nodeFilter(request.where));
      return (request.order === "newest" ? found.reverse() : found).slice(0, request.limit);
    }
    case "count":
      return nodes.filter(nodeFilter(request.where)).length;
    case "edges": {
      const { of, direction, edgeTypes, limit } = request;
      const isOf = (id: string) => of === undefined || of.includes(id);
      return edges
        .filter(
          (edge) =>
            ((direction !== "incoming" && isOf(edge.fromId)) ||
              (direction !== "outgoing" && isOf(edge.toId))) &&
            (edgeTypes?.includes(edge.edgeType) ?? true),
        )
        .sort(byCreation)
        .slice(0, limit);
    }
    case "edgeIds":
      return edges.map((edge) => edge.id).filter((id) => request.ids.includes(id));
    case "startingWith":
      return request.prefixes.map((prefix) =>
        nodes
          .map((node) => node.id)
          .filter((id) => id.startsWith(prefix))
          .sort(compareIds)
          .slice(0, request.limit),
      );
    case "shortIds":
      return request.ids.map((id) => {
        let length = request.least;
        const isShared = () =>
          nodes.some((node) => node.id !== id && node.id.startsWith(id.slice(0, length)));
        while (length < id.length && isShared()) length += 1;
        return id.slice(0, length);
      });
    case "walk": {
      const topology = new Topology();
      const numbers = new Map(
        sorted().map(({ id, createdAt, type }) => [id, topology.addNode(id, createdAt, type)]),
      );
      for (const { fromId, toId, edgeType } of edges) {
        topology.addEdge(numbers.get(fromId) as number, numbers.get(toId) as number, edgeType);
      }
      return walkRows(topology, request.walk, (id) => numbers.get(id), { limit: request.limit });
    }
    case "changes":
      return changes.filter((change) => change.seq > request.after).slice(0, request.limit);
    case "changeOf":
      return changes.filter((change) => change.key === request.key);
    case "changesOf":
      return changes;
    case "stats":
      return {
        seq: changes.length,
        at: changes.at(-1)?.at ?? null,
        nodes: nodes.length,
        edges: edges.length,
      };
  }
}
