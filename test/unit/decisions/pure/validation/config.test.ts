// The configuration of decisions: what is wrong is named.

import { expect, test } from "vitest";
import { validateConfig } from "../../../../../src/decisions/pure/index.js";

test("what is given stays, what is not is filled in", () => {
  const given = {
    store: "d",
    decisionLimit: 2,
    autoInject: false,
    injectStrategy: "every_iteration",
    budget: 200,
    scope: "team/a",
  };
  expect(validateConfig(given)).toEqual(given);
  expect(Object.isFrozen(validateConfig(given))).toBe(true);
  expect("scope" in validateConfig({ store: "d", scope: undefined })).toBe(false);
});

test.each([
  [undefined, "config"],
  ["decisions", "config"],
  [{ store: "" }, "config.store"],
  [{ store: {} }, "config.store"],
  [{ store: "d", decisionLimit: 0 }, "config.decisionLimit"],
  [{ store: "d", autoInject: "yes" }, "config.autoInject"],
  [{ store: "d", injectStrategy: "always" }, "config.injectStrategy"],
  [{ store: "d", budget: 199 }, "config.budget"],
  [{ store: "d", scope: "a b" }, "config.scope"],
  [{ store: "d", store_opts: {} }, "config.store_opts"],
])("%j is refused at %s", (config, place) => {
  const refusal = config === undefined ? "json.refused" : "decisions.config";
  expect(() => validateConfig(config)).toThrow(expect.objectContaining({ code: refusal, place }));
});
