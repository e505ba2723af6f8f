/**
 * `Decisions`: the facade over any decision store. It provides the ids and times that the core
 * needs. It must not know which store it is.
 */

import * as shapes from "../../core/kernel/shapes.js";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  ReckonerError,
  toJson,
} from "../../core/kernel/values/index.js";
import {
  checkAllOptions,
  checkArgument,
  SIGNAL,
  STORE,
  type StorePort,
} from "../../runtime/for-adapters.js";
import {
  buildContext,
  type ContextOptions,
  type DecisionEdge,
  type DecisionNode,
  type DecisionQuery,
  derivedId,
  type FoundEdges,
  type FoundHistory,
  type FoundNodes,
  type FoundStats,
  type FoundSummary,
  type FoundWhy,
  type NewEdge,
  type NewNode,
  type NodeFilter,
  type NodePatch,
  type NodeStatus,
  type Operation,
  type QueryResult,
  type WriteResult,
} from "../pure/index.js";
import { askStore } from "./ask-store.js";

/** The facade's sources of times and ids, and its scope. */
export interface DecisionsOptions {
  /** The scope, if the store was opened with scopes. */
  readonly scope?: string | undefined;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** An id that nothing has; default 32 random hexadecimal digits. */
  readonly newId?: (() => string) | undefined;
  /** Stops what is asked of the store. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a write. */
export interface WriteOptions {
  /**
   * The same call under the same key has no second effect and gives the first result: ids that it
   * leaves out are derived from the key, and times are those of the first call. Other operations
   * under it are refused as `store.key`. Default: a new one.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The greatest number of results. */
interface Limited {
  readonly limit?: number | undefined;
}

const OPTIONS: shapes.Shapes<DecisionsOptions> = {
  scope: shapes.TEXT,
  now: shapes.FUNCTION,
  newId: shapes.FUNCTION,
  signal: SIGNAL,
};
/** The store checks the key with the operations. */
const WRITE_OPTIONS: shapes.Shapes<WriteOptions> = { idempotencyKey: shapes.ANYTHING };
const CONTEXT: shapes.Shapes<ContextOptions & { readonly decisionLimit?: number }> = {
  budget: shapes.ANYTHING,
  decisionLimit: shapes.ANYTHING,
};

type Optional<T, K extends PropertyKey> = T extends unknown
  ? Omit<T, K & keyof T> & Partial<Pick<T, K & keyof T>>
  : never;

type OpenNode = shapes.Options<Optional<NewNode, "id">>;
type OpenEdge = shapes.Options<Optional<NewEdge, "id">>;
type OpenPatch = shapes.Options<NodePatch>;

/** An operation whose time, scope and new ids may be left out. */
export type OpenOperation = shapes.Options<
  | { readonly type: "addNode"; readonly node: OpenNode; readonly at?: number }
  | { readonly type: "addEdge"; readonly edge: OpenEdge; readonly at?: number }
  | {
      readonly type: "updateNode";
      readonly id: string;
      readonly patch: OpenPatch;
      readonly at?: number;
      readonly scope?: string;
    }
  | Optional<Exclude<Operation, { type: "addNode" | "addEdge" | "updateNode" }>, "at" | "edgeId">
>;

/** Checks that options are an object. The store refuses names that it does not know. */
function asked<Options extends object>(options: Options): Options {
  checkArgument("What is asked beside", options, shapes.OBJECT);
  return options;
}

/** The facade over any decision store: all operations and queries as methods. Ids are whole. */
export class Decisions {
  readonly store: StorePort;
  readonly #scope: string | undefined;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #signal: AbortSignal;

