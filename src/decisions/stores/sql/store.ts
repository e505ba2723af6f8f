/**
 * A decision store over a SQL database. It knows transactions, rows and versions; it must not know
 * which database it is. The core decides about what is allowed and about answers.
 */

import * as shapes from "../../../core/kernel/shapes.js";
import {
  asJson,
  isReckonerError,
  type Json,
  messageOf,
  ReckonerError,
} from "../../../core/kernel/values/index.js";
import type { StorePort, StoreRead, StoreWrite } from "../../../runtime/index.js";
import {
  answerLater,
  answerQuery,
  type CheckedRead,
  type CheckedTransaction,
  checkKey,
  checkOperations,
  checkQuery,
} from "../../pure/index.js";
import { abortable } from "./abortable.js";
import { ScopeRows } from "./rows.js";
import type { SqlDatabase, SqlSession } from "./session.js";
import { writeRows } from "./write-rows.js";

/** Options of every store in a database. */
export interface SqlStoreOptions {
  /** For people. */
  readonly name?: string | undefined;
  /** Every query and operation names a scope. Default false: the store has one graph. */
  readonly scoped?: boolean | undefined;
  /** See `StorePort`. */
  readonly retries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Their shapes. */
export const STORE_OPTIONS: shapes.Shapes<SqlStoreOptions> = {
  name: shapes.TEXT,
  scoped: shapes.FLAG,
  retries: shapes.count(0),
  timeoutMs: shapes.TIMEOUT,
};

/** A store that has something to close. */
export interface SqlStore extends StorePort {
  /**
   * Connects, and creates the tables if they are missing. Otherwise the first call does it.
   * @throws ReckonerError `store.*`; `port.failed` for what else the database refuses
   */
  open(): Promise<void>;
  /**
   * Waits for calls in progress, and closes what the store has opened. It cannot be used
   * afterwards.
   */
  close(): Promise<void>;
}

/** See the banner. */
export class SqlDecisions implements SqlStore {
  readonly name: string;
  // Only present if given.
  declare readonly retries?: number;
  declare readonly timeoutMs?: number;
  readonly #database: SqlDatabase;
  readonly #scoped: boolean;
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
    return this.#database.read(async (session) => {
      const rows = new ScopeRows(this.#database, untilAborted(session, signal), scope);
      return asJson(await answerLater(answerQuery(query), (request) => rows.answer(request)));
    });
  }

  async #write(checked: CheckedTransaction, key: string, signal: AbortSignal): Promise<Json> {
    await this.open();
    return this.#database.write((session) =>
      writeRows(this.#database, untilAborted(session, signal), checked, key),
    );
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const settled = Promise.allSettled([work]);
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
    return work;
  }
}

/** A session that refuses its next statement once a signal was aborted, so that all is rolled back. */
function untilAborted(session: SqlSession, signal: AbortSignal): SqlSession {
  return {
    async query(text, parameters) {
      signal.throwIfAborted();
      return session.query(text, parameters);
    },
  };
}
