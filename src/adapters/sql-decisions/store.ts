/**
 * A decision store over a SQL database. It knows transactions, rows and versions; it must not know
 * which database it is. What is allowed and what is answered is decided by the core.
 */
import {
  answerLater,
  answerQuery,
  type CheckedRead,
  type CheckedTransaction,
  checkKey,
  checkOperations,
  checkQuery,
} from "../../core/decisions/index.js";
import {
  asJson,
  isReckonerError,
  type Json,
  messageOf,
  ReckonerError,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { StorePort, StoreRead, StoreWrite } from "../../runtime/index.js";
import { abortable } from "./abortable.js";
import { Caches } from "./caches.js";
import { ScopeRows } from "./rows.js";
import type { SqlDatabase, SqlSession } from "./session.js";
import { writeRows } from "./write-rows.js";

/** What can be chosen about a store in a database. */
export interface SqlStoreOptions {
  /** For people. */
  readonly name?: string | undefined;
  /** Every query and operation names a scope. Default false: the store has one graph. */
  readonly scoped?: boolean | undefined;
  /** See `StorePort`. */
  readonly retries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What each of them has to be. */
export const STORE_OPTIONS: shapes.Shapes<SqlStoreOptions> = {
  name: shapes.TEXT,
  scoped: shapes.FLAG,
  retries: shapes.count(0),
  timeoutMs: shapes.TIMEOUT,
};

/** A store that has something to close. */
export interface SqlStore extends StorePort {
  /**
   * Connects and brings the tables up to date. The first call does it where nobody asks for it.
   * @throws ReckonerError `store.*`; `port.failed` for what else the database refuses
   */
  open(): Promise<void>;
  /**
   * Waits for calls in progress, and closes what the store has opened. It cannot be used
   * afterwards.
   */
  close(): Promise<void>;
}

/** A version that was scanned was later than the one of the transaction: asked again in a new one. */
const outdated: unique symbol = Symbol("outdated");

/** See the banner. */
export class SqlDecisions implements SqlStore {
  readonly name: string;
  // Only present if given.
  declare readonly retries?: number;
  declare readonly timeoutMs?: number;
  readonly #database: SqlDatabase;
  readonly #scoped: boolean;
  readonly #caches = new Caches();
  readonly #underWay = new Set<Promise<unknown>>();
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(database: SqlDatabase, name: string, options: SqlStoreOptions) {
    this.#database = database;
    this.name = options.name ?? name;
    this.#scoped = options.scoped ?? false;
    if (options.retries !== undefined) this.retries = options.retries;
    if (options.timeoutMs !== undefined) this.timeoutMs = options.timeoutMs;
  }

  async open(): Promise<void> {
    if (this.#closing !== undefined) {
      throw new ReckonerError(
        "store.closed",
        `The store ${this.name} was closed; open a new one.`,
        { place: this.name },
      );
    }
    this.#opening ??= this.#database.open();
    try {
      await this.#opening;
    } catch (thrown) {
      // It may be available the next time.
      this.#opening = undefined;
      if (isReckonerError(thrown)) throw thrown;
      throw new ReckonerError(
        "port.failed",
        `The store ${this.name} cannot be opened: ${messageOf(thrown)}. Mend it and try again.`,
        { place: this.name, cause: thrown },
      );
    }
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.allSettled([this.#opening, ...this.#underWay]);
      await this.#database.close();
    })();
    return this.#closing;
  }

  async read(query: Json, { signal }: StoreRead): Promise<Json> {
    signal.throwIfAborted();
    const checked = checkQuery(query, { scoped: this.#scoped });
    return abortable(signal, this.#track(this.#read(checked, signal)));
  }

  async write(operations: readonly Json[], { signal, idempotencyKey }: StoreWrite): Promise<Json> {
    signal.throwIfAborted();
    const checked = checkOperations(operations, { scoped: this.#scoped });
    const key = checkKey(idempotencyKey);
    return abortable(signal, this.#track(this.#write(checked, key, signal)));
  }

  async #read({ scope, query }: CheckedRead, signal: AbortSignal): Promise<Json> {
    await this.open();
    for (;;) {
      try {
        return await this.#database.read(async (session) => {
          const rows = new ScopeRows(this.#database.schema, untilAborted(session, signal), scope);
          if ("asOf" in query && query.asOf !== undefined) {
            const { seq } = await rows.version();
            return asJson((await this.#caches.past(rows, seq)).answer(query));
          }
          const answer = answerLater(answerQuery(query), (request) =>
            rows.answer(request, async (walk, limit) => {
              const { seq } = await rows.version();
              const adjacency = await this.#caches.adjacency(rows, seq);
              if (adjacency === undefined) throw outdated;
              return adjacency.walk(walk, limit, seq);
            }),
          );
          return asJson(await answer);
        });
      } catch (thrown) {
        if (thrown !== outdated) throw thrown;
      }
    }
  }

  async #write(
    { scope, operations }: CheckedTransaction,
    key: string,
    signal: AbortSignal,
  ): Promise<Json> {
    await this.open();
    const { result, change } = await this.#database.write((session) =>
      writeRows(this.#database.schema, untilAborted(session, signal), scope, operations, key),
    );
    if (change !== undefined) this.#caches.committed(scope, change.seq, change.operations);
    return asJson(result);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
    return work;
  }
}

/** A session that refuses its next statement once a signal was aborted, so that all is rolled back. */
function untilAborted(session: SqlSession, signal: AbortSignal): SqlSession {
  const guard =
    <A extends readonly unknown[], R>(method: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      signal.throwIfAborted();
      return method.apply(session, given as never);
    };
  return {
    query: guard(session.query),
    insert: guard(session.insert),
    updateNodes: guard(session.updateNodes),
    neighbours: guard(session.neighbours),
    scan: guard(session.scan),
  };
}