  /** @throws ReckonerError `option.invalid` */
  constructor(store: StorePort, options: DecisionsOptions = {}) {
    checkArgument("The store of Decisions", store, STORE);
    checkAllOptions("Decisions", options, OPTIONS);
    this.store = store;
    this.#scope = options.scope;
    this.#now = options.now ?? Date.now;
    this.#newId = options.newId ?? randomId;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  /** Adds a node and returns it as it was added, also if the call is repeated under its key. */
  async addNode(node: OpenNode, options: WriteOptions = {}): Promise<DecisionNode> {
    const { nodes } = await this.write([{ type: "addNode", node }], options);
    return nodes[0] as DecisionNode;
  }

  /** Adds an edge and returns it as it was added, as `addNode` does. */
  async addEdge(edge: OpenEdge, options: WriteOptions = {}): Promise<DecisionEdge> {
    const { edges } = await this.write([{ type: "addEdge", edge }], options);
    return edges[0] as DecisionEdge;
  }

  /** Changes a node and returns it as the change left it, also if the call is repeated under its key. */
  async updateNode(
    id: string,
    patch: OpenPatch,
    options: WriteOptions = {},
  ): Promise<DecisionNode> {
    const { nodes } = await this.write([{ type: "updateNode", id, patch }], options);
    return nodes[0] as DecisionNode;
  }

  /** Deletes a node, with all its edges. */
  deleteNode(id: string, options: WriteOptions = {}): Promise<WriteResult> {
    return this.write([{ type: "deleteNode", id }], options);
  }

  /**
   * Retires a node in favour of another: marks it as superseded, gives it the rationale, and adds the
   * edge, all at once.
   */
  supersede(
    oldId: string,
    newId: string,
    rationale: string | null = null,
    options: WriteOptions = {},
  ): Promise<WriteResult> {
    return this.write([{ type: "supersede", oldId, newId, rationale }], options);
  }

  /** Carries out operations as one transaction: all take effect or none does. */
  async write(
    operations: readonly OpenOperation[],
    options: WriteOptions = {},
  ): Promise<WriteResult> {
    const list = toJson<Json>(operations, "operations");
    checkAllOptions("a write", options, WRITE_OPTIONS);
    const { idempotencyKey: key } = options;
    const scope = this.#scope ?? "";
    let count = 0;
    // A repeated call has to add the same ids.
    const newId =
      typeof key === "string" ? () => derivedId({ runId: key, id: scope }, count++) : this.#newId;
    const at = this.#now();
    // A value that is no operation goes on as it is, to be refused by the store.
    const whole = Array.isArray(list)
      ? list.map((each) => (isJsonObject(each) ? this.#inScope(fillIn(each, at, newId)) : each))
      : list;
    const call = { signal: this.#signal, idempotencyKey: key === undefined ? this.#newId() : key };
    const result = await askStore(this.store, this.#signal, (store) =>
      store.write(whole as readonly Json[], call),
    );
    return result as object as WriteResult;
  }

  /** Asks anything; the scope is filled in. */
  async query<const Q extends DecisionQuery>(query: Q): Promise<QueryResult<Q>> {
    const json = toJson<Json>(query, "query");
    const answer = await askStore(this.store, this.#signal, (store) =>
      // A value that is no query goes on as it is, to be refused by the store.
      store.read(this.#inScope(json), { signal: this.#signal }),
    );
    // A store of decisions answers as the query specifies: `storeLaws` hold it to that.
    return answer as object as QueryResult<Q>;
  }

  /**
   * Gives one node.
   * @throws ReckonerError `decisions.missing` if there is none of that id
   */
  async getNode(nodeId: string): Promise<DecisionNode> {
    const { nodes } = await this.query({ type: "node", nodeId });
    const [node] = nodes;
    if (node !== undefined) return node;
    throw new ReckonerError(
      "decisions.missing",
      `There is no node "${nodeId}"; give the whole id of one.`,
      { place: "nodeId" },
    );
  }

  /** Edges of a node, in the order in which they were committed. */
  getEdges(
    nodeId: string,
    direction: "outgoing" | "incoming" | "both" = "outgoing",
    options: Limited = {},
  ): Promise<FoundEdges> {
    return this.query({ type: "edges", nodeId, direction, ...asked(options) });
  }

  /** Nodes that a filter lets through, by creation. */
  nodes(
    where: NodeFilter = {},
    options: Limited & { readonly order?: "oldest" | "newest" | undefined } = {},
  ): Promise<FoundNodes> {
    return this.query({ type: "nodes", where, ...asked(options) });
  }

  /** Goals that are active, by creation; a limit keeps the newest. */
  activeGoals(options: Limited = {}): Promise<FoundNodes> {
    return this.query({ type: "activeGoals", ...asked(options) });
  }

  /** Decisions, newest first: ten by default, without superseded and rejected ones. */
  recentDecisions(
    options: Limited & { readonly statuses?: readonly NodeStatus[] | undefined } = {},
  ): Promise<FoundNodes> {
    return this.query({ type: "recentDecisions", ...asked(options) });
  }

  /** The nodes of the shortest path, both ends included; empty where there is none. */
  pathBetween(fromId: string, toId: string, options: Limited = {}): Promise<FoundNodes> {
    return this.query({ type: "pathBetween", fromId, toId, ...asked(options) });
  }

  /** The nodes that can be reached from a node, breadth first, without itself. */
  descendants(nodeId: string, options: Limited = {}): Promise<FoundNodes> {
    return this.query({ type: "descendants", nodeId, ...asked(options) });
  }

  /** The nodes that can reach a node, breadth first, without itself. */
  ancestors(nodeId: string, options: Limited = {}): Promise<FoundNodes> {
    return this.query({ type: "ancestors", nodeId, ...asked(options) });
  }

  /** The committed changes of a node, the first of which added it. */
  history(nodeId: string, options: Limited = {}): Promise<FoundHistory> {
    return this.query({ type: "history", nodeId, ...asked(options) });
  }

  /** The path from the goal, with what was chosen and rejected at each step. */
  why(nodeId: string, options: Limited = {}): Promise<FoundWhy> {
    return this.query({ type: "why", nodeId, ...asked(options) });
  }

  /** Active goals with the nodes below them, and recent decisions. */
  summary(
    options: Limited & { readonly decisionLimit?: number | undefined } = {},
  ): Promise<FoundSummary> {
    return this.query({ type: "summary", ...asked(options) });
  }

  /** The summary as the text that an agent is shown; null if there is nothing to show. */
  async context(
    options: ContextOptions & { readonly decisionLimit?: number | undefined } = {},
  ): Promise<string | null> {
    const { decisionLimit, ...budget } = checkAllOptions("context", options, CONTEXT);
    const summary = await this.summary(decisionLimit === undefined ? {} : { decisionLimit });
    return buildContext(summary, budget);
  }

  /** The version, and the numbers of nodes and edges. */
  stats(): Promise<FoundStats> {
    return this.query({ type: "stats" });
  }

  #inScope(value: Json): Json {
    return isJsonObject(value) && this.#scope !== undefined
      ? { ...value, scope: this.#scope }
      : value;
  }
}

/** An operation with its time and the id of what it adds. */
function fillIn(fields: JsonObject, at: number, newId: () => string): JsonObject {
  const { type, node, edge } = fields;
  const withId = (of: JsonObject, field: string) =>
    field in of ? of : { [field]: newId(), ...of };
  const operation = { at, ...fields };
  if (type === "addNode" && isJsonObject(node)) return { ...operation, node: withId(node, "id") };
  if (type === "addEdge" && isJsonObject(edge)) return { ...operation, edge: withId(edge, "id") };
  return type === "supersede" ? withId(operation, "edgeId") : operation;
}

/** 32 lowercase hexadecimal digits. */
function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
