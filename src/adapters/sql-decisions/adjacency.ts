/**
 * The edges of one scope in memory, for traversals: loaded from the database in one scan, and kept
 * up with the changes committed since. Each edge has the range of versions in which it exists, so
 * that a reader of an earlier version is not disturbed.
 */
import {
  type CheckedOperation,
  type EdgeType,
  edgeTypes,
  type NodeType,
  nodeTypes,
  Topology,
  type Walk,
  walkRows,
} from "../../core/decisions/index.js";
import type { EdgeColumns, NodeColumns, SqlSession } from "./session.js";

/** A node that went, or that came after the scan. */
interface Lifetime {
  readonly born: number;
  died: number;
  /** The node that had the id before. */
  readonly before: number | undefined;
}

/** See the banner. */
export class Adjacency {
  /** The version of the scan: earlier ones cannot be walked. */
  readonly base: number;
  #seq: number;
  readonly #topology = new Topology();
  /** The last node of each id, by its number in the topology. */
  readonly #numbers = new Map<string, number>();
  /** Of nodes that were not there from the scan to now. */
  readonly #lifetimes = new Map<number, Lifetime>();
  #edges = 0;
  #gone = 0;

  private constructor(seq: number) {
    this.base = seq;
    this.#seq = seq;
  }

  /** Reads all nodes and edges of a scope, as a transaction sees them. */
  static async scan(session: SqlSession, scope: string, seq: number): Promise<Adjacency> {
    const adjacency = new Adjacency(seq);
    const topology = adjacency.#topology;
    let numberOfKey = new Int32Array(1024);
    const takeNodes = ({ ids, keys, createdAt, types }: NodeColumns) => {
      for (const [i, id] of ids.entries()) {
        const type = nodeTypes[types[i] as number] as NodeType;
        const number = topology.addNode(id, createdAt[i] as number, type);
        adjacency.#numbers.set(id, number);
        const key = keys[i] as number;
        if (key >= numberOfKey.length) {
          const larger = new Int32Array(Math.max(key + 1, 2 * numberOfKey.length));
          larger.set(numberOfKey);
          numberOfKey = larger;
        }
        numberOfKey[key] = number;
      }
    };
    const takeEdges = ({ from, to, types }: EdgeColumns) => {
      adjacency.#edges += types.length;
      for (let i = 0; i < types.length; i++) {
        topology.addEdge(
          numberOfKey[from[i] as number] as number,
          numberOfKey[to[i] as number] as number,
          edgeTypes[types[i] as number] as EdgeType,
        );
      }
    };
    await session.scan(scope, takeNodes, takeEdges);
    return adjacency;
  }

  /** The last version that it knows. */
  get seq(): number {
    return this.#seq;
  }

  /** How much it holds, and so how much memory it takes. */
  get size(): number {
    return this.#topology.nodeCount + this.#edges;
  }

  /** Whether most of what it holds has gone, so that a new scan is better. */
  get isStale(): boolean {
    return this.#gone > 1000 && this.#gone > this.#numbers.size / 2;
  }

  /** Takes over the operations of the change that follows the last one; one it knows is passed over. */
  apply(seq: number, operations: readonly CheckedOperation[]): void {
    if (seq <= this.#seq) return;
    for (const operation of operations) this.#carryOut(operation, seq);
    this.#seq = seq;
  }

  /** The ids of a walk, as they were at a version. */
  walk(walk: Walk, limit: number, seq: number): string[] {
    const numberOf = (id: string) => this.#numberAt(id, seq);
    return walkRows(this.#topology, walk, numberOf, { limit, tick: seq });
  }

  #carryOut(operation: CheckedOperation, seq: number): void {
    switch (operation.type) {
      case "addNode": {
        const { id, createdAt, type } = operation.node;
        const before = this.#numbers.get(id);
        const number = this.#topology.addNode(id, createdAt, type);
        this.#numbers.set(id, number);
        this.#lifetimes.set(number, { born: seq, died: Number.POSITIVE_INFINITY, before });
        break;
      }
      case "addEdge":
        this.#addEdge(operation.edge.fromId, operation.edge.toId, operation.edge.edgeType, seq);
        break;
      case "supersede":
        this.#addEdge(operation.newId, operation.oldId, "supersedes", seq);
        break;
      case "deleteNode": {
        const number = this.#numbers.get(operation.id) as number;
        this.#topology.removeEdges(number, seq);
        const known = this.#lifetimes.get(number);
        if (known === undefined) {
          this.#lifetimes.set(number, { born: 0, died: seq, before: undefined });
        } else known.died = seq;
        this.#gone += 1;
        break;
      }
      case "updateNode":
        break;
    }
  }

  #addEdge(fromId: string, toId: string, type: EdgeType, seq: number): void {
    const from = this.#numbers.get(fromId) as number;
    const to = this.#numbers.get(toId) as number;
    this.#topology.addEdge(from, to, type, seq);
    this.#edges += 1;
  }

  #numberAt(id: string, seq: number): number | undefined {
    let number = this.#numbers.get(id);
    while (number !== undefined) {
      const lifetime = this.#lifetimes.get(number);
      if (lifetime === undefined || (lifetime.born <= seq && lifetime.died > seq)) return number;
      number = lifetime.before;
    }
    return undefined;
  }
}
