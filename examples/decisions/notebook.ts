/**
 * A store of one's own: a notebook, a key-value store that `read` and `write` directives reach. An
 * agent keeps what it should remember in it; a replay touches it no more than any other store.
 */
import { agent, type Json, ReckonerError, type StorePort, tool } from "reckoner";
import { z } from "zod";

/** One entry to write; null takes it out. */
interface Entry {
  readonly key: string;
  readonly value: Json;
}

/** A notebook in memory. A key that was used for a write has no second effect. */
export function notebook(entries: Map<string, Json> = new Map<string, Json>()): StorePort {
  const written = new Map<string, string>();
  return {
    name: "notebook",
    async read(query) {
      const { prefix } = query as { readonly prefix: string };
      return [...entries]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => ({ key, value }));
    },
    async write(operations, { idempotencyKey }) {
      const text = JSON.stringify(operations);
      const before = written.get(idempotencyKey);
      if (before !== undefined && before !== text) {
        throw new ReckonerError(
          "store.key",
          `The key ${idempotencyKey} was used for other entries.`,
        );
      }
      for (const { key, value } of before === undefined ? (operations as unknown as Entry[]) : []) {
        if (value === null) entries.delete(key);
        else entries.set(key, value);
      }
      written.set(idempotencyKey, text);
      return { count: operations.length };
    },
  };
}

const remember = tool({
  name: "remember",
  description: "Writes something down under a key.",
  inputSchema: z.object({ key: z.string(), value: z.string() }),
  issue: ({ key, value }) => [{ type: "write", store: "notes", operations: [{ key, value }] }],
  settle: ({ key }, _run, [settled]) =>
    settled?.type === "write.succeeded" ? `remembered: ${key}` : "It could not be written down.",
});

const recall = tool({
  name: "recall",
  description: "Looks up what was written down under keys that begin so.",
  inputSchema: z.object({ prefix: z.string() }),
  issue: ({ prefix }) => [{ type: "read", store: "notes", query: { prefix } }],
  settle: (_input, _run, [settled]) =>
    settled?.type === "read.succeeded" ? settled.value : "The notebook does not open.",
});

/** An agent with a notebook, which a run is given as `stores: { notes: notebook() }`. */
export const keeper = agent({ name: "keeper", tools: [remember, recall] });
