// Pure functions answer at once: one that is async does not compile where its answer is needed.
import { type Json, type JsonObject, tool, withUpdate } from "reckoner";
import { test } from "vitest";
import { z } from "zod";

const inputSchema = z.object({ n: z.number() });

test("a pure tool's function", () => {
  tool({ name: "t", inputSchema, reduce: ({ n }) => n + 1 });
  tool({ name: "t", inputSchema, reduce: ({ n }) => `${n}` });
  tool({ name: "t", inputSchema, reduce: () => null });
  tool({ name: "t", inputSchema, reduce: () => undefined });
  tool({ name: "t", inputSchema, reduce: () => ({ a: 1, b: ["x"] }) });
  tool({ name: "t", inputSchema, reduce: ({ n }) => (n > 1 ? "many" : { n }) });
  tool({ name: "t", inputSchema, reduce: ({ n }) => withUpdate(n, []) });
  tool({ name: "t", reduce: (input: JsonObject): Json => input });
  tool({ name: "t", reduce: (): unknown => 1 });
  // @ts-expect-error async
  tool({ name: "t", inputSchema, reduce: async ({ n }) => n + 1 });
  // @ts-expect-error a promise
  tool({ name: "t", reduce: () => Promise.resolve(1) });
  // @ts-expect-error async
  tool({ name: "t", issue: () => [], settle: async () => 1 });
  tool({ name: "t", issue: () => [], settle: (_input, _run, all) => all.length });
  tool({ name: "t", inputSchema, execute: async ({ n }) => n + 1 });
});
