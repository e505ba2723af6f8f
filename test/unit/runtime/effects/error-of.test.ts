// What was thrown, as data: whatever it is, as much of it as can be read.
import { describe, expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "../../../../src/core/kernel/values/index.js";
import { errorOf, thrownByPort } from "../../../../src/runtime/effects/error-of.js";
import { ModelError } from "../../../../src/runtime/index.js";

describe("what was thrown, as data", () => {
  const thrown = (error: object) =>
    errorOf(new ModelError({ message: "m", ...error } as never), "c");

  it("keeps a code of 160 characters, a text of 16 KiB, and 256 KiB beside them; no more", () => {
    expect(thrown({ code: "x".repeat(160) }).code).toBe("x".repeat(160));
    expect(thrown({ code: "x".repeat(161) }).code).toBe(
      `${"x".repeat(160)} [cut: 1 more characters]`,
    );
    expect(thrown({ message: "m".repeat(MAX_TEXT_LENGTH) }).message).toHaveLength(MAX_TEXT_LENGTH);
    expect(thrown({ message: "m".repeat(MAX_TEXT_LENGTH + 1) }).message).toContain("[cut: 1 more");
    const most = "d".repeat(256 * 1024 - 2);
    expect(thrown({ detail: most }).detail).toBe(most);
    expect(thrown({ detail: `${most}d` })).toEqual({ code: "c", message: "m" });
  });

  it("has the code that it is given where it has none of its own", () => {
    expect(thrown({ code: "" }).code).toBe("c");
    expect(thrown({ code: 5 }).code).toBe("c");
    expect(thrown({ code: "own" }).code).toBe("own");
  });

  it("keeps numbers and truths that are such, false ones too", () => {
    expect(thrown({ status: 0, retryAfterMs: 0, transient: false })).toMatchObject({
      status: 0,
      retryAfterMs: 0,
      transient: false,
    });
    expect(thrown({ status: "429", retryAfterMs: null, transient: "yes" })).toEqual({
      code: "c",
      message: "m",
    });
  });
});

describe("what a port threw", () => {
  const said = (thrown: unknown) => thrownByPort(thrown, "c").message;

  it("is told by its name too where it is an error of the language", () => {
    expect(said(new TypeError("x is not a function"))).toBe("TypeError: x is not a function");
    expect(said(new RangeError())).toBe("RangeError");
    expect(said(new TypeError("fetch failed", { cause: new Error("no route") }))).toBe(
      "TypeError: fetch failed: no route",
    );
  });

  it("is told in its own words where it is another", () => {
    expect(said(new Error("no key"))).toBe("no key");
    expect(said(Object.assign(new Error("busy"), { name: "BusyError" }))).toBe("busy");
    expect(
      said(new ModelError({ code: "c", message: "busy" }, { cause: new TypeError("x") })),
    ).toBe("busy");
    expect(said({ name: "TypeError", message: "as data" })).toBe("as data");
  });
});
