import {
  agent,
  memoryJournal,
  run,
  type ScriptedTurn,
  scriptedModel,
  tool,
  virtualClock,
} from "reckoner";
import { redrive } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readTree } from "../../../../src/studio/live/index.js";
import { candidateOf, compareRuns, type RecordedTree } from "../../../../src/studio/model/index.js";
import { refunder } from "../refunder.js";
import { BEGUN, paidRun, paidTree, payer, waitingRun } from "../support.js";

/** Runs an agent that may pay. */
async function aTree(
  turns: readonly ScriptedTurn[],
  options: { readonly system?: string } = {},
): Promise<RecordedTree> {
  const journal = memoryJournal();
  const pay = tool({ name: "pay", execute: () => "paid" });
  const desk = agent({ name: "desk", tools: [pay], ...options });
  await run(desk, "Go.", { model: scriptedModel(turns), journal, clock: virtualClock(BEGUN) });
  return readTree(journal);
}

describe("two runs compared", () => {
  it("says that they are the same", async () => {
    const found = compareRuns(await paidTree(), await paidTree());
    expect(found).toMatchObject({ same: true, first: -1, configuration: "same" });
    expect(found.words).toBe("The two runs are the same, but for times, ids and costs.");
  });

  it("has the first difference in words, and its row first", async () => {
    const found = compareRuns(await paidTree({ amount: 30 }), await paidTree({ amount: 300 }));
    expect(found.words).toBe(
      'The runs part at event 10: the model answered differently. In the first the model called refund with {"orderId":"A-17","amount":30}; in the second the model called refund with {"orderId":"A-17","amount":300}.',
    );
    expect(found.rows[found.first]).toMatchObject({
      cause: "llm/2",
      status: "differs",
      title: "the model answered",
      was: 'called refund with {"orderId":"A-17","amount":30}',
      is: 'called refund with {"orderId":"A-17","amount":300}',
    });
    expect(found.rows.find(({ cause }) => cause === "tool/2/0")).toMatchObject({
      title: "refund is called",
      part: "input.amount",
      was: "30",
      is: "300",
    });
  });

  it("says of runs of different agents that they are that", async () => {
    const journal = memoryJournal();
    const model = scriptedModel(["Gone."]);
    await run(agent({ name: "walker" }), "Go.", { model, journal, clock: virtualClock(BEGUN) });
    expect(compareRuns(await aTree(["Gone."]), await readTree(journal)).words).toBe(
      'The runs part: they are of different agents. The first has "desk", the second "walker".',
    );
  });

  it("says who decided what, and who still waits", async () => {
    const yes = await paidTree();
    const no = await paidTree({ decision: { approve: false, by: "ben" } });
    expect(compareRuns(yes, no).words).toBe(
      "The runs part at event 11: “Run the tool refund?” was decided differently. In the first ada approved; in the second ben rejected.",
    );
    const waiting = await readTree(await waitingRun());
    expect(compareRuns(waiting, yes).words).toBe(
      "The runs part at event 11: “Run the tool refund?” was decided differently. In the second ada approved; the first still waits for it.",
    );
  });

  it.each<[string, ScriptedTurn, string]>([
    [
      "a text where the other has a call",
      "I do not pay.",
      'In the first the model said “So.” and called pay with {"amount":30}; in the second the model said “I do not pay.”.',
    ],
    [
      "a call besides what both say",
      { text: "So.", calls: [] },
      'In the first the model said “So.” and called pay with {"amount":30}; in the second the model said “So.”.',
    ],
    [
      "the same words, and another call",
      { text: "So.", calls: [{ name: "pay", input: { amount: 31 } }] },
      'In the first the model called pay with {"amount":30}; in the second the model called pay with {"amount":31}.',
    ],
    [
      "a difference far behind in a long text",
      { text: `${"So. ".repeat(200)}No.`, calls: [] },
      "in the second the model said “So. So. ",
    ],
  ])("tells %s", async (_name, turn, words) => {
    const first: ScriptedTurn = { text: "So.", calls: [{ name: "pay", input: { amount: 30 } }] };
    const found = compareRuns(await aTree([first, "Done."]), await aTree([turn, "Done."]));
    expect(found.words).toContain(words);
    // A side that has nothing is left out, and no id of a request is in the words.
    const all = [found.words, ...found.rows.flatMap(({ title, was, is }) => [title, was, is])];
    expect(all.filter((text) => /\bnothing\b|(?:approval|tool|llm)\/\d/.test(text ?? ""))).toEqual(
      [],
    );
  });

  it("cuts two long texts so that their difference is in sight", async () => {
    const [a, b] = ["yes", "no"].map((end) => `${"It is long. ".repeat(100)}And ${end}.`);
    const found = compareRuns(await aTree([a as string]), await aTree([b as string]));
    expect(found.words).toContain("And yes.");
    expect(found.words).toContain("And no.");
  });

  it("names what a model was shown by one configuration alone", async () => {
    const found = compareRuns(await aTree(["Done."]), await aTree(["Done."], { system: "New." }));
    expect(found.words).toBe(
      'The runs part at event 0: they were under different configurations. They differ in what the model was shown, in system. Only the second has "New.".',
    );
  });
});

