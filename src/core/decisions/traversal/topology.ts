/**
 * The edges of a graph for traversals: nodes as integers and edges as columns of integers, so that
 * a traversal of a million nodes allocates no objects. Every backend uses it: a database loads its
 * columns in one scan and adds what is written since. It must not know labels, nor where its
 * columns come from.
 *
 * Nothing is removed: an edge has the range of ticks in which it exists, so that one topology
 * serves every version of a graph. A backend without versions leaves the ticks out.
 */

import { compareIds } from "../ids/order.js";
import { type EdgeType, edgeTypes } from "../vocabulary/edge.js";
import { type NodeType, nodeTypes } from "../vocabulary/node.js";
import { withRoom } from "./growing.js";

/** Which way edges are followed. */
export type Direction = "outgoing" | "incoming";

/** Edges by the node that they hang on, in one array, and those that came since in chains. */
interface Incidence {
  /** Where each node's edges begin in `edges`; one more than there are nodes. */
  starts: Int32Array;
  edges: Int32Array;
  /** The node at the other end of each of `edges`, beside it: a walk reads along, not all over. */
  others: Int32Array;
  /** The last edge of each node that came since, and of each such edge the one before it; else -1. */
  heads: Int32Array;
  befores: Int32Array;
}

/** An edge that has not gone. */
const STAYS = 0xffff_ffff;

/** How much may come before the columns are ordered anew. */
const SLACK = 1024;

/** See the banner. */
export class Topology {
  readonly #ids: string[] = [];
  #created = new Float64Array(16);
  #types = new Uint8Array(16);

  #edgeCount = 0;
  #from = new Int32Array(16);
  #to = new Int32Array(16);
  #edgeTypes = new Uint8Array(16);
  #born = new Uint32Array(16);
  #died = new Uint32Array(16);
  /** From the last tick at which one came to the first at which one went, all edges are there. */
  #lastBorn = 0;
  #firstDied = STAYS;

  /** How many edges the incidences hold in order; those after them hang in chains. */
  #ordered = 0;
  #outgoing = emptyIncidence();
  #incoming = emptyIncidence();

  /** Nodes in order of creation and id: all but those that came since. */
  #order = new Uint32Array(0);
  #ranks = new Uint32Array(16);
  /** Whether the nodes that came since came in order, so that their number is their rank. */
  #inOrder = true;
  /** The last node in the order, of all. */
  #last = -1;

  /** How many nodes there are, those that went included. */
  get nodeCount(): number {
    return this.#ids.length;
  }

  /** The id of a node by its number. */
  idOf(node: number): string {
    return this.#ids[node] as string;
  }

