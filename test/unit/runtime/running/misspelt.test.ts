// A decision with a part that there is none of is no decision, whoever hands it over: what it meant to
// say would be lost, and the tool be run with the model's own arguments.
import { describe, expect, it } from "vitest";
import { type ApprovalDecision, agent, type Run, tool } from "../../../../src/index.js";
import {
  memoryJournal,
  type ResumeOptions,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { approvalIn, familyOf, lineOf, worker } from "../../../support/family.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { settle } from "../../../support/watched-journal.js";

const misspelt = { approve: true, inputs: { amount: 5 } } as ApprovalDecision;
const told = "inputs is not a part of it; approve, input, value, of, reason, by are";
const approval = { type: "approval", id: "one", title: "one", subject: null };
const desk = smallReasoner({ initial: "a", states: { a: { entry: issue(approval) } } });

/** A payer that waits for its approval, or lets `approve` decide. */
function payer() {
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    needsApproval: true,
    jsonSchema: { type: "object" },
    execute: (input) => paid.push(input),
  });
  const model = scriptedModel([{ calls: [{ name: "pay", input: { amount: 500 } }] }, "Done."]);
  return { paid, model, one: agent({ name: "payer", tools: [pay] }) };
}

it("the text of a journal is no journal, and none of its words are in the error", async () => {
  const journal = memoryJournal();
  const { model, one } = payer();
  await run(one, "a secret", { model, journal });
  const error = await rejection(resume(one, await textIn(journal)));
  expect([error.code, error.message]).toEqual(["option.invalid", expect.stringContaining("path")]);
  expect(JSON.stringify({ ...error, message: error.message })).not.toContain("secret");
});

describe("a misspelt decision", () => {
  it("is refused by resume, and nothing is run or written", async () => {
    const { paid, model, one } = payer();
    const journal = memoryJournal();
    await run(one, "pay", { model, journal });
    const before = await textIn(journal);
    const approvals = { "approval/0/0": misspelt };
    const error = await rejection(resume(one, journal, { model, approvals }));
    expect(error).toMatchObject({ code: "event.invalid", place: "approval/0/0" });
    expect(error.message).toBe(`The decision on "approval/0/0": ${told}.`);
    expect([paid, await textIn(journal)]).toEqual([[], before]);
  });

  it("of a child's approval is refused by resume, and nothing is run", async () => {
    const done: string[] = [];
    const pay = worker(done, "pay", { needsApproval: true });
    const { parent, model } = familyOf(lineOf(1, [pay]));
    const journal = memoryJournal();
    await run(parent, "go", { model, journal });
    const id = approvalIn(["tool/0/0/0"], "approval/0/0");
    const resumed = resume(parent, journal, { model, approvals: { [id]: misspelt } });
    expect(await rejection(resumed)).toMatchObject({ code: "event.invalid", place: id });
    expect(done).toEqual([]);
  });

  it("of an approver is a denial that says what is wrong", async () => {
    const { paid, model, one } = payer();
    const journal = memoryJournal();
    await run(one, "pay", { model, journal, approve: () => misspelt });
    expect(paid).toEqual([]);
    const reason = `The approver failed: The decision on \\"approval/0/0\\": ${told}.`;
    expect(await textIn(journal)).toContain(reason);
  });

  it("is refused by a live run", async () => {
    const live = run(desk, null, { approve: () => new Promise(() => {}) });
    await settle();
    expect(await rejection(live.decide("one", misspelt))).toMatchObject({
      code: "event.invalid",
      message: `The decision on "one": ${told}.`,
    });
    live.cancel();
    await live;
  });
});

/** What throws at each look, and what throws at a part of it. */
const hostile: readonly (readonly [string, object])[] = [
  [
    "a proxy",
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("no look");
        },
        ownKeys: () => {
          throw new Error("no look");
        },
        getPrototypeOf: () => {
          throw new Error("no look");
        },
      },
    ),
  ],
  [
    "getters",
    {
      get type() {
        throw new Error("no look");
      },
      get approve() {
        throw new Error("no look");
      },
      get graceMs() {
        throw new Error("no look");
      },
    },
  ],
];

describe.each(hostile)("what cannot be read (%s)", (_name, given) => {
  const ways: readonly (readonly [string, (live: Run) => unknown])[] = [
    ["send", (live) => live.send(given as never)],
    ["message", (live) => live.message(given as never)],
    ["decide", (live) => live.decide("one", given as never)],
    ["decide's id", (live) => live.decide(given as never, { approve: true })],
    ["interrupt", (live) => live.interrupt("why", given as never)],
    ["interrupt's reason", (live) => live.interrupt(given as never)],
    ["cancel's reason", (live) => live.cancel(given as never)],
    ["drain", (live) => live.drain(given as never)],
  ];
  it.each(ways)("%s refuses with a code", async (_way, say) => {
    const live = run(desk, null, { approve: () => new Promise(() => {}) });
    for (const before of [true, false]) {
      expect((await rejection(say(live as Run))).code, String(before)).toMatch(
        /^(?:event\.invalid|json\.refused)$/,
      );
      await settle();
    }
    live.cancel();
    expect((await live).status).toBe("cancelled");
  });

  const resumes: readonly (readonly [string, object])[] = [
    ["a decision", { approvals: { one: given } }],
    ["a message", { messages: [given] }],
    ["an event", { events: [given] }],
    ["approvals", { approvals: given }],
  ];
  it.each(resumes)("resume refuses %s with a code", async (_what, options) => {
    const journal = memoryJournal();
    await run(desk, null, { journal });
    const resumed = resume(desk, journal, options as ResumeOptions);
    const { code } = await rejection(resumed);
    expect(code).toMatch(/^(?:event\.invalid|json\.refused|option\.invalid)$/);
  });
});
