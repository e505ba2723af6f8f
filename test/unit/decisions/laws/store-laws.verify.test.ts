// The laws of stores see a store that does not keep them.

import fc from "fast-check";
import type { Json } from "reckoner";
import { memoryDecisions, type StorePort, type StoreWrite } from "reckoner/decisions";
import { type StoreLaw, storeAgrees, storeLaws } from "reckoner/testing";
import { describe, expect, test } from "vitest";

type Fault = (store: StorePort, how: { readonly scoped: boolean }) => Partial<StorePort>;
const make = (fault: Fault) => (how: { readonly scoped: boolean }) => {
  const store = memoryDecisions(how);
  return { ...store, ...fault(store, how) };
};

async function broken(laws: readonly StoreLaw[]): Promise<string[]> {
  const names = laws.map((law) =>
    law.check().then(
      () => [],
      () => [law.name],
    ),
  );
  return (await Promise.all(names)).flat();
}

type Answer = { nodes?: Json[]; edges?: Json[]; truncated?: boolean };
type Asked = { type?: string; scope?: string; limit?: number; asOf?: number; select?: string };

/** A store whose reads are changed. */
const reading =
  (change: (answer: Answer, query: Asked) => Json): Fault =>
  (store) => ({
    read: async (query, call) =>
      change((await store.read(query, call)) as Answer, (query ?? {}) as Asked),
  });
const asking =
  (change: (query: Asked) => Asked): Fault =>
  (store) => ({ read: (query, call) => store.read(change(query as Asked) as Json, call) });

const faults: readonly (readonly [string, Fault, RegExp])[] = [
  [
    "results in another order",
    reading(
      (answer) =>
        ({ ...answer, ...(answer.nodes && { nodes: [...answer.nodes].reverse() }) }) as Json,
    ),
    /breadth first/,
  ],
  [
    "truncated is never said",
    reading(
      (answer) => ({ ...answer, ...("truncated" in answer && { truncated: false }) }) as Json,
    ),
    /keep limits/,
  ],
  [
    "the limit is not kept",
    asking((query) => ({ ...query, ...(query.limit !== undefined && { limit: 1e6 }) })),
    /keep limits/,
  ],
  [
    "the beginning of an id is always taken for it",
    asking((query) => ("nodeId" in query ? { ...query, prefix: true } : query)),
    /keep limits/,
  ],
  [
    "what fails is an empty list",
    (store) => ({
      read: (query, call) => store.read(query, call).catch(() => ({ nodes: [], truncated: false })),
    }),
    /names the field/,
  ],
  [
    "operations are written one by one",
    (store) => ({
      write: async (operations, call) => {
        let result: Json = null;
        for (const [i, operation] of operations.entries()) {
          result = await store.write([operation], {
            ...call,
            idempotencyKey: `${call.idempotencyKey}/${i}`,
          });
        }
        return result;
      },
    }),
    /nothing of its transaction is written/,
  ],
  [
    "keys are forgotten",
    (store) => {
      let count = 0;
      return {
        write: (operations, call) => {
          count += 1;
          return store.write(operations, { ...call, idempotencyKey: `${count}` });
        },
      };
    },
    /no second effect/,
  ],
  [
    "a key is enough, whatever the operations",
    (store) => {
      const results = new Map<string, Promise<Json>>();
      return {
        write: (operations, call: StoreWrite) => {
          const known = results.get(call.idempotencyKey);
          if (known !== undefined) return known;
          const result = store.write(operations, call);
          results.set(call.idempotencyKey, result);
          return result;
        },
      };
    },
    /with others it is refused/,
  ],
  [
    "one writer overwrites another",
    (store) => {
      let busy = false;
      return {
        write: async (operations, call) => {
          if (busy) return { seq: 1, at: 0, operations: operations.length, resolved: [] };
          busy = true;
          await Promise.resolve();
          busy = false;
          return store.write(operations, call);
        },
      };
    },
    /none is lost/,
  ],
  [
    "a signal is not heeded",
    (store) => ({
      read: (query) => store.read(query, { signal: new AbortController().signal }),
      write: (operations, call) =>
        store.write(operations, { ...call, signal: new AbortController().signal }),
    }),
    /aborted before it begins/,
  ],
  [
    "metadata are sorted",
    reading((answer) =>
      JSON.parse(
        JSON.stringify(answer, (_, value) =>
          typeof value === "object" && value !== null && !Array.isArray(value) && !("id" in value)
            ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
            : value,
        ),
      ),
    ),
    /order of their keys/,
  ],
  [
    "texts are cut at a quote",
    reading((answer) => JSON.parse(JSON.stringify(answer).replaceAll("DROP TABLE", "")) as Json),
    /last character/,
  ],
  [
    "U+FEFF is dropped",
    reading((answer) => JSON.parse(JSON.stringify(answer).replaceAll("\uFEFF", "")) as Json),
    /last character/,
  ],
  [
    "the reason of a change is forgotten",
    reading((answer, { type }) =>
      type === "history"
        ? (JSON.parse(JSON.stringify(answer).replaceAll("on reflection", "")) as Json)
        : (answer as Json),
    ),
    /keep limits/,
  ],
  [
    "no scope is every scope",
    (_, { scoped }) => {
      const store = memoryDecisions();
      const without = (value: Json): Json => {
        const { scope: _scope, ...rest } = value as { scope?: Json };
        return rest;
      };
      return !scoped
        ? {}
        : {
            read: (query, call) => store.read(without(query), call),
            write: (operations, call) => store.write(operations.map(without), call),
          };
    },
    /scopes are kept apart/,
  ],
];

describe("a fault is seen", () => {
  test.each(faults)("%s", async (_, fault, law) => {
    expect(await broken(storeLaws(make(fault)))).toContainEqual(expect.stringMatching(law));
  });

  test("and none where there is none", async () => {
    expect(await broken(storeLaws(make(() => ({}))))).toEqual([]);
  });
});

test.each(faults.filter(([name]) => /order|empty|one by one/.test(name)))(
  "the property sees it too: %s",
  async (_, fault) => {
    const run = fc.check(storeAgrees(make(fault)).property, { seed: 1, numRuns: 500 });
    expect((await run).failed).toBe(true);
  },
);
