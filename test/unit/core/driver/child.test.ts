// A child's end as what its parent reads of it.
import { describe, expect, it } from "vitest";
import {
  type ChildEnd,
  MAX_RESULT_LENGTH,
  settlementOf,
} from "../../../../src/core/driver/child.js";
import { noUsage } from "../../../../src/core/kernel/vocabulary/index.js";

const usage = { ...noUsage, requests: 2 };
const known = { id: "c", runId: "r:c", usage };
const end = (more: object) => ({ runId: "r:c", usage, ...more }) as unknown as ChildEnd;
const of = (more: object) => settlementOf("c", end(more));
const waiting = (more: object = {}) => ({ status: "active", ...more });
const failed = (code: string, message: unknown) => ({
  type: "run.failed",
  ...known,
  error: { code, message },
});

describe("the settlement of a child", () => {
  it("that is done is its output, and null where it has none", () => {
    expect(of({ status: "done", output: { a: 1 } })).toStrictEqual({
      type: "run.succeeded",
      ...known,
      output: { a: 1 },
    });
    expect(of({ status: "done" })).toMatchObject({ type: "run.succeeded", output: null });
  });

  it("that failed is its error, and that it was cancelled where it was", () => {
    const error = { code: "model.refused", message: "no credit" };
    expect(of({ status: "failed", error })).toStrictEqual({ type: "run.failed", ...known, error });
    expect(of({ status: "cancelled" })).toStrictEqual(
      failed("run.cancelled", "The child run was cancelled."),
    );
  });

  it("that waits with nothing outstanding is what it has to show", () => {
    expect(of(waiting({ output: "said" }))).toStrictEqual({
      type: "run.succeeded",
      ...known,
      output: "said",
    });
    expect(of(waiting())).toStrictEqual(
      failed("run.failed", "The child run rests and waits for nobody."),
    );
  });

  it("fits into the parent's journal, or says that it does not", () => {
    const length = (output: string) =>
      JSON.stringify({ type: "run.succeeded", ...known, output }).length;
    const just = "x".repeat(MAX_RESULT_LENGTH - length(""));
    expect(of({ status: "done", output: just })).toMatchObject({ type: "run.succeeded" });
    const large = failed("tool.result", expect.stringContaining("larger than 5 MiB"));
    expect(of({ status: "done", output: `${just}x` })).toEqual(large);
    expect(of(waiting({ output: `${just}x` }))).toEqual(large);
    const error = { code: "x", message: `${just}x` };
    expect(of({ status: "failed", error })).toEqual(large);
    // What is not JSON says why.
    expect(of({ status: "done", output: new Date(0) })).toEqual(
      failed("tool.result", expect.stringContaining("settlement.output")),
    );
  });
});
