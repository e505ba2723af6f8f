// What a trace says of a decision and of a delegation: what else was weighed, and who was asked.
import { expect, it } from "vitest";
import { Decisions, decisions, memoryDecisions } from "../../../../src/decisions.js";
import {
  agent,
  agentTool,
  memoryJournal,
  run,
  type ScriptedTurn,
  scriptedModel,
  toArray,
} from "../../../../src/index.js";
import { journalTraces, queryEvents } from "../../../../src/trace.js";

it("a decision has the options that were weighed for the same goal", async () => {
  const store = memoryDecisions();
  await new Decisions(store).addNode({ id: "goal-of-ours", type: "goal", label: "Log in" });
  await new Decisions(store).addNode({ id: "another-goal", type: "goal", label: "Log out" });
  const option = (label: string, parent_id?: string) => ({
    name: "record_option",
    input: { label, ...(parent_id && { parent_id }) },
  });
  const decide = (label: string, parent_id?: string) => ({
    name: "record_decision",
    input: { label, ...(parent_id && { parent_id }) },
  });
  const answers: ScriptedTurn[] = [
    {
      calls: [
        option("Passkeys", "goal-of-ours"),
        option("Sessions", "goal-of-ours"),
        option("A button", "another-goal"),
      ],
    },
    { calls: [option("At large"), option("Nothing", "no-such-goal")] },
    { calls: [decide("Passkeys", "goal-of-ours")] },
    { calls: [decide("Wait")] },
    "Done.",
  ];
  const journal = memoryJournal();
  const planner = agent({ name: "planner", plugins: [decisions({ store: "d" })] });
  const end = await run(planner, "Decide.", {
    model: scriptedModel(answers),
    stores: { d: store },
    journal,
  });
  expect(
    toArray(end.context.toolCalls).map(({ output }) => (output as { status: string }).status),
  ).toEqual(["recorded", "recorded", "recorded", "recorded", "error", "recorded", "recorded"]);
  const found = queryEvents((await journalTraces(journal).read()).trace.events, {
    types: ["decision"],
  });
  expect(found.map(({ fields }) => [fields.chosen, fields.alternatives])).toEqual([
    ["Passkeys", '["Sessions"]'],
    ["Wait", '["At large"]'],
  ]);
});

it("a decision that supersedes another has that one as its alternative", async () => {
  const store = memoryDecisions();
  const graph = new Decisions(store);
  for (const id of ["old-decision", "new-decision"]) {
    await graph.addNode({ id, type: "decision", label: id });
  }
  const input = { old_id: "old-decision", new_id: "new-decision", rationale: "It broke." };
  const journal = memoryJournal();
  const planner = agent({ name: "planner", plugins: [decisions({ store: "d" })] });
  const model = scriptedModel([{ calls: [{ name: "supersede_decision", input }] }, "Done."]);
  await run(planner, "Decide.", { model, stores: { d: store }, journal });
  const [found] = queryEvents((await journalTraces(journal).read()).trace.events, {
    types: ["decision"],
  });
  expect(found?.fields).toMatchObject({ chosen: "new-decision", alternatives: '["old-decision"]' });
});

it("a delegation is to the child's agent, whatever its tool is called", async () => {
  const reviewer = agent({ name: "reviewer" });
  const ask = agentTool(reviewer, { name: "ask_somebody" });
  const journal = memoryJournal();
  const model = scriptedModel(({ tools = [] }, turn) =>
    tools.length > 0 && turn === 0
      ? { calls: [{ name: "ask_somebody", input: { prompt: "Look" } }] }
      : "Fine.",
  );
  await run(agent({ name: "lead", tools: [ask] }), "Go.", { model, journal });
  const [found] = queryEvents((await journalTraces(journal).read()).trace.events, {
    types: ["delegation"],
  });
  expect(found?.fields).toMatchObject({ parentId: "lead", childId: "reviewer", task: "Look" });
});
