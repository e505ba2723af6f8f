/**
 * The queries of a decision store as methods, for now or as of a time. Nothing found is an empty
 * list; a store that fails is an error.
 */
import {
  type AnyResult,
  buildContext,
  type ContextOptions,
  type DecisionNode,
  type DecisionQuery,
  type EdgeType,
  type FoundEdges,
  type FoundHistory,
  type FoundNodes,
  type FoundStats,
  type FoundSummary,
  type FoundWhy,
  type NodeFilter,
  type NodeStatus,
  type QueryResult,
} from "../../core/decisions/index.js";
import { isJsonObject, type Json, ReckonerError, toJson } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { StorePort } from "../ports.js";
import { checkAllOptions, checkGiven } from "../running/check-options.js";
import { askStore } from "./ask-store.js";

/** At most so many results. */
interface Limited {
  readonly limit?: number | undefined;
}

/** Which edges are followed; default: all. */
interface Following extends Limited {
  readonly edgeTypes?: readonly EdgeType[] | undefined;
}

/** Where and how a view asks. */
export interface ViewOptions {
  readonly scope?: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970; left out, it is asked for the present. */
  readonly asOf?: number | undefined;
}

const CONTEXT: shapes.Shapes<ContextOptions & { readonly decisionLimit?: number }> = {
  budget: shapes.ANYTHING,
  decisionLimit: shapes.ANYTHING,
};

/** What is asked beside: of what is not an object nothing would be left. Names are the store's to refuse. */
function asked<Options extends object>(options: Options): Options {
  checkGiven("What is asked beside", options, shapes.OBJECT);
  return options;
}

/**
 * The queries of a decision store as methods, for now or as of a time. An id may be a prefix that
 * only one node has.
 */
export class DecisionsView {
  readonly store: StorePort;
  readonly #options: ViewOptions;

  constructor(store: StorePort, options: ViewOptions) {
    this.store = store;
    this.#options = options;
  }

  /**
   * Asks anything; the scope and the time of this view are filled in. The past has no log of its own:
   * `changes` and `change` are asked of the present.
   */
  async query<const Q extends DecisionQuery>(query: Q): Promise<QueryResult<Q>> {
    return (await this.#ask(query)) as QueryResult<Q>;
  }

  /** @throws ReckonerError `decisions.missing` where there is no such node */
  async getNode(nodeId: string): Promise<DecisionNode> {
    const { nodes } = await this.query({ type: "node", nodeId });
    const [node] = nodes;
    if (node !== undefined) return node;
    throw new ReckonerError(
      "decisions.missing",
      `There is no node "${nodeId}", nor one that begins with it; ask for its id first.`,
      { place: "nodeId" },
    );
  }

  /** Edges of a node, by creation and then id. */
  getEdges(
    nodeId: string,
    direction: "outgoing" | "incoming" | "both" = "outgoing",
    options: Following = {},
  ): Promise<FoundEdges> {
    return this.query({ type: "edges", nodeId, direction, ...asked(options) });
  }

  /** Nodes that a filter lets through, by creation and then id. */
  nodes(
    where: NodeFilter = {},
    options: Limited & { readonly order?: "oldest" | "newest" | undefined } = {},
  ): Promise<FoundNodes> {
    return this.query({ type: "nodes", where, ...asked(options) });
  }

  /** Goals that are active, in order of creation. */
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
  pathBetween(fromId: string, toId: string, options: Following = {}): Promise<FoundNodes> {
    return this.query({ type: "pathBetween", fromId, toId, ...asked(options) });
  }

  /** What can be reached from a node, itself left out: by depth, then creation, then id. */
  descendants(nodeId: string, options: Following = {}): Promise<FoundNodes> {
    return this.query({ type: "descendants", nodeId, ...asked(options) });
  }

  /** What can reach a node, itself left out: by depth, then creation, then id. */
  ancestors(nodeId: string, options: Following = {}): Promise<FoundNodes> {
    return this.query({ type: "ancestors", nodeId, ...asked(options) });
  }

  /** The chain of what superseded what, with every rationale. */
  history(nodeId: string, options: Limited = {}): Promise<FoundHistory> {
    return this.query({ type: "history", nodeId, ...asked(options) });
  }

  /** The path from the goal, with what was chosen and rejected at each step. */
  why(nodeId: string, options: Limited = {}): Promise<FoundWhy> {
    return this.query({ type: "why", nodeId, ...asked(options) });
  }

  /** Active goals with what hangs below them, and recent decisions. */
  summary(
    options: Limited & { readonly decisionLimit?: number | undefined } = {},
  ): Promise<FoundSummary> {
    return this.query({ type: "summary", ...asked(options) });
  }

  /** The summary as the text that an agent is shown; null where there is nothing to show. */
  async context(
    options: ContextOptions & { readonly decisionLimit?: number | undefined } = {},
  ): Promise<string | null> {
    const { decisionLimit, ...budget } = checkAllOptions("context", options, CONTEXT);
    const summary = await this.summary(decisionLimit === undefined ? {} : { decisionLimit });
    return buildContext(summary, budget);
  }

  /** How much there is, and which version it is. */
  stats(): Promise<FoundStats> {
    return this.query({ type: "stats" });
  }

  /** The graph as it was believed at a time, in milliseconds since 1970. */
  asOf(time: number): DecisionsView {
    return new DecisionsView(this.store, { ...this.#options, asOf: time });
  }

  async #ask(query: DecisionQuery): Promise<AnyResult> {
    const { signal, scope, asOf } = this.#options;
    const given = toJson<Json>(query, "query");
    // What is no query goes on as it is, to be refused by the store.
    const whole = isJsonObject(given)
      ? { ...given, ...(scope !== undefined && { scope }), ...(asOf !== undefined && { asOf }) }
      : given;
    const answer = await askStore(this.store, signal, (store) => store.read(whole, { signal }));
    // A store of decisions answers what its query specifies: that is what `storeLaws` hold.
    return answer as object as AnyResult;
  }
}