  /** The type of a node by its number. */
  typeOf(node: number): NodeType {
    return nodeTypes[this.#types[node] as number] as NodeType;
  }

  /** Adds a node and gives its number; numbers are counted from 0. In order of creation is fastest. */
  addNode(id: string, createdAt: number, type: NodeType): number {
    const node = this.#ids.length;
    this.#ids.push(id);
    this.#created = withRoom(this.#created, node);
    this.#types = withRoom(this.#types, node);
    this.#ranks = withRoom(this.#ranks, node);
    this.#created[node] = createdAt;
    this.#types[node] = nodeTypes.indexOf(type);
    this.#ranks[node] = node;
    if (this.#last < 0 || this.compare(this.#last, node) <= 0) this.#last = node;
    else this.#inOrder = false;
    return node;
  }

  /** Adds an edge between two nodes and gives its number. */
  addEdge(from: number, to: number, type: EdgeType, tick = 0): number {
    const edge = this.#edgeCount;
    this.#edgeCount += 1;
    this.#from = withRoom(this.#from, edge);
    this.#to = withRoom(this.#to, edge);
    this.#edgeTypes = withRoom(this.#edgeTypes, edge);
    this.#born = withRoom(this.#born, edge);
    this.#died = withRoom(this.#died, edge);
    this.#from[edge] = from;
    this.#to[edge] = to;
    this.#edgeTypes[edge] = edgeTypes.indexOf(type);
    this.#born[edge] = tick;
    this.#died[edge] = STAYS;
    this.#lastBorn = Math.max(this.#lastBorn, tick);
    hang(this.#outgoing, from, edge - this.#ordered);
    hang(this.#incoming, to, edge - this.#ordered);
    return edge;
  }

  /** Takes all edges of a node away: from this tick on they are not there. */
  removeEdges(node: number, tick = 0): void {
    for (const direction of ["outgoing", "incoming"] as const) {
      this.eachEdge(node, direction, tick, (edge) => {
        this.#died[edge] = tick;
        this.#firstDied = Math.min(this.#firstDied, tick);
      });
    }
  }

  /**
   * Calls with each edge of a node that is there at a tick, and the node at its other end.
   * @param mask which types: bit n stands for type n of `edgeTypes`
   */
  eachEdge(
    node: number,
    direction: Direction,
    tick: number,
    visit: (edge: number, other: number) => void,
    mask: number = ALL_EDGES,
  ): void {
    const { starts, edges, others, heads, befores } =
      direction === "outgoing" ? this.#outgoing : this.#incoming;
    const all = mask === ALL_EDGES && this.#lastBorn <= tick && tick < this.#firstDied;
    const last = starts[node + 1] ?? 0;
    for (let i = starts[node] ?? 0; i < last; i++) {
      const edge = edges[i] as number;
      if (all || this.#isThere(edge, tick, mask)) visit(edge, others[i] as number);
    }
    const ends = direction === "outgoing" ? this.#to : this.#from;
    let hanging = (heads[node] ?? 0) - 1;
    while (hanging >= 0) {
      const edge = hanging + this.#ordered;
      if (all || this.#isThere(edge, tick, mask)) visit(edge, ends[edge] as number);
      hanging = (befores[hanging] as number) - 1;
    }
  }

  /** Puts what came since in order: called before a walk. Costs what came, and at times all. */
  settle(): void {
    const since = this.#edgeCount - this.#ordered;
    if (since > SLACK && since > this.#ordered / 4) {
      this.#outgoing = this.#incidence(this.#from, this.#to);
      this.#incoming = this.#incidence(this.#to, this.#from);
      this.#ordered = this.#edgeCount;
    }
    this.#rank();
  }

  /** The rank of a node in the order of creation and id, among all. After {@link settle}. */
  rankOf(node: number): number {
    return this.#ranks[node] as number;
  }

  /** The node at a rank in that order. After {@link settle}. */
  nodeAt(rank: number): number {
    return rank < this.#order.length ? (this.#order[rank] as number) : rank;
  }

  /** Compares two nodes by creation and then by id. */
  compare(a: number, b: number): number {
    const [left, right] = [this.#created[a] as number, this.#created[b] as number];
    return left === right ? compareIds(this.idOf(a), this.idOf(b)) : left - right;
  }

  #isThere(edge: number, tick: number, mask: number): boolean {
    return (
      (this.#born[edge] as number) <= tick &&
      (this.#died[edge] as number) > tick &&
      ((mask >>> (this.#edgeTypes[edge] as number)) & 1) === 1
    );
  }

  /** Ranks of nodes that came out of order: they are sorted and merged with those before. */
  #rank(): void {
    if (this.#inOrder) return;
    const sorted = this.#order;
    const count = this.nodeCount;
    const fresh = Array.from({ length: count - sorted.length }, (_, i) => sorted.length + i);
    fresh.sort((a, b) => this.compare(a, b));
    const order = new Uint32Array(count);
    for (let rank = 0, i = 0, j = 0; rank < count; rank++) {
      const [left, right] = [sorted[i], fresh[j]];
      const takeLeft =
        right === undefined || (left !== undefined && this.compare(left, right) <= 0);
      order[rank] = (takeLeft ? left : right) as number;
      if (takeLeft) i += 1;
      else j += 1;
    }
    this.#order = order;
    for (let rank = 0; rank < count; rank++) this.#ranks[order[rank] as number] = rank;
    this.#inOrder = true;
  }

  #incidence(ends: Int32Array, otherEnds: Int32Array): Incidence {
    const starts = new Int32Array(this.nodeCount + 1);
    for (let edge = 0; edge < this.#edgeCount; edge++) {
      const next = (ends[edge] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let node = 0; node < this.nodeCount; node++) {
      starts[node + 1] = (starts[node + 1] as number) + (starts[node] as number);
    }
    const free = starts.slice();
    const edges = new Int32Array(this.#edgeCount);
    const others = new Int32Array(this.#edgeCount);
    for (let edge = 0; edge < this.#edgeCount; edge++) {
      const node = ends[edge] as number;
      const at = free[node] as number;
      edges[at] = edge;
      others[at] = otherEnds[edge] as number;
      free[node] = at + 1;
    }
    return { ...emptyIncidence(), starts, edges, others };
  }
}

/** Every type of edge, as a mask. */
export const ALL_EDGES: number = 2 ** edgeTypes.length - 1;

/** Types of edges as a mask; all where there are none given. */
export function maskOf(types: readonly EdgeType[] | undefined): number {
  if (types === undefined) return ALL_EDGES;
  return types.reduce((mask, type) => mask | (1 << edgeTypes.indexOf(type)), 0);
}

function emptyIncidence(): Incidence {
  return {
    starts: new Int32Array(1),
    edges: new Int32Array(0),
    others: new Int32Array(0),
    heads: new Int32Array(16),
    befores: new Int32Array(16),
  };
}

/** Hangs an edge on a node's chain. Chains hold numbers plus one, so that 0 means none. */
function hang(incidence: Incidence, node: number, hanging: number): void {
  incidence.heads = withRoom(incidence.heads, node);
  incidence.befores = withRoom(incidence.befores, hanging);
  incidence.befores[hanging] = incidence.heads[node] as number;
  incidence.heads[node] = hanging + 1;
}
