// A decision graph as plainly as it can be said: lists that are copied and looked through. It shares
// nothing with the core but its types, and is slow.
import type {
  AnyResult,
  CheckedQuery,
  DecisionEdge,
  DecisionNode,
  DecisionQuery,
  EdgeType,
  Operation,
} from "../src/core/decisions/index.js";

/** A transaction that held, with the time of each operation, which never goes back. */
type Log = readonly {
  readonly operations: readonly Operation[];
  readonly times: readonly number[];
}[];

class Refusal extends Error {}

const before = (a: DecisionNode | DecisionEdge, b: DecisionNode | DecisionEdge) =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

export class PlainGraph {
  nodes: DecisionNode[] = [];
  edges: DecisionEdge[] = [];
  log: Log = [];

  /** The code of the refusal, or undefined where it holds. */
  write(operations: readonly Operation[]): string | undefined {
    const { nodes, edges } = this;
    let time = this.log.at(-1)?.times.at(-1) ?? 0;
    try {
      const times = operations.map((operation) => {
        this.#carryOut(operation);
        time = Math.max(time, operation.at);
        return time;
      });
      this.log = [...this.log, { operations, times }];
      return undefined;
    } catch (thrown) {
      this.nodes = nodes;
      this.edges = edges;
      if (thrown instanceof Refusal) return thrown.message;
      throw thrown;
    }
  }

  /** The graph at a time: the operations up to it, once more. */
  asOf(time: number): PlainGraph {
    const past = new PlainGraph();
    for (const { operations, times } of this.log) {
      const some = operations.filter((_, i) => (times[i] as number) <= time);
      if (some.length > 0) past.write(some);
    }
    return past;
  }

