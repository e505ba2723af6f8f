/**
 * `Decisions`: the facade over any decision store. It provides the ids and times that the core
 * needs. It must not know which store it is.
 */
import {
  type CheckedOperation,
  checkOperations,
  type DecisionEdge,
  type DecisionNode,
  firstResult,
  type NewEdge,
  type NewNode,
  type NodePatch,
  type Operation,
  type WriteResult,
} from "../../core/decisions/index.js";
import {
  asJson,
  firstDifference,
  isJsonObject,
  isReckonerError,
  type Json,
  ReckonerError,
  toJson,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { StorePort } from "../ports.js";
import { checkAllOptions, checkGiven, SIGNAL, STORE } from "../running/check-options.js";
import { askStore } from "./ask-store.js";
import { DecisionsView } from "./decisions-view.js";
import { fillIn } from "./fill-in.js";

/** What the facade brings along, and whose graph it works on. */
export interface DecisionsOptions {
  /** Whose graph is meant, where the store was opened with scopes. */
  readonly scope?: string | undefined;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** An id that nothing has; default 32 random hexadecimal digits. */
  readonly newId?: (() => string) | undefined;
  /** Stops what is asked of the store. */
  readonly signal?: AbortSignal | undefined;
}

/** What a write may say beside what it writes. */
export interface WriteOptions {
  /**
   * The same call under the same key has no second effect and gives the first result: times and new ids
   * that it leaves out are those of the first time. Other operations under it are refused as
   * `store.key`. Default: a new one.
   */
  readonly idempotencyKey?: string | undefined;
}

const OPTIONS: shapes.Shapes<DecisionsOptions> = {
  scope: shapes.TEXT,
  now: shapes.FUNCTION,
  newId: shapes.FUNCTION,
  signal: SIGNAL,
};

/** What a key may be is checked with what is written. */
const WRITE_OPTIONS: shapes.Shapes<WriteOptions> = { idempotencyKey: [() => true, "a string"] };

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

/** What is to be written: what the caller said, in the scope, and the same with what was filled in. */
interface OpenWrite {
  readonly given: Json;
  readonly operations: readonly Operation[];
}

/** What a write came to. */
interface Written {
  readonly result: WriteResult;
  /** Its operations as they were the first time, where that took asking. */
  readonly first?: readonly CheckedOperation[];
}

/**
 * The facade over any decision store: all operations and queries as methods. An id may be a prefix
 * that only one node has.
 */
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

  /**
   * Adds a node and gives it back whole: as it was added, also where the call is repeated under its key
   * and the node was changed or deleted since.
   */
  async addNode(node: OpenNode, options: WriteOptions = {}): Promise<DecisionNode> {
    const { added } = await this.#add({ type: "addNode", node }, options);
    return (added as Extract<CheckedOperation, { type: "addNode" }>).node;
  }

  /** Adds an edge and gives it back whole, with full ids: as it was added, as `addNode` does. */
  async addEdge(edge: OpenEdge, options: WriteOptions = {}): Promise<DecisionEdge> {
    const { added, resolved } = await this.#add({ type: "addEdge", edge }, options);
    const ends = Object.fromEntries(resolved.map((name) => [name.field, name.id]));
    return { ...(added as Extract<CheckedOperation, { type: "addEdge" }>).edge, ...ends };
  }

  /**
   * Changes a node and gives it back: as it is now, also where the call is repeated under its key and
   * the node was changed since. One that was deleted since is `decisions.missing`.
   */
  async updateNode(
    id: string,
    patch: OpenPatch,
    options: WriteOptions = {},
  ): Promise<DecisionNode> {
    const { resolved } = await this.write([{ type: "updateNode", id, patch }], options);
    return this.getNode(resolved[0]?.id ?? id);
  }

  /** Takes a node away, with all its edges. */
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
  async write(
    operations: readonly OpenOperation[],
    options: WriteOptions = {},
  ): Promise<WriteResult> {
    const { result } = await this.#write(this.#open(operations), options);
    return result;
  }

  /** Adds one thing that is given back. It is checked here too: what it leaves out has a default. */
  async #add(
    operation: OpenOperation,
    options: WriteOptions,
  ): Promise<{
    readonly added: CheckedOperation | undefined;
    readonly resolved: WriteResult["resolved"];
  }> {
    const open = this.#open([operation]);
    const checked = this.#checked(open.operations);
    const { result, first = checked } = await this.#write(open, options);
    return { added: first[0], resolved: result.resolved };
  }

  /** Operations as they are given, in this scope, and with everything that the core asks for. */
  #open(operations: readonly OpenOperation[]): OpenWrite {
    const list = toJson<Json>(operations, "operations");
    const scope = this.#scope === undefined ? undefined : { scope: this.#scope };
    const inScope = (operation: Json) =>
      scope !== undefined && isJsonObject(operation) ? { ...operation, ...scope } : operation;
    const given = Array.isArray(list) ? list.map(inScope) : list;
    return { given, operations: this.#complete(given) };
  }

  /**
   * Operations with everything that the core asks for: anew, or as it was the first time. One time for
   * all that are new: they are one moment. What is none goes on as it is, to be refused where all are
   * checked.
   */
  #complete(given: Json, first: readonly CheckedOperation[] = []): readonly Operation[] {
    if (!Array.isArray(given)) return given as never;
    const fresh = { at: this.#now(), newId: this.#newId };
    return given.map((operation: Json, i): Operation => {
      return (isJsonObject(operation) ? fillIn(operation, fresh, first[i]) : operation) as never;
    });
  }

  #checked(operations: readonly Operation[]): readonly CheckedOperation[] {
    return checkOperations(operations, { scoped: this.#scope !== undefined }).operations;
  }

  async #write({ given, operations }: OpenWrite, options: WriteOptions): Promise<Written> {
    checkAllOptions("a write", options, WRITE_OPTIONS);
    const { idempotencyKey: key } = options;
    const call = { signal: this.#signal, idempotencyKey: key ?? this.#newId() };
    try {
      const result = await askStore(this.store, this.#signal, (store) =>
        store.write(asJson(operations), call),
      );
      return { result: result as object as WriteResult };
    } catch (thrown) {
      const isUsed = isReckonerError(thrown) && thrown.code === "store.key";
      const isWhole = () => firstDifference(given, asJson(operations)) === undefined;
      if (!isUsed || typeof key !== "string" || isWhole()) throw thrown;
      return this.#repeat(given, key, thrown);
    }
  }

  /**
   * A write whose key was used before, as it was the first time, where it is the same but for what was
   * filled in anew. Where it is not, or the store does not say what it was, it stays refused.
   */
  async #repeat(given: Json, key: string, refusal: ReckonerError): Promise<Written> {
    const found = this.query({ type: "change", key }).then(({ changes }) => changes[0]);
    const change = await found.catch((cause: unknown) => {
      this.#signal.throwIfAborted();
      throw new ReckonerError("store.key", refusal.message, { place: "idempotencyKey", cause });
    });
    if (change === undefined) throw refusal;
    const again = this.#complete(given, change.operations);
    try {
      const first = this.#checked(again);
      return { result: firstResult(change, first), first };
    } catch {
      // With the times of other operations it need not even be valid.
      throw refusal;
    }
  }
}

/** 32 lowercase hexadecimal digits. */
function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
