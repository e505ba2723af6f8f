// A write of the facade that is repeated under its key, however late and whatever was left out of it,
// has its first result and no second effect.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Operation, WriteResult } from "../src/core/decisions/index.js";
import { Decisions, memoryDecisions, type OpenOperation } from "../src/runtime/index.js";
import { decisionScript, type NameChoice } from "../src/testing/stores/decision-script.js";
import { rowStore } from "../test/support/row-store.js";
import { seeds } from "./setup.js";

const times = Number(process.env.RECKONER_RUNS ?? 1);

/** What is left out of an operation, and which earlier write is repeated after it. */
const choice = fc.record({ at: fc.boolean(), id: fc.boolean(), repeated: fc.nat(30) });
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

function leaveOut(operation: Operation, { at, id }: Choice): OpenOperation {
  if (typeof operation !== "object" || operation === null) return operation;
  const less = (of: object, name: string, drops: boolean) =>
    Object.fromEntries(Object.entries(of).filter(([key]) => !drops || key !== name));
  const { node, edge } = operation as { node?: object; edge?: object };
  return {
    ...less(less(operation, "at", at), "edgeId", id),
    ...(node && { node: less(node, "id", id) }),
    ...(edge && { edge: less(edge, "id", id) }),
  } as never;
}

interface Held {
  readonly operations: readonly OpenOperation[];
  readonly options: { readonly idempotencyKey: string };
  readonly result: WriteResult;
}

const choices = fc.array(choice, { minLength: 8, maxLength: 8 });
for (const seed of seeds) {
  for (const [of, make] of [
    ["memory", memoryDecisions],
    ["rows", rowStore],
  ] as const) {
    it(`${of}: a repeated write has its first result (seed ${seed})`, async () => {
      const property = fc.asyncProperty(decisionScript(), choices, async (script, chosen) => {
        const store = make();
        let count = 0;
        const tick = () => (count += 1);
        const graph = new Decisions(store, { now: tick, newId: () => `new/${tick()}` });
        const held: Held[] = [];
        const repeat = async ({ operations, options, result }: Held, by: Decisions) => {
          const { seq } = await graph.stats();
          expect(await by.write(operations, options)).toEqual(result);
          expect((await graph.stats()).seq).toBe(seq);
        };
        for (const [i, step] of script.entries()) {
          if (step.kind === "read") continue;
          const given = chosen[i % chosen.length] as Choice;
          const { ids } = await graph.query({ type: "nodes", select: "ids" });
          const named = ({ place, length, wrong }: NameChoice) => {
            const id = ids[place % (ids.length || 1)];
            return wrong || id === undefined ? "nobody" : length === 0 ? id : id.slice(0, length);
          };
          const operations = step.operations.map((open) => leaveOut(open(named), given));
          const options = { idempotencyKey: `key/${i}` };
          const result = await graph.write(operations, options).catch(() => undefined);
          if (result !== undefined) held.push({ operations, options, result });
          const earlier = held[given.repeated % (held.length || 1)];
          if (earlier !== undefined) await repeat(earlier, graph);
        }
        for (const each of held) await repeat(each, new Decisions(store));
      });
      await fc.assert(property, { seed, numRuns: 100 * times });
    });
  }
}
