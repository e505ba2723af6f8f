// What rides on a value unseen, on engines of both kinds: those that let a private field be added to
// what is frozen, and those that do not.
import { afterEach, describe, expect, it, vi } from "vitest";
import { hiddenField } from "../../../../../src/core/kernel/values/hidden.js";
import type * as Kernel from "../../../../../src/core/kernel/values/index.js";

/** The probe freezes an empty object; here it gets what takes no private field. */
function refusePrivateFields(): void {
  const { freeze } = Object;
  vi.spyOn(Object, "freeze").mockImplementation((value: unknown) => {
    const isProbe = /takesPrivateFields/.test(new Error().stack ?? "");
    return isProbe ? 0 : freeze(value);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

describe.each([
  ["that lets private fields be added", () => {}, false],
  ["that refuses them on what is frozen", refusePrivateFields, true],
])("an engine %s", (_name, prepare, isMap) => {
  it("has hidden fields on what is frozen, that can be put anew", () => {
    prepare();
    const field = hiddenField<number>();
    const frozen = Object.freeze({ a: 1 });
    expect(field instanceof WeakMap).toBe(isMap);
    expect(field.get(frozen)).toBeUndefined();
    field.set(frozen, 1);
    field.set(frozen, 2);
    expect([field.get(frozen), field.get({ a: 1 })]).toEqual([2, undefined]);
    expect(Object.keys(frozen)).toEqual(["a"]);
  });

  it("gives the same digests", async () => {
    prepare();
    vi.resetModules();
    const kernel: typeof Kernel = await import("../../../../../src/core/kernel/values/index.js");
    const value = kernel.toJson({ text: "x".repeat(500), of: [1, { b: 2 }] });
    expect(kernel.refOf(value)).toMatchInlineSnapshot(
      `"{"of":[1,{"b":2}],"text":#wcOZKeCoT3K5LUrr00SisAEX8xKWk1sh}"`,
    );
    expect(kernel.refOf(kernel.listOf([value]) as never)).toMatchInlineSnapshot(
      `"@1#fTa8rVK4u7O4lCWdYo5cyE6tCuPFU2d-"`,
    );
  });
});
