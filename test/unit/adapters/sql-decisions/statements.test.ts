// Statements: whatever a user says is a parameter, and every one of them names its scope.
import { expect, it } from "vitest";
import { abortable } from "../../../../src/adapters/sql-decisions/abortable.js";
import { Where } from "../../../../src/adapters/sql-decisions/where.js";

it("conditions begin with the scope, and hold no value themselves", () => {
  const where = new Where("s'; DROP TABLE x; --").filter({
    ids: ["a", "b"],
    types: ["goal"],
    statuses: [],
    text: "' OR 1=1",
    createdFrom: 1,
    createdBefore: 2,
  });
  expect(`${where}`).toBe(
    "WHERE scope = $1 AND id IN (SELECT unnest(string_to_array($2, ','))) AND type = $3 AND 1 = 0 AND created_at >= $4 AND created_at < $5 AND (strpos(label, $6) > 0 OR strpos(rationale, $6) > 0)",
  );
  expect(where.parameters).toEqual(["s'; DROP TABLE x; --", "a,b", "goal", 1, 2, "' OR 1=1"]);
  // An empty text stands in everything.
  expect(`${new Where("").filter({ text: "" })}`).toBe("WHERE scope = $1");
});

it("a signal has one listener, however many wait, and none is left behind", async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { addEventListener } = controller.signal;
  controller.signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(controller.signal, given);
  };
  const never = new Promise<never>(() => {});
  const waits = Array.from({ length: 20 }, () => abortable(controller.signal, never));
  expect(await abortable(controller.signal, Promise.resolve(1))).toBe(1);
  await expect(abortable(controller.signal, Promise.reject(new Error("own")))).rejects.toThrow(
    "own",
  );
  controller.abort(new Error("enough"));
  for (const wait of waits) await expect(wait).rejects.toThrow("enough");
  expect(listeners).toBe(1);
  await expect(abortable(controller.signal, never)).rejects.toThrow("enough");
});
