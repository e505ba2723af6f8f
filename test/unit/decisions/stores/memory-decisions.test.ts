// The store in memory obeys the laws of every store of decisions.
import { expect, it } from "vitest";
import { storeLaws } from "../../../../src/decisions/laws/store-laws.js";
import { Decisions, memoryDecisions } from "../../../../src/decisions/stores/index.js";
import { storeRules } from "../../../support/store-rules/index.js";
import { rejection } from "../../../support/thrown.js";

const laws = [...storeLaws(memoryDecisions), ...storeRules(memoryDecisions)];
for (const law of laws) it(law.name, law.check);

it("names itself", () => {
  expect(memoryDecisions().name).toBe("memory");
  expect(memoryDecisions({ name: "of a test" }).name).toBe("of a test");
});

it("answers a repeated write as the first, whatever its caller made of that", async () => {
  const decisions = new Decisions(memoryDecisions());
  const add = () =>
    decisions.write([{ type: "addNode", node: { id: "x", type: "goal", label: "X" } }], {
      idempotencyKey: "k",
    });
  const first = await add();
  expect(() => (first.nodes as unknown[]).pop()).toThrow(TypeError);
  expect(() => Object.assign(first, { seq: 99 })).toThrow(TypeError);
  expect(await add()).toEqual({ ...first, nodes: [expect.objectContaining({ id: "x" })] });
});

it("refuses a key that is null", async () => {
  const decisions = new Decisions(memoryDecisions());
  const node = { type: "goal", label: "X" } as const;
  const options = { idempotencyKey: null } as never;
  expect(await rejection(decisions.addNode(node, options))).toMatchObject({
    code: "decisions.invalid",
    place: "idempotencyKey",
  });
});
