/**
 * The facade over a store of decisions: all there is to do with a graph, as functions. It brings the
 * ids and the times that the core asks for. It must not know which store it is.
 */
import {
  type CheckedOperation,
  checkOperations,
  type DecisionEdge,
  type DecisionNode,
  type NewEdge,
  type NewNode,
  type NodePatch,
  type Operation,
  type WriteResult,
} from "../../core/decisions/index.js";
import { asJson, isJsonObject, type Json, shapes, toJson } from "../../core/kernel/index.js";
import type { StorePort } from "../ports.js";
import { checkAllOptions, checkGiven, SIGNAL, STORE } from "../running/check-options.js";
import { askStore } from "./ask-store.js";
import { DecisionsView } from "./decisions-view.js";

/** What the facade brings along, and whose graph it works on. */
export interface DecisionsOptions {
  /** Whose graph is meant, where the store was opened with scopes. */
  readonly scope?: string;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
  /** An id that nothing has; default 32 random hexadecimal digits. */
  readonly newId?: () => string;
  /** Stops what is asked of the store. */
  readonly signal?: AbortSignal;
}

/** What a write may say beside what it writes. */
export interface WriteOptions {
  /**
   * The same key with the same operations has no second effect. They are the same with their times and
   * ids, which are filled in anew where they are left out: what is to be repeated says them, in a
   * `write`. Default: a new one.
   */
  readonly idempotencyKey?: string;
}

const OPTIONS: shapes.Shapes<DecisionsOptions> = {
  scope: shapes.TEXT,
  now: shapes.FUNCTION,
  newId: shapes.FUNCTION,
  signal: SIGNAL,
};

/** What a key may be is checked with what is written. */
const WRITE_OPTIONS: shapes.Shapes<WriteOptions> = { idempotencyKey: [() => true, "a text"] };

type Optional<T, K extends PropertyKey> = T extends unknown
  ? Omit<T, K & keyof T> & Partial<Pick<T, K & keyof T>>
  : never;

/** An operation whose time, scope and new ids may be left out. */
export type OpenOperation =
  | { readonly type: "addNode"; readonly node: Optional<NewNode, "id">; readonly at?: number }
  | { readonly type: "addEdge"; readonly edge: Optional<NewEdge, "id">; readonly at?: number }
  | Optional<Exclude<Operation, { type: "addNode" | "addEdge" }>, "at" | "edgeId">;

/** See the banner. An id may be a prefix that only one node has. */
export class Decisions extends DecisionsView {
  readonly #scope: string | undefined;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #signal: AbortSignal;

  /** @throws ReckonerError `option.invalid` */
  constructor(store: StorePort, options: DecisionsOptions = {}) {
    checkGiven("The store of Decisions", store, STORE);
    checkAllOptions("Decisions", options, OPTIONS);
    const { scope, now = Date.now, newId = randomId } = options;
    const signal = options.signal ?? new AbortController().signal;
    super(store, { scope, signal });
    this.#scope = scope;
    this.#now = now;
    this.#newId = newId;
    this.#signal = signal;
  }

  /** Adds a node and gives it back whole. */
  async addNode(node: Optional<NewNode, "id">, options: WriteOptions = {}): Promise<DecisionNode> {
    const operations = this.#complete([{ type: "addNode", node }]);
    const [added] = this.#checked(operations);
    await this.#write(operations, options);
    return (added as Extract<CheckedOperation, { type: "addNode" }>).node;
  }

  /** Adds an edge and gives it back whole, with full ids. */
  async addEdge(edge: Optional<NewEdge, "id">, options: WriteOptions = {}): Promise<DecisionEdge> {
    const operations = this.#complete([{ type: "addEdge", edge }]);
    const [added] = this.#checked(operations);
    const { resolved } = await this.#write(operations, options);
    const ends = Object.fromEntries(resolved.map((name) => [name.field, name.id]));
    return { ...(added as Extract<CheckedOperation, { type: "addEdge" }>).edge, ...ends };
  }

  /** Changes a node and gives it back. */
  async updateNode(
    id: string,
    patch: NodePatch,
    options: WriteOptions = {},
  ): Promise<DecisionNode> {
    const { resolved } = await this.write([{ type: "updateNode", id, patch }], options);
    return this.getNode(resolved[0]?.id ?? id);
  }

  /** Takes a node away, with all its edges. Under a key it is repeated as a `write` that says `at`. */
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

  /** Carries out operations as one transaction: all hold or none does. */
  write(operations: readonly OpenOperation[], options: WriteOptions = {}): Promise<WriteResult> {
    return this.#write(this.#complete(operations), options);
  }

  /**
   * Operations with everything that the core asks for. One time for all: they are one moment. What is
   * none goes on as it is, to be refused where all are checked.
   */
  #complete(operations: readonly OpenOperation[]): readonly Operation[] {
    const given = toJson<Json>(operations, "operations");
    if (!Array.isArray(given)) return given as never;
    const now = this.#now();
    const scope = this.#scope === undefined ? {} : { scope: this.#scope };
    return given.map((operation: Json): Operation => {
      if (!isJsonObject(operation)) return operation as never;
      const { type, at = now, node, edge } = operation;
      const id = () => ({ id: this.#newId() });
      return {
        ...operation,
        at,
        ...scope,
        ...(type === "addNode" && isJsonObject(node) && { node: { ...id(), ...node } }),
        ...(type === "addEdge" && isJsonObject(edge) && { edge: { ...id(), ...edge } }),
        ...(type === "supersede" && !("edgeId" in operation) && { edgeId: this.#newId() }),
      } as never;
    });
  }

  #checked(operations: readonly Operation[]): readonly CheckedOperation[] {
    return checkOperations(operations, { scoped: this.#scope !== undefined }).operations;
  }

  async #write(operations: readonly Operation[], options: WriteOptions): Promise<WriteResult> {
    checkAllOptions("a write", options, WRITE_OPTIONS);
    const call = {
      signal: this.#signal,
      idempotencyKey: options.idempotencyKey ?? this.#newId(),
    };
    const result = await askStore(this.store, this.#signal, (store) =>
      store.write(asJson(operations), call),
    );
    return result as object as WriteResult;
  }
}

/** 32 lowercase hexadecimal digits. */
function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
