// Decisions and functions of the caller's: what is none, and what fails, is named with its place.
import { expect, it } from "vitest";
import { askHook } from "../../../../src/runtime/running/ask-hook.js";
import { checkDecision } from "../../../../src/runtime/running/check-event.js";
import { refusal } from "../../../support/thrown.js";

it.each([undefined, null, {}, { approve: "yes" }, { approve: 1 }])("%j is no decision", (given) => {
  expect(refusal(() => checkDecision("approval/0/0", given as never))).toMatchObject({
    code: "event.invalid",
    place: "approval/0/0",
    message: 'The decision on "approval/0/0" must say approve: true or approve: false.',
  });
});

it("a decision is what it says, and nothing that is not a decision's", () => {
  const given = { approve: false, reason: "no", id: "other", at: 9, type: "cancel" };
  expect(checkDecision("a", given as never)).toEqual({ approve: false, reason: "no" });
});

it("a function that fails is named, with what it threw", () => {
  const cause = new TypeError("no wind");
  const error = refusal(() =>
    askHook("redact", () => {
      throw cause;
    }),
  );
  expect(error).toMatchObject({ code: "hook.failed", place: "redact", cause });
  expect(error.message).toBe("The function redact failed: no wind");
});
