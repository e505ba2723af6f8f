/**
 * Laws of a decision store about concurrent writers and readers, and about calls whose signal is already
 * aborted. `storeLaws` lists them.
 */

import { printValue } from "../../core/kernel/machine/index.js";
import { asJson, firstDifference, type Json } from "../../core/kernel/values/index.js";
import type { StorePort } from "../../runtime/index.js";
import type { FoundEdges, FoundStats, Operation, WriteResult } from "../pure/index.js";
import { NEVER } from "./pair.js";
import { node, type OpenStoreLaw } from "./store-law.js";

async function write(store: StorePort, key: string, ...operations: readonly Operation[]) {
  const call = { signal: NEVER, idempotencyKey: key };
  return (await store.write(operations.map(asJson), call)) as object as WriteResult;
}

async function stats(store: StorePort): Promise<FoundStats> {
  return (await store.read({ type: "stats" }, { signal: NEVER })) as object as FoundStats;
}

/** @throws Error where two values are not the same JSON */
function same(actual: unknown, expected: unknown, what: string): void {
  const found = firstDifference(actual as Json, expected as Json);
  if (found === undefined) return;
  const [left, right] = [found.left, found.right].map((value) => printValue(value ?? null, 300));
  throw new Error(`${what}: at ${found.path} there is ${left}, not ${right}`);
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

export const writerLaws: readonly OpenStoreLaw[] = [
  {
    name: "of writers at the same time none is lost, and each has a version of its own",
    async holds(_pair, store) {
      const results = await Promise.all(
        upTo(32).map((i) => write(store, `key/${i}`, node(`n${i}`, i))),
      );
      const versions = results.map(({ seq }) => seq).sort((a, b) => a - b);
      same(
        versions,
        upTo(32).map((i) => i + 1),
        "versions",
      );
      same((await stats(store)).nodes, 32, "how many nodes there are");
    },
  },
  {
    name: "of writers that supersede the same node at the same time, one does",
    async holds(_pair, store) {
      await write(store, "nodes", node("old"), ...upTo(8).map((i) => node(`new${i}`)));
      const outcomes = await Promise.allSettled(
        upTo(8).map((i) => {
          const ends = { oldId: "old", newId: `new${i}`, edgeId: `e${i}` };
          return write(store, `key/${i}`, { type: "supersede", at: 1, ...ends });
        }),
      );
      same(outcomes.filter(({ status }) => status === "fulfilled").length, 1, "how many did");
      const { edges } = (await store.read(
        { type: "edges" },
        { signal: NEVER },
      )) as object as FoundEdges;
      same(edges.length, 1, "how many edges there are");
    },
  },
  {
    name: "of writes at the same time with one key, one has an effect, and all have its result",
    async holds(_pair, store) {
      const results = await Promise.all(upTo(8).map(() => write(store, "once", node("a"))));
      for (const result of results) same(result, results[0], "a result");
      same(await stats(store), { seq: 1, at: 0, nodes: 1, edges: 0 }, "what there is");
    },
  },
  {
    name: "a reader sees all of a transaction or nothing",
    async holds(_pair, store) {
      const writing = write(store, "many", ...upTo(50).map((i) => node(`n${i}`, i)));
      const seen = await Promise.all(upTo(20).map(() => stats(store)));
      await writing;
      for (const { nodes } of seen) same(nodes === 0 || nodes === 50, true, `${nodes} nodes seen`);
    },
  },
  {
    name: "what is aborted before it begins is rejected and writes nothing",
    async holds(_pair, store) {
      const signal = AbortSignal.abort(new Error("stopped"));
      for (const act of [
        () => store.write([asJson(node("a"))], { signal, idempotencyKey: "once" }),
        () => store.read({ type: "stats" }, { signal }),
      ]) {
        const outcome = await act().then(
          () => "accepted",
          () => "rejected",
        );
        same(outcome, "rejected", "what was aborted");
      }
      same((await stats(store)).seq, 0, "the version");
    },
  },
];