  #fitting(name: string): readonly DecisionNode[] {
    const exact = this.nodes.filter((node) => node.id === name);
    return exact.length > 0 ? exact : this.nodes.filter((node) => node.id.startsWith(name));
  }

  #refuseAmbiguous(name: string): void {
    if (this.#fitting(name).length > 1) throw new Refusal("decisions.ambiguous");
  }

  #named(name: string): DecisionNode {
    this.#refuseAmbiguous(name);
    const [node] = this.#fitting(name);
    if (node === undefined) throw new Refusal("decisions.missing");
    return node;
  }

  #carryOut(operation: Operation): void {
    const { at } = operation;
    if (operation.type === "addNode") {
      const { node } = operation;
      if (this.nodes.some(({ id }) => id === node.id)) throw new Refusal("decisions.duplicate");
      const createdAt = node.createdAt ?? at;
      const defaults = {
        status: "active",
        confidence: null,
        rationale: null,
        metadata: {},
      } as const;
      const whole = { ...defaults, createdAt, updatedAt: createdAt, ...node };
      this.nodes = [...this.nodes, whole];
    } else if (operation.type === "addEdge") {
      const { id, edgeType, metadata = {}, createdAt = at } = operation.edge;
      const from = this.#named(operation.edge.fromId);
      const to = this.#named(operation.edge.toId);
      const edge = { id, fromId: from.id, toId: to.id, edgeType, metadata, createdAt };
      if (edgeType === "supersedes") this.#supersede(from, to, edge, metadata.rationale, at);
      else this.#addEdge(edge);
    } else if (operation.type === "updateNode") {
      const node = this.#named(operation.id);
      if (operation.patch.status !== undefined && node.status === "superseded") {
        throw new Refusal("decisions.superseded");
      }
      this.#change(node, operation.patch, at);
    } else if (operation.type === "deleteNode") {
      const { id } = this.#named(operation.id);
      if (this.edges.some((edge) => edge.edgeType === "supersedes" && edge.fromId === id)) {
        throw new Refusal("decisions.superseded");
      }
      this.edges = this.edges.filter((edge) => edge.fromId !== id && edge.toId !== id);
      this.nodes = this.nodes.filter((node) => node.id !== id);
    } else {
      const { edgeId: id, rationale = null } = operation;
      const old = this.#named(operation.oldId);
      const by = this.#named(operation.newId);
      const ends = { fromId: by.id, toId: old.id };
      const metadata = { rationale };
      const edge = { id, ...ends, edgeType: "supersedes" as const, metadata, createdAt: at };
      this.#supersede(by, old, edge, rationale, at);
    }
  }

  #addEdge(edge: DecisionEdge): void {
    if (this.edges.some(({ id }) => id === edge.id)) throw new Refusal("decisions.duplicate");
    this.edges = [...this.edges, edge];
  }

  #supersede(by: DecisionNode, old: DecisionNode, edge: DecisionEdge, why: unknown, at: number) {
    if (by.id === old.id) throw new Refusal("decisions.selfLoop");
    const supersedes: EdgeType[] = ["supersedes"];
    if (this.#reach(by.id, "fromId", supersedes).some((level) => level.includes(old.id))) {
      throw new Refusal("decisions.cycle");
    }
    if (old.status === "superseded" || by.status === "superseded") {
      throw new Refusal("decisions.superseded");
    }
    this.#addEdge(edge);
    const rationale = typeof why === "string" ? { rationale: why } : {};
    this.#change(old, { status: "superseded", ...rationale }, at);
  }

  #change(node: DecisionNode, patch: Partial<DecisionNode>, at: number): void {
    const changed = { ...node, ...patch, updatedAt: Math.max(node.updatedAt, at) };
    this.nodes = this.nodes.map((each) => (each.id === node.id ? changed : each));
  }

  /** Ids by depth, each level in order; `side`: which end of an edge is walked to. */
  #reach(id: string, side: "fromId" | "toId", types?: readonly EdgeType[]): string[][] {
    const other = side === "toId" ? "fromId" : "toId";
    const seen = [id];
    const levels: string[][] = [];
    for (let level = [id]; level.length > 0; ) {
      const next = this.nodes.filter(
        (node) =>
          !seen.includes(node.id) &&
          this.edges.some(
            (edge) =>
              edge[side] === node.id &&
              level.includes(edge[other]) &&
              (types === undefined || types.includes(edge.edgeType)),
          ),
      );
      level = next.sort(before).map((node) => node.id);
      seen.push(...level);
      if (level.length > 0) levels.push(level);
    }
    return levels;
  }

  /** All shortest paths, and the first of them in order. */
  #path(from: string, to: string, types?: readonly EdgeType[]): string[] {
    let paths = [[from]];
    const seen = new Set([from]);
    while (paths.length > 0) {
      const arrived = paths.find((path) => path.at(-1) === to);
      // Paths are extended in order, so that the first to arrive is the first in order.
      if (arrived !== undefined) return arrived;
      const longer = paths.flatMap((path) =>
        this.nodes
          .filter(
            (node) =>
              !seen.has(node.id) &&
              this.edges.some(
                (edge) =>
                  edge.fromId === path.at(-1) &&
                  edge.toId === node.id &&
                  (types === undefined || types.includes(edge.edgeType)),
              ),
          )
          .sort(before)
          .map((node) => [...path, node.id]),
      );
      // Of paths to the same node the first is kept.
      paths = longer.filter(
        (path, i) => longer.findIndex((each) => each.at(-1) === path.at(-1)) === i,
      );
      for (const path of paths) seen.add(path.at(-1) as string);
    }
    return [];
  }

  /** Answers the queries of the seed, and some more; undefined for those that it does not know. */
  read(query: DecisionQuery): AnyResult | string | undefined {
    const asOf = "asOf" in query ? query.asOf : undefined;
    if (asOf !== undefined) {
      const { asOf: _, ...rest } = query as DecisionQuery & { asOf: number };
      return this.asOf(asOf).read(rest as DecisionQuery);
    }
    try {
      return this.#answer(query as CheckedQuery);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      if (thrown.message === "decisions.ambiguous") return thrown.message;
      return query.type === "edges" ? { edges: [], truncated: false } : this.#cut([], query);
    }
  }

  #answer(query: DecisionQuery): AnyResult | undefined {
    const sorted = [...this.nodes].sort(before);
    switch (query.type) {
      case "activeGoals":
        return this.#cut(
          sorted.filter((node) => node.type === "goal" && node.status === "active"),
          query,
        );
      case "recentDecisions": {
        const { statuses = ["active", "completed"] } = query;
        const decisions = sorted.filter(
          (node) => node.type === "decision" && statuses.includes(node.status),
        );
        return this.#cut(decisions.reverse(), { limit: 10, ...query });
      }
      case "node":
        return this.#cut([this.#named(query.nodeId)], query);
      case "descendants":
      case "ancestors": {
        const side = query.type === "descendants" ? "toId" : "fromId";
        const ids = this.#reach(this.#named(query.nodeId).id, side, query.edgeTypes).flat();
        return this.#cut(
          ids.map((id) => this.#named(id)),
          query,
        );
      }
      case "pathBetween": {
        // Of an ambiguous end one hears even where the other is missing.
        this.#refuseAmbiguous(query.toId);
        const ids = this.#path(
          this.#named(query.fromId).id,
          this.#named(query.toId).id,
          query.edgeTypes,
        );
        return this.#cut(
          ids.map((id) => this.#named(id)),
          query,
        );
      }
      case "edges": {
        const { nodeId, direction = "outgoing", limit = 100, edgeTypes } = query;
        const id = nodeId === undefined ? undefined : this.#named(nodeId).id;
        const found = this.edges.filter(
          (edge) =>
            (id === undefined ||
              (direction !== "incoming" && edge.fromId === id) ||
              (direction !== "outgoing" && edge.toId === id)) &&
            (edgeTypes === undefined || edgeTypes.includes(edge.edgeType)),
        );
        return {
          edges: found.sort(before).slice(0, limit),
          truncated: found.length > limit,
        };
      }
      case "stats":
        return {
          seq: this.log.length,
          at: this.log.at(-1)?.times.at(-1) ?? null,
          nodes: this.nodes.length,
          edges: this.edges.length,
        };
      default:
        return undefined;
    }
  }

  #cut(nodes: readonly DecisionNode[], query: DecisionQuery): AnyResult {
    const { limit = 100 } = query;
    const truncated = nodes.length > limit;
    const shown = nodes.slice(0, limit);
    if ("select" in query && query.select === "ids") {
      return { ids: shown.map((node) => node.id), truncated };
    }
    return { nodes: shown, truncated };
  }
}
