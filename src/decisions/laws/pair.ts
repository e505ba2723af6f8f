/**
 * Sends each write and each query to a decision store and to the graph in memory, and throws where the
 * answers or the refusals differ. The laws of decision stores are written with it.
 */
import fc from "fast-check";
import { printValue } from "../../core/kernel/machine/index.js";
import {
  firstDifference,
  isReckonerError,
  type Json,
  messageOf,
} from "../../core/kernel/values/index.js";
import type { StorePort } from "../../runtime/index.js";
import { memoryDecisions } from "../stores/index.js";

/** A signal that is never aborted. */
export const NEVER: AbortSignal = new AbortController().signal;

/** The outcome of a call: an answer, or a refusal with its code, place and message. */
type Outcome = { readonly answer: Json } | { readonly refused: Json };

/** See the banner. Each call throws an Error that says where the two differ. */
export class Pair {
  readonly #store: StorePort;
  readonly #memory: StorePort;
  readonly #log: string[] = [];
  #keys = 0;

  /** @param scoped true for a store that was opened with scopes */
  constructor(store: StorePort, scoped: boolean) {
    this.#store = store;
    this.#memory = memoryDecisions({ scoped });
  }

  /** Writes to both; the default key is a new one. */
  write(operations: readonly unknown[], key = `key/${this.#keys++}`): Promise<void> {
    const call = { signal: NEVER, idempotencyKey: key };
    return this.#call("write", { key, operations }, (store) =>
      store.write(operations as readonly Json[], call),
    );
  }

  /** Asks both. */
  read(query: unknown): Promise<void> {
    return this.#call("read", query, (store) => store.read(query as Json, { signal: NEVER }));
  }

  /** Asks both everything, about each of the nodes; `more` are fields of every query. */
  async compareAll(more: { readonly scope?: string } = {}): Promise<void> {
    const all = { limit: 1_000_000, ...more };
    for (const type of ["nodes", "edges", "history", "summary", "stats"]) {
      await this.read({ type, ...all });
    }
    const ids = await this.ids(more);
    for (const [i, nodeId] of ids.entries()) {
      for (const type of ["descendants", "ancestors", "why"]) {
        await this.read({ type, nodeId, ...more });
      }
      const toId = ids[(i + 1) % ids.length];
      await this.read({ type: "pathBetween", fromId: nodeId, toId, ...more });
    }
  }

  /** The ids of all nodes in memory. */
  async ids(more: { readonly scope?: string } = {}): Promise<readonly string[]> {
    const query = { type: "nodes", limit: 1_000_000, ...more };
    const { nodes } = (await this.#memory.read(query, { signal: NEVER })) as {
      readonly nodes: readonly { readonly id: string }[];
    };
    return nodes.map(({ id }) => id);
  }

  async #call(
    kind: string,
    argument: unknown,
    call: (store: StorePort) => Promise<Json>,
  ): Promise<void> {
    this.#log.push(`${kind} ${fc.stringify(argument)}`);
    const expected = await outcomeOf(() => call(this.#memory));
    const actual = await outcomeOf(() => call(this.#store));
    const found = firstDifference(actual, expected) ?? orderDifference(actual, expected);
    if (found === undefined) return;
    const { path, left, right } = found;
    const side = (value: Json | undefined) =>
      value === undefined ? "nothing" : printValue(value, 500);
    throw new Error(
      `At ${path} the store has ${side(left)}, the graph ${side(right)}, after\n${this.#log.join("\n")}`,
    );
  }
}

async function outcomeOf(call: () => Promise<Json>): Promise<Outcome> {
  try {
    return { answer: await call() };
  } catch (thrown) {
    // An error without a code is a fault of the store, and never of the graph.
    if (!isReckonerError(thrown)) return { refused: ["no code", messageOf(thrown)] };
    return { refused: [thrown.code, thrown.place ?? null, thrown.message] };
  }
}

/** Values that are equal but for the order of their keys; of metadata the order is kept. */
function orderDifference(actual: Outcome, expected: Outcome) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  return left === right ? undefined : { path: "$ (the order of keys)", left, right };
}
