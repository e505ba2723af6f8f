// A context need not be an object of fields: whatever JSON it is, its journal is read again.
import { expect, it } from "vitest";
import {
  emptyTable,
  listOf,
  tableSet,
  vectorOf,
} from "../../../../src/core/kernel/values/index.js";
import { memoryJournal, replay, resume, run, viewOf } from "../../../../src/runtime/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

it.each([
  ["a List", listOf([1, 2])],
  ["a Vector", vectorOf([1, 2])],
  ["a Table", tableSet(emptyTable<number>(), "a", 1)],
  ["without a field", {}],
])("a context that is %s is recorded and read", async (_what, context) => {
  const reasoner = smallReasoner({
    context,
    entry: issue({ type: "approval", id: "ap", title: "Go on?", subject: null }),
    on: { go: {} },
  });
  const journal = memoryJournal();
  const end = await run(reasoner, null, { journal });
  const live = resume(reasoner, journal);
  live.send({ type: "go" });
  for (const { state } of [end, await live]) {
    expect(JSON.stringify(state.context)).toBe(JSON.stringify(context));
  }
  let lines = 0;
  for await (const { line } of viewOf(journal).ownLines()) if (!("mark" in line)) lines += 1;
  expect([lines, (await replay(reasoner, journal)).status]).toEqual([3, "identical"]);
});
