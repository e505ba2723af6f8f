/**
 * Types of the parts of Cloudflare's Durable Objects that are used here, so that no package of Cloudflare's is
 * needed.
 */

/** A row of an answer of SQLite. */
export type SqlRow = { readonly [column: string]: unknown };

/** The storage of an object that has SQLite. */
export interface ObjectStorage {
  /** Its database. */
  readonly sql: {
    /** Executes a statement. */
    exec(query: string, ...bindings: unknown[]): Iterable<SqlRow>;
  };
  /** Does all of it or nothing. */
  transactionSync<T>(work: () => T): T;
  /** Resolves when everything that was written is on disk. */
  sync(): Promise<void>;
  /** Wakes the object at a moment, also one that is gone. */
  setAlarm(at: number): Promise<void>;
  /** Takes the alarm back. */
  deleteAlarm(): Promise<void>;
}

/** A socket, as its object sees it. */
export interface ObjectSocket {
  /** Sends a message. */
  send(text: string): void;
  /** Closes it. */
  close(code?: number, reason?: string): void;
  /** Keeps a value with it, also while the object sleeps. */
  serializeAttachment(value: unknown): void;
  /** Returns that value. */
  deserializeAttachment(): unknown;
}

/** The state of an object: the first argument of its constructor. */
export interface ObjectState {
  readonly storage: ObjectStorage;
  /** Takes a socket that outlives the object's sleep. */
  acceptWebSocket(socket: never): void;
  /** The sockets that are open. */
  getWebSockets(): readonly ObjectSocket[];
}

/** A namespace of objects: a binding of the Worker. */
export interface ObjectNamespace {
  /** The id of the object of a name. */
  idFromName(name: string): unknown;
  /** The object of an id. */
  get(id: never): {
    /** Asks the object. */
    fetch(url: string, init?: RequestInit): Promise<Response>;
  };
}
