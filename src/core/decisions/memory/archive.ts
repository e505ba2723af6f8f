/**
 * The rows of a graph in memory, in all their versions, shared by all versions of one
 * `DecisionGraph`. It only grows. Each row has the range of ticks in which it exists, so that an
 * old version stays readable and a new one costs what it changed. A tick is a moment of the
 * history: the operations of one transaction with the same time.
 */

import { byCreation } from "../ids/order.js";
import { PrefixIndex } from "../ids/prefix-index.js";
import type { RowChange } from "../transactions/row-change.js";
import type { Transacted } from "../transactions/transaction.js";
import { Topology } from "../traversal/topology.js";
import type { GraphChange } from "../vocabulary/change.js";
import type { DecisionEdge } from "../vocabulary/edge.js";
import { type DecisionNode, type NodeType, nodeTypes } from "../vocabulary/node.js";
import { SortedNumbers } from "./sorted-numbers.js";

/** A node from one tick on; undefined where it was deleted. */
interface Revision {
  readonly tick: number;
  readonly node: DecisionNode | undefined;
  /** Its number in the topology. */
  readonly number: number;
  readonly before: Revision | undefined;
}

/** An edge, by its number in the topology. */
interface KeptEdge {
  readonly edge: DecisionEdge;
  readonly born: number;
  died: number;
}

/** A moment of the history. */
export interface Tick {
  readonly at: number;
  /** How many changes there are up to it; the last of them may go on after it. */
  readonly changes: number;
  readonly nodes: number;
  readonly edges: number;
}

/** See the banner. */
export class Archive {
  readonly topology: Topology = new Topology();
  readonly prefixes: PrefixIndex = new PrefixIndex();
  readonly changes: GraphChange[] = [];
  /** Index is the tick; the first is the empty graph. */
  readonly moments: Tick[] = [{ at: 0, changes: 0, nodes: 0, edges: 0 }];
  readonly #byKey = new Map<string, GraphChange>();
  readonly #nodes = new Map<string, Revision>();
  readonly #edges: KeptEdge[] = [];
  readonly #edgeNumbers = new Map<string, number>();
  readonly #nodeOrder = new SortedNumbers((a, b) => this.topology.compare(a, b));
  readonly #byType = new Map<NodeType, SortedNumbers>(
    nodeTypes.map((type) => [type, new SortedNumbers((a, b) => this.topology.compare(a, b))]),
  );
  readonly #edgeOrder = new SortedNumbers((a, b) => byCreation(this.edgeWith(a), this.edgeWith(b)));

  /** The last tick: now. */
  get tick(): number {
    return this.moments.length - 1;
  }

  /** A node as it was at a tick. */
  node(id: string, tick: number): DecisionNode | undefined {
    return this.#revision(id, tick)?.node;
  }

  /** The number of a node that was there at a tick. */
  numberOf(id: string, tick: number): number | undefined {
    const revision = this.#revision(id, tick);
    return revision?.node === undefined ? undefined : revision.number;
  }

  /** The node with a number, if it was there at a tick. */
  nodeWith(number: number, tick: number): DecisionNode | undefined {
    const revision = this.#revision(this.topology.idOf(number), tick);
    return revision?.number === number ? revision.node : undefined;
  }

  /** The numbers of all nodes of these types that there ever were, by creation and then id. */
  numbersOf(types: readonly NodeType[] | undefined): readonly number[] {
    const [only, ...more] = types ?? [];
    if (only === undefined || more.length > 0) return this.#nodeOrder.all();
    return this.#byType.get(only)?.all() ?? [];
  }

  /** The numbers of all edges that there ever were, by creation and then id. */
  edgeNumbers(): readonly number[] {
    return this.#edgeOrder.all();
  }

  edgeWith(number: number): DecisionEdge {
    return (this.#edges[number] as KeptEdge).edge;
  }

  /** Whether an edge was there at a tick. */
  isThere(number: number, tick: number): boolean {
    const { born, died } = this.#edges[number] as KeptEdge;
    return born <= tick && died > tick;
  }

  /** Whether there is an edge of that id now. */
  hasEdge(id: string): boolean {
    const number = this.#edgeNumbers.get(id);
    return number !== undefined && this.isThere(number, this.tick);
  }

  /** The change that used an idempotency key. */
  changeOf(key: string): GraphChange | undefined {
    return this.#byKey.get(key);
  }

  /** The changes up to a tick that made or changed one of these nodes, in order. */
  changesOf(ids: readonly string[], tick: number): GraphChange[] {
    const seqs = new Set<number>();
    for (const id of ids) {
      let revision = this.#revision(id, tick);
      for (; revision !== undefined; revision = revision.before) {
        seqs.add((this.moments[revision.tick] as Tick).changes);
      }
    }
    return [...seqs].sort((a, b) => a - b).map((seq) => this.changes[seq - 1] as GraphChange);
  }

  /** Adds a transaction. Its change comes right after the last one. */
  add({ change, effects }: Transacted): void {
    this.changes.push(change);
    if (change.key !== null) this.#byKey.set(change.key, change);
    for (let i = 0; i < effects.length; ) {
      const { at } = effects[i] as RowChange;
      const tick = this.moments.length;
      let { nodes, edges } = this.moments[tick - 1] as Tick;
      for (; i < effects.length && effects[i]?.at === at; i++) {
        const effect = effects[i] as RowChange;
        this.#apply(effect, tick);
        if (effect.type === "nodeAdded") nodes += 1;
        else if (effect.type === "nodeDeleted") nodes -= 1;
        else if (effect.type === "edgeAdded") edges += 1;
        else if (effect.type === "edgeDeleted") edges -= 1;
      }
      this.moments.push({ at, changes: change.seq, nodes, edges });
    }
  }

  #apply(effect: RowChange, tick: number): void {
    switch (effect.type) {
      case "nodeAdded": {
        const { node } = effect;
        const number = this.topology.addNode(node.id, node.createdAt, node.type);
        this.#nodeOrder.add(number);
        this.#byType.get(node.type)?.add(number);
        const before = this.#nodes.get(node.id);
        if (before === undefined) this.prefixes.add(node.id);
        this.#nodes.set(node.id, { tick, node, number, before });
        break;
      }
      case "nodeChanged": {
        const { node } = effect;
        const before = this.#nodes.get(node.id) as Revision;
        this.#nodes.set(node.id, { tick, node, number: before.number, before });
        break;
      }
      case "nodeDeleted": {
        const before = this.#nodes.get(effect.node.id) as Revision;
        this.topology.removeEdges(before.number, tick);
        this.#nodes.set(effect.node.id, { ...before, tick, node: undefined, before });
        break;
      }
      case "edgeAdded": {
        const { edge } = effect;
        const from = this.#nodes.get(edge.fromId) as Revision;
        const to = this.#nodes.get(edge.toId) as Revision;
        const number = this.topology.addEdge(from.number, to.number, edge.edgeType, tick);
        this.#edges[number] = { edge, born: tick, died: Number.POSITIVE_INFINITY };
        this.#edgeNumbers.set(edge.id, number);
        this.#edgeOrder.add(number);
        break;
      }
      case "edgeDeleted": {
        const kept = this.#edges[this.#edgeNumbers.get(effect.edge.id) as number] as KeptEdge;
        kept.died = tick;
        break;
      }
    }
  }

  #revision(id: string, tick: number): Revision | undefined {
    let revision = this.#nodes.get(id);
    while (revision !== undefined && revision.tick > tick) revision = revision.before;
    return revision;
  }
}
