import { redrive } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { candidateOf, compareRuns } from "../../../../src/studio/model/index.js";
import { paidRun, paidTree, payer } from "../support.js";

describe("two runs compared", () => {
  it("says that they are the same", async () => {
    const found = compareRuns(await paidTree(), await paidTree());
    expect(found).toMatchObject({ same: true, first: -1, configuration: "same" });
    expect(found.words).toBe("The two runs are the same, but for times, ids and costs.");
  });

  it("has the first difference in words, and its row first", async () => {
    const found = compareRuns(await paidTree({ amount: 30 }), await paidTree({ amount: 300 }));
    expect(found.words).toMatch(
      /^The runs part at llm\/2, in .*amount, at event \d+: the model answered differently\. The first has 30, the second 300\.$/,
    );
    expect(found.rows[found.first]).toMatchObject({ cause: "llm/2", status: "differs" });
    expect(found.rows.find(({ cause }) => cause === "tool/2/0")?.name).toBe("refund");
  });

  it("says that a person decided differently", async () => {
    const yes = await paidTree();
    const no = await paidTree({ decision: { approve: false } });
    expect(compareRuns(yes, no).words).toMatch(
      /^The runs part at Run the tool refund\? \(approval\/2\/0\).*a person decided differently/,
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
    expect(asked).toMatchObject({ status: "same", answer: "approved", set: "rejected" });
    const refund = found.rows.find(({ was }) => was?.id === "tool/2/0");
    expect(refund).toMatchObject({ status: "gone", answer: '"paid 300 for A-17"' });
    expect(found.words).toMatch(
      /^The first difference: refund with .*is not asked for any more.* It would not be over; it was done\.$/,
    );
    // The journal is as it was.
    expect((await readTree(journal)).root.output).toBe("Your 300 are on their way.");
  });

  it("refuses an answer to what was never asked", async () => {
    const journal = await paidRun();
    await expect(redrive(payer(), journal, { set: { "tool/9/9": 1 } })).rejects.toThrow(
      "The run has no request tool/9/9",
    );
  });
});