describe("a candidate", () => {
  it("is the same for the code that wrote the run", async () => {
    const journal = await paidRun();
    const found = candidateOf(await readTree(journal), await redrive(payer(), journal));
    expect(found).toMatchObject({ first: -1, ends: [] });
    expect(found.words).toBe("It asks for the same, and ends the same.");
    expect(found.rows.every(({ status }) => status === "same")).toBe(true);
  });

  it("stands beside what was, and says where changed code parts from it", async () => {
    const journal = await paidRun();
    const report = await redrive(payer("You never pay anything back."), journal);
    const found = candidateOf(await readTree(journal), report);
    expect(found.rows.slice(0, 2).map(({ status }) => status)).toEqual(["changed", "gone"]);
    expect(found.words).toMatch(
      /^The first difference: an answer of the model \(llm\/0\) is asked for differently\. Upon start, the system prompt is "You never/,
    );
  });

  it("shows what another decision would have led to", async () => {
    const journal = await paidRun();
    const set = { "approval/2/0": { approve: false } };
    const report = await redrive(payer(), journal, { set });
    const found = candidateOf(await readTree(journal), report, set);
    const asked = found.rows.find(({ was }) => was?.id === "approval/2/0");
    expect(asked).toMatchObject({ status: "same", answer: "ada approved", set: "rejected" });
    const refund = found.rows.find(({ was }) => was?.id === "tool/2/0");
    expect(refund).toMatchObject({ status: "gone", answer: 'returned "paid 300 for A-17"' });
    expect(found.words).toMatch(
      /^The first difference: refund with .*is not asked for any more.* It would not be over; it was done\.$/,
    );
    // The journal is as it was.
    expect((await readTree(journal)).root.output).toBe("Your 300 are on their way.");
  });

  it("shows the place where two long outputs differ", async () => {
    const journal = memoryJournal();
    const long = "It is as it was. ".repeat(20);
    const model = scriptedModel([`${long}Yes.`]);
    await run(agent({ name: "desk" }), "Go.", { model, journal, clock: virtualClock(BEGUN) });
    const set = { "llm/0": { content: [{ type: "text", text: `${long}No.` }] } };
    const report = await redrive(agent({ name: "desk" }), journal, { set });
    const [end] = candidateOf(await readTree(journal), report, set).ends;
    expect(end).toMatchObject({ part: "output" });
    expect(end?.was).toMatch(/It is as it was\. Yes\."$/);
    expect(end?.is).toMatch(/It is as it was\. No\."$/);
  });

  it("says of a run that waits that neither is over, and finds parts in another order the same", async () => {
    const waits = await waitingRun();
    const waiting = candidateOf(await readTree(waits), await redrive(payer(), waits));
    expect(waiting.words).toBe("It asks for the same. Neither is over.");
    const journal = memoryJournal();
    const close = tool({
      name: "close",
      inputSchema: z.object({ verdict: z.string(), amount: z.number() }),
      final: true,
      execute: (given) => given,
    });
    const desk = agent({ name: "desk", tools: [close] });
    const input = { verdict: "yes", amount: 3 };
    const model = scriptedModel([{ calls: [{ name: "close", input }] }]);
    await run(desk, "Go.", { model, journal, clock: virtualClock(BEGUN) });
    const report = await redrive(desk, journal);
    const found = candidateOf(await readTree(journal), report);
    expect(found.words).toBe("It asks for the same, and ends the same.");
  });

  it("says nothing of costs, which the record does not hold", async () => {
    const prices = { scripted: { inputPerMillion: 1, outputPerMillion: 1 } };
    const desk = agent({ name: "desk", prices });
    const journal = memoryJournal();
    const model = scriptedModel(["Done."]);
    await run(desk, "Go.", { model, journal, clock: virtualClock(BEGUN) });
    const found = candidateOf(await readTree(journal), await redrive(desk, journal));
    expect(found.words).toBe("It asks for the same, and ends the same.");
  });

  it("names what a changed approval rule puts to a person, and what it was", async () => {
    const journal = memoryJournal();
    const model = scriptedModel([{ calls: [{ name: "refund", input: { amount: 60 } }] }, "Paid."]);
    await run(refunder(100), "Pay.", { model, journal, clock: virtualClock(BEGUN) });
    const report = await redrive(refunder(50), journal);
    const found = candidateOf(await readTree(journal), report);
    expect(found.rows.flatMap(({ differs = [] }) => differs)).toEqual([
      'What is asked upon llm.succeeded in "thinking" is a person\'s decision, “Run the tool refund?”, and was refund with {"amount":60}.',
    ]);
  });

  it("refuses an answer to what was never asked", async () => {
    const journal = await paidRun();
    await expect(redrive(payer(), journal, { set: { "tool/9/9": 1 } })).rejects.toThrow(
      "The run has no request tool/9/9",
    );
  });
});
