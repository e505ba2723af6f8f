import { expect, it } from "vitest";
import { agent, agentTool, tool } from "../../../../src/index.js";
import { replay, resume, run, scriptedModel } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";

function family(prompt: string) {
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const child = agent({
    name: "child",
    system: `child ${prompt}`,
    tools: [pay],
    maxIterations: 5,
    tokenBudget: 10_000,
  });
  return agent({
    name: "parent",
    system: `parent ${prompt}`,
    tools: [agentTool(child, { name: "ask" })],
    tokenBudget: 10_000,
  });
}
const model = scriptedModel(({ system = "", messages }) => {
  const turns = messages.filter(({ role }) => role === "assistant").length;
  const name = system.startsWith("parent") ? "ask" : "pay";
  const input = name === "ask" ? { prompt: "pay" } : {};
  return turns === 0 ? { calls: [{ name, input }] } : `${system} is done`;
});
it("a child of which only the header is there begins under the new code", async () => {
  const journal = textJournal("");
  await run(family("1"), "go", {
    model,
    journal,
    runId: "r",
    clock: {
      now: (() => {
        let t = 0;
        return () => t++;
      })(),
      setTimer: () => () => {},
      sleep: async () => {},
    },
  });
  const texts = new Map(journal.texts);
  texts.set("tool/0/0/0", `${texts.get("tool/0/0/0")?.split("\n")[0]}\n`);
  for (const root of [4, 1]) {
    const cut = new Map(texts);
    cut.set(
      "",
      texts
        .get("")!
        .split("\n")
        .slice(0, root)
        .map((l) => `${l}\n`)
        .join(""),
    );
    const copy = textJournal(cut);
    const both = [family("2"), family("1")];
    const end = await resume(both, copy, { model, upgrade: true });
    expect(end.status).toBe("waiting");
    const report = await replay(both, copy.child("tool/0/0/0"));
    expect(report).toMatchObject({ status: "identical" });
  }
});
