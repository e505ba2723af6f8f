// How deep runs may start runs holds for what begins: what has begun goes on, whatever is said later.
import { describe, expect, it } from "vitest";
import { replay, resume, run } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { approvalIn, calls, familyOf, type Member, worker } from "../../../support/family.js";

const CHILD = "tool/0/0/0";

describe("a resume with a lower maxDepth", () => {
  it.each([1, 2])("takes a child that waits on, %i deep, with what was decided", async (depth) => {
    const done: string[] = [];
    let last: Member = {
      name: `level${depth}`,
      tools: [worker(done, "pay", { needsApproval: true })],
      says: [{ calls: [{ name: "pay" }] }, "paid"],
    };
    for (let level = depth - 1; level >= 0; level--) {
      last = { name: `level${level}`, children: [last], says: [calls(last.name), "passed on"] };
    }
    const { parent, model } = familyOf(last);
    const journal = textJournal("");
    expect((await run(parent, "go", { model, journal })).status).toBe("waiting");
    const id = approvalIn(Array(depth).fill(CHILD), "approval/0/0");
    const approvals = { [id]: { approve: true } };
    const end = await resume(parent, journal, { model, maxDepth: 0, approvals });
    expect(end).toMatchObject({ status: "done", output: "passed on" });
    expect(done).toHaveLength(1);
    expect((await replay(parent, journal)).status).toBe("identical");
  });
});
