// Keys come from outside, in the details of a provider's error or an update: a long one costs its length.
import "../../../../support/work.js";
import { describe, it } from "vitest";
import { maskCredentials } from "../../../../../src/core/kernel/vocabulary/index.js";
import { expectFlat } from "../../../../support/work.js";

describe("masking under a long key", () => {
  it.each(["A", "Aa", "token_", "token_policy_", "a1", "KEY_", "@"])(
    "costs its length: %j",
    (unit) => {
      const under = (length: number) => ({ [unit.repeat(length / unit.length)]: "x" });
      return expectFlat(
        (length) => {
          const value = under(length);
          return () => maskCredentials(value);
        },
        2_000,
        20_000,
      );
    },
  );

  it.each(["password: must ", "cookie: SameSite=a ", "a=b;Secret=c d;", "Unexpected token: '"])(
    "costs the length of a text: %j",
    (unit) =>
      expectFlat(
        (length) => {
          const text = unit.repeat(length / unit.length);
          return () => maskCredentials(text);
        },
        2_000,
        20_000,
      ),
  );
});
