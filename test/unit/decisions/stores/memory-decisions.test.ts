// The store in memory obeys the laws of every store of decisions.
import { expect, it } from "vitest";
import { storeLaws } from "../../../../src/decisions/laws/store-laws.js";
import { memoryDecisions } from "../../../../src/decisions/stores/index.js";
import { storeRules } from "../../../support/store-rules/index.js";

const laws = [...storeLaws(memoryDecisions), ...storeRules(memoryDecisions)];
for (const law of laws) it(law.name, law.check);

it("names itself", () => {
  expect(memoryDecisions().name).toBe("memory");
  expect(memoryDecisions({ name: "of a test" }).name).toBe("of a test");
});
