// Keeping a context as data: the round trip is the identity on whatever holds no secrets, and what
// is kept holds none.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchDanglingToolCalls } from "../src/core/agent/index.js";
import { LIST_KEY, listOf } from "../src/core/kernel/values/index.js";
import { isSecretKey, secretPaths } from "../src/core/kernel/vocabulary/index.js";
import { type AgentContext, agentContext, type Json } from "../src/index.js";
import { jsonValue, transcript, userMessage } from "../src/testing/index.js";
import { seeds } from "./setup.js";

const { deserialize, serialize } = agentContext;

const time = fc
  .oneof(fc.integer({ min: 0, max: 4e12 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  // A state holds no -0: the border makes it 0.
  .map((at) => at + 0);
const context = fc
  .record({
    // One that is in order: else it is repaired.
    messages: transcript(["t0", "t1"]).map(patchDanglingToolCalls),
    deps: fc.dictionary(
      // What the border refuses is in no state.
      fc.string().filter((key) => key !== "__proto__" && key !== LIST_KEY),
      jsonValue(),
    ),
    startedAt: time,
    queue: fc.array(userMessage(), { maxLength: 2 }).map(listOf),
    needsResponse: fc.boolean(),
    iteration: fc.nat(),
    turn: fc.nat(),
    error: fc.option(fc.record({ code: fc.string(), message: fc.string() })),
    tokens: fc.nat(),
  })
  .map(({ messages, deps, startedAt, tokens, ...rest }): AgentContext => {
    const made = agentContext.newContext({ messages, deps, startedAt });
    return { ...agentContext.addUsage(made, { cacheReadInputTokens: tokens }), ...rest };
  });

/** As a state holds it: through the border, and through JSON. */
const asStored = (value: unknown) => JSON.parse(JSON.stringify(value));

function withSecret(value: Json, key: string): Json {
  return { [key]: "s", deeper: [{ [key]: value, other: value }] };
}

describe.each(seeds)("a context as data (seed %d)", (seed) => {
  it("comes back as it was", () => {
    fc.assert(
      fc.property(context, (before) => {
        fc.pre(secretPaths(before.deps).length === 0);
        const read = deserialize(asStored(serialize(before)));
        expect(read).toEqual({ ok: true, context: asStored(before), warnings: [] });
      }),
      { seed, numRuns: 200 },
    );
  });

  it("holds no key that looks like a secret", () => {
    const secret = fc.constantFrom("token", "api_key", "apiKey", "dbPassword", "AUTH-TOKEN");
    fc.assert(
      fc.property(context, secret, jsonValue(), (before, key, value) => {
        const deps = { ...before.deps, mine: withSecret(value, key) };
        const kept = serialize({ ...before, deps }).deps;
        expect(isSecretKey(key)).toBe(true);
        expect(secretPaths(kept)).toEqual([]);
      }),
      { seed, numRuns: 100 },
    );
  });
});
