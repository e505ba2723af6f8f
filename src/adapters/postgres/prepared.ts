/**
 * Sends SQL statements that are repeated as prepared statements of a Postgres session, since planning one
 * takes as long as carrying it out. It must not know what a statement means.
 */
import { digestOf } from "../../core/kernel/values/index.js";
import type { PostgresClient } from "./client.js";

/** Statements that a session keeps, of all stores that use its pool. */
const MOST = 100;
/**
 * Codes of an error that comes before a prepared statement does anything: a pooler gave the transaction a session
 * that has not prepared it, or has already, or its tables have changed since.
 */
const MISSING = "26000";
const THERE = "42P05";
const CHANGED = "0A000";

/** The names of each pool. */
const shared = new WeakMap<PostgresClient, Prepared>();

/** See the banner. */
export class Prepared {
  /** True as long as sessions keep what was prepared in them. */
  #keeps = true;
  readonly #names = new Map<string, string>();
  /** Those that were asked once: most texts are asked again and again, and some never again. */
  readonly #once = new Set<string>();

  /** Returns those of a pool, whose sessions its stores share. */
  static of(pool: PostgresClient): Prepared {
    const found = shared.get(pool) ?? new Prepared();
    shared.set(pool, found);
    return found;
  }

  /**
   * Asks by a prepared statement, where a statement is asked again and again and the connection can.
   * @param broken says that the connection must not be used again
   */
  async ask(
    client: PostgresClient,
    text: string,
    values: unknown[],
    broken: () => void,
  ): ReturnType<PostgresClient["query"]> {
    const name = this.#keeps && takesNames(client) ? this.#nameOf(text) : undefined;
    if (name === undefined) return client.query(text, values);
    try {
      return await client.query({ name, text, values } as never);
    } catch (thrown) {
      const code = (thrown as { readonly code?: unknown } | null)?.code;
      if (code === MISSING || code === THERE) this.#keeps = false;
      // The session refuses that statement to its end.
      else if (code === CHANGED) broken();
      else throw thrown;
      return client.query(text, values);
    }
  }

  #nameOf(text: string): string | undefined {
    const cached = this.#names.get(text);
    if (cached !== undefined || this.#names.size === MOST) return cached;
    if (this.#once.delete(text)) {
      const name = `reckoner_${digestOf(text)}`;
      this.#names.set(text, name);
      return name;
    }
    if (this.#once.size === MOST) this.#once.clear();
    this.#once.add(text);
    return undefined;
  }
}

/** Returns true for a connection of pg as it is: whoever wraps one takes a text and its parameters. */
function takesNames(client: PostgresClient): boolean {
  return "release" in client && "processID" in client && !Object.hasOwn(client, "query");
}
