// What a machine refuses is refused to its sender, and nothing of it is written: an edit that does not fit the
// tool, a decision on another definition, a change of a message that was taken.
import { expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  memoryJournal,
  type ReckonerError,
  type Run,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const paid: unknown[] = [];
const pay = tool({
  name: "pay",
  inputSchema: z.strictObject({ amount: z.number() }),
  needsApproval: true,
  execute: (input) => void paid.push(input),
});
const desk = agent({ name: "desk", tools: [pay] });
const model = () => scriptedModel([{ calls: [{ name: "pay", input: { amount: 5 } }] }, "done"]);

it("an edit that does not fit is refused to whoever resumes, and the approval stays open", async () => {
  const journal = memoryJournal();
  const end = await run(desk, "go", { model: model(), journal });
  if (end.status !== "waiting") throw new Error(end.status);
  const [{ id } = { id: "" }] = end.approvals;
  const before = await textIn(journal);
  const wrong = { approve: true, input: { amount: "much" } };
  const refused = await rejection(
    resume(desk, journal, { model: model(), approvals: { [id]: wrong } }),
  );
  expect(refused).toMatchObject({ code: "approval.input" });
  const stale = { approve: true, of: "another" };
  const other = await rejection(
    resume(desk, journal, { model: model(), approvals: { [id]: stale } }),
  );
  expect(other).toMatchObject({ code: "approval.stale" });
  expect(await textIn(journal)).toBe(before);
  const right = { approve: true, input: { amount: 7 } };
  const last = await resume(desk, journal, {
    model: model(),
    approvals: { [id]: right },
  });
  expect([last.status, paid]).toEqual(["done", [{ amount: 7 }]]);
});

it("a live run refuses it as well, by decide and by send", async () => {
  const journal = memoryJournal();
  let live: Run | undefined;
  const refused: Promise<ReckonerError>[] = [];
  const talker = agent({ name: "talker", tools: [pay], conversation: true });
  live = run(talker, "go", {
    model: model(),
    journal,
    observers: [
      (seen) => {
        if (seen.type !== "step") return;
        for (const each of seen.directives) {
          if (each.type !== "approval") continue;
          const edit = { approve: true, input: { amount: "much" } };
          refused.push(rejection(live?.decide(each.id, edit)));
          refused.push(rejection(live?.send({ type: "message.removed", id: "m" })));
        }
      },
    ],
  });
  expect(await live).toMatchObject({ status: "waiting" });
  expect((await Promise.all(refused)).map(({ code }) => code)).toEqual([
    "approval.input",
    "message.taken",
  ]);
  expect(await textIn(journal)).not.toContain("message.removed");
});
