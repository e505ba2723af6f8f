/**
 * The interface of a Postgres client, and how a transaction gets a connection: from a pool it takes
 * one; on a single connection transactions queue.
 */

/** Any client that runs a statement with parameters: a `Pool` or a `Client` of `pg`, PGlite, ….*/
export interface PostgresClient {
  /** Runs one statement; parameters stand as `$1`, `$2`, …. */
  query(
    text: string,
    parameters?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  /** Of a pool: gives a connection that nobody else uses until it is released. */
  connect?(): Promise<unknown>;
}

/** An emitter of events: a client of `pg`, its pool and the connections of that. */
interface Emitter {
  on?(event: "error" | "connect", listener: (argument: Emitter | undefined) => void): unknown;
  off?(event: "error" | "connect", listener: (argument: Emitter | undefined) => void): unknown;
}

/** A connection that was taken out of a pool. */
interface PooledClient extends PostgresClient, Emitter {
  /** @param destroy the connection is broken, and must not be used again */
  release(destroy?: boolean): void;
}

/** The connections of each client: all that use it share its listeners, and on a single one the queue. */
const shared = new WeakMap<PostgresClient, Connections>();

/** Connections for transactions. */
export class Connections {
  readonly #client: PostgresClient;
  /** True if `connect` gives connections; undefined before it was tried. */
  #isPool: boolean | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #users = 0;

  private constructor(client: PostgresClient) {
    this.#client = client;
  }

  /**
   * Returns the connections of a client, and listens for errors of the client and of each connection
   * from its first moment on: an `error` that nobody hears ends the process. The next statement shows
   * that the connection broke.
   */
  static of(client: PostgresClient): Connections {
    const connections = shared.get(client) ?? new Connections(client);
    shared.set(client, connections);
    connections.#users += 1;
    if (connections.#users > 1) return connections;
    const emitter: Emitter = client as object;
    emitter.on?.("error", ignore);
    emitter.on?.("connect", listen);
    return connections;
  }

  /** Stops listening to the client, if nobody else uses it. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    const emitter: Emitter = this.#client as object;
    emitter.off?.("error", ignore);
    emitter.off?.("connect", listen);
  }

  /**
   * Works on a connection that nobody else uses meanwhile.
   * @param work gets the connection, and a function that says that it is broken
   */
  async use<T>(work: (client: PostgresClient, broken: () => void) => Promise<T>): Promise<T> {
    if (this.#isPool !== false) {
      const pooled = await this.#takeOut();
      if (pooled !== undefined) {
        this.#isPool = true;
        let isBroken = false;
        const broken = () => {
          isBroken = true;
        };
        // While it is checked out, nobody else listens for errors: a connection that breaks would
        // end the process.
        pooled.on?.("error", broken);
        try {
          return await work(pooled, broken);
        } finally {
          pooled.release(isBroken);
          pooled.off?.("error", broken);
        }
      }
    }
    this.#isPool = false;
    const turn = this.#last.then(() => work(this.#client, () => undefined));
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  /** A connection of a pool; undefined where the client is one connection itself. */
  async #takeOut(): Promise<PooledClient | undefined> {
    let connection: unknown;
    try {
      connection = await this.#client.connect?.();
    } catch (thrown) {
      // A `Client` of pg that is connected refuses to connect again; one that is not connects.
      if (this.#isPool === undefined && isConnectedAlready(thrown)) return undefined;
      throw thrown;
    }
    return isPooled(connection) ? connection : undefined;
  }
}

function isPooled(value: unknown): value is PooledClient {
  return (
    typeof value === "object" &&
    value !== null &&
    "release" in value &&
    typeof value.release === "function" &&
    "query" in value
  );
}

function isConnectedAlready(thrown: unknown): boolean {
  return thrown instanceof Error && /already been connected/i.test(thrown.message);
}

function ignore(): void {}

function listen(connection: Emitter | undefined): void {
  connection?.on?.("error", ignore);
}

/** Returns the code of what Postgres refused with; `undefined` of anything else that was thrown. */
export function codeOf(thrown: unknown): unknown {
  return (thrown as { readonly code?: unknown } | null | undefined)?.code;
}
