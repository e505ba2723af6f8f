import { agent, agentTool, memoryJournal, run, scriptedModel } from "reckoner";
import { describe, expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { costOfAnswer, costsOf, Money, moneyText } from "../../../../src/studio/model/index.js";

const prices = { scripted: { inputPerMillion: 100, outputPerMillion: 200 } };
const helper = agent({ name: "helper", system: "You help.", prices });
const asker = agent({
  name: "asker",
  system: "You ask.",
  prices,
  tools: [agentTool(helper, { name: "help", description: "Helps." })],
});
const book = { asker: { prices }, helper: { prices } };

async function asked() {
  const journal = memoryJournal("asked");
  const model = scriptedModel([
    { calls: [{ name: "help", input: { prompt: "How?" } }] },
    "Like this.",
    "Thank you.",
  ]);
  const end = await run(asker, "Ask.", { journal, model });
  return { tree: await readTree(journal), counted: end.usage.cost };
}

describe("the cost of a run", () => {
  it("is what the run itself has counted, its children's calls included", async () => {
    const { tree, counted } = await asked();
    const last = tree.moments.at(-1)?.seq ?? 0;
    expect(counted).toBeGreaterThan(0);
    expect(costsOf(book, tree).get(last)).toBe(counted);
    const money = new Money(book);
    for (const line of tree.root.lines) money.take(line);
    const own = tree.root.moments.reduce(
      (sum, { event }) => sum + (costOfAnswer(book, "asker", event) ?? 0),
      0,
    );
    expect(money.cost).toBeCloseTo(own, 9);
    expect(own).toBeLessThan(counted ?? 0);
  });

  it("grows event by event, and is not known of a reasoner without prices", async () => {
    const { tree } = await asked();
    const costs = [...costsOf(book, tree).values()];
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(costsOf({}, tree).size).toBe(0);
    expect(costOfAnswer(book, "constructor", tree.moments[1]?.event)).toBeUndefined();
  });

  it("is said in dollars, with the digits that tell something", () => {
    expect([0, 1.5, 0.012_345_678, 0.000_045_6, 2e3].map(moneyText)).toEqual([
      "0.00",
      "1.50",
      "0.0123",
      "0.000046",
      "2,000.00",
    ]);
  });
});
