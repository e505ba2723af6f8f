// The digest that is kept up step by step is that of the state as a whole, whatever a machine does to
// its context; two states never share one; values come back from a journal as they went in.

import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentOf } from "../src/core/journal/content.js";
import { fromContent } from "../src/core/journal/from-content.js";
import { RecordedValues } from "../src/core/journal/index.js";
import { noMemory } from "../src/core/journal/memory.js";
import { nodeText } from "../src/core/journal/node-text.js";
import { StateText, stateDigest } from "../src/core/journal/state-text.js";
import type { RunState } from "../src/core/kernel/machine/index.js";
import {
  append,
  emptyList,
  emptyTable,
  emptyVector,
  type Json,
  type List,
  pushItem,
  refOf,
  replaceItem,
  sealJson,
  type Table,
  tableDelete,
  tableSet,
  toJson,
  type Vector,
} from "../src/core/kernel/values/index.js";
import { jsonValue } from "../src/testing/index.js";
import { seeds } from "./setup.js";

const keys = fc.constantFrom("", ..."a b constructor toString - * a/b =list ==".split(" "));
/** Names like those of collections are among it, which a content has to tell from them. */
const any = fc.oneof(
  { weight: 4, arbitrary: jsonValue() },
  fc.constantFrom<Json>({ "=list": [1] }, [1, { a: 1, "=": [{ "==b": 2 }], c: 3 }], "=list"),
);
const ops = fc.oneof(
  fc.record({ op: fc.constant("set" as const), key: keys, value: any }),
  fc.record({ op: fc.constant("remove" as const), key: keys }),
  fc.record({ op: fc.constant("list" as const), value: any }),
  fc.record({ op: fc.constant("table" as const), at: fc.nat(60), value: any }),
  fc.record({ op: fc.constant("untable" as const), at: fc.nat(60) }),
  fc.record({ op: fc.constant("vector" as const), value: any }),
  fc.record({ op: fc.constant("replace" as const), at: fc.nat(40), value: any }),
  fc.record({ op: fc.constant("large" as const), at: fc.nat(30), value: fc.string() }),
);
type Op = typeof ops extends fc.Arbitrary<infer T> ? T : never;
type Fields = { readonly [key: string]: Json };

function apply(context: Fields, each: Op): Fields {
  const own = (key: string, otherwise: unknown) =>
    (Object.hasOwn(context, key) ? context[key] : otherwise) as never;
  const set = (key: string, value: unknown) => ({ ...context, [key]: sealJson(value) });
  switch (each.op) {
    case "set":
      return set(each.key, toJson(each.value));
    case "remove":
      return Object.fromEntries(Object.entries(context).filter(([key]) => key !== each.key));
    case "list":
      return set("list", append(own("list", emptyList()) as List<unknown>, each.value));
    case "table":
      return set(
        "table",
        tableSet(own("table", emptyTable()) as Table<unknown>, `k${each.at}`, toJson(each.value)),
      );
    case "untable":
      return set("table", tableDelete(own("table", emptyTable()) as Table<unknown>, `k${each.at}`));
    case "vector":
      return set(
        "vector",
        pushItem(own("vector", emptyVector()) as Vector<unknown>, toJson(each.value)),
      );
    case "replace":
      return set(
        "vector",
        replaceItem(own("vector", emptyVector()) as Vector<unknown>, each.at, toJson(each.value)),
      );
    case "large":
      return set("large", { ...(own("large", {}) as object), [`f${each.at}`]: each.value });
  }
}

function stateOf(context: Fields): RunState {
  return {
    reasoner: "r",
    version: 1,
    runId: "r",
    seq: 0,
    at: 0,
    status: "active",
    value: "a",
    context,
    outstanding: emptyTable(),
    issued: emptyList<string>(),
  };
}

describe.each(seeds)("the proof of a state (seed %d)", (seed) => {
  it("kept up step by step is that of the state as a whole, and no two states share one", () => {
    fc.assert(
      fc.property(fc.array(ops, { minLength: 1, maxLength: 60, size: "max" }), (script) => {
        const states = new StateText();
        const seen = new Map<string, string>();
        let context: Fields = {};
        for (const each of script) {
          context = Object.freeze(apply(context, each));
          const state = stateOf(context);
          const { digest, set } = states.next(state, noMemory);
          expect(digest).toBe(stateDigest(JSON.parse(JSON.stringify(state)), noMemory));
          if (set !== "") JSON.parse(set);
          const content = contentOf(context);
          const text = String(canonicalize(content));
          expect(seen.get(digest) ?? text).toBe(text);
          seen.set(digest, text);
          const again = fromContent(JSON.parse(JSON.stringify(content))) as Fields;
          expect(stateDigest(stateOf(again), noMemory)).toBe(digest);
        }
        expect(new Set(seen.values()).size).toBe(seen.size);
      }),
      { seed, numRuns: 100 },
    );
  });
});

describe.each(seeds)("a value in a line (seed %d)", (seed) => {
  const tricky = fc
    .tuple(fc.constantFrom("", "#", "@", "%", "=", "@5#", "=#"), fc.string({ maxLength: 90 }))
    .map(([start, rest]) => start + rest);
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      tricky,
      fc.integer(),
      fc.constantFrom(null, true, false),
      fc.array(tie("value"), { maxLength: 6 }),
      fc.dictionary(fc.oneof(tricky, fc.constant("item")), tie("value"), { maxKeys: 6 }),
    ),
  })).value;

  it("is read back as it was, whatever its texts begin with", () => {
    fc.assert(
      fc.property(value, (raw) => {
        const clean = toJson(raw);
        const stored: Record<string, Json> = {};
        const keep = (reference: string, nested: Json): void => {
          stored[reference] = JSON.parse(nodeText(nested, keep));
        };
        const node = JSON.parse(nodeText(clean, keep));
        const values = new RecordedValues();
        values.take({ more: true, values: stored });
        const read = values.value(node);
        expect(read).toEqual(clean);
        expect(refOf(toJson(read))).toBe(refOf(clean));
      }),
      { seed, numRuns: 1_000 },
    );
  });
});
