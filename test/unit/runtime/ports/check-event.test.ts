// Decisions and functions of the caller's: what is none, and what fails, is named with its place.
import { expect, it } from "vitest";
import { callHook } from "../../../../src/runtime/ports/call-hook.js";
import { checkDecision, checkEvent } from "../../../../src/runtime/ports/check-event.js";
import { refusal } from "../../../support/thrown.js";

it.each([undefined, null, {}, { approve: "yes" }, { approve: 1 }])("%j is no decision", (given) => {
  expect(refusal(() => checkDecision("approval/0/0", given as never))).toMatchObject({
    code: "event.invalid",
    place: "approval/0/0",
    message: 'The decision on "approval/0/0" must say approve: true or approve: false.',
  });
});

it.each(["constructor", "toString", "hasOwnProperty"])("an event may be called %s", (type) => {
  expect(checkEvent({ type })).toEqual({ type });
});

it("a decision is what it says; what is undefined is left out", () => {
  const given = { approve: false, reason: "no", by: "ada", input: undefined };
  expect(checkDecision("a", given)).toEqual({ approve: false, reason: "no", by: "ada" });
  expect(checkDecision("a", { approve: true, inputs: undefined } as never)).toEqual({
    approve: true,
  });
});

it.each([
  [
    { approve: true, inputs: { amount: 5 } },
    "inputs is not a part of it; approve, input, value, of, reason, by are",
  ],
  [
    { approve: true, id: "other" },
    "id is not a part of it; approve, input, value, of, reason, by are",
  ],
  [{ approve: false, reason: 5 }, "reason must be a string; it is 5"],
  [{ approve: true, by: null }, "by must be a string; it is null"],
])("%j says more than a decision does", (given, fault) => {
  expect(refusal(() => checkDecision("a", given as never))).toMatchObject({
    code: "event.invalid",
    place: "a",
    message: `The decision on "a": ${fault}.`,
  });
});

it.each([undefined, null, 5, {}])("%j is no approval's id", (id) => {
  expect(refusal(() => checkDecision(id as never, { approve: true }))).toMatchObject({
    code: "event.invalid",
  });
});

it("a function that fails is named, with what it threw", () => {
  const cause = new TypeError("no wind");
  const error = refusal(() =>
    callHook("redact", () => {
      throw cause;
    }),
  );
  expect(error).toMatchObject({ code: "hook.failed", place: "redact", cause });
  expect(error.message).toBe("The function redact failed: no wind");
});
