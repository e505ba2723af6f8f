// Observations are enough to replay: a start comes with what it depends on.
import { expect, it } from "vitest";
import {
  agent,
  agentTool,
  memoryJournal,
  type Observation,
  type Reasoner,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";

it("a run and its children replay from their observations", async () => {
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const child: Reasoner<never> = agent({ name: "child", tools: [pay] });
  const parent: Reasoner<never> = agent({
    name: "parent",
    tools: [agentTool(child, { name: "ask" })],
    deps: { n: 1 },
  });
  const model = scriptedModel(({ messages }) => {
    if (messages.at(-1)?.role === "tool") return "done";
    return {
      calls: [
        JSON.stringify(messages).includes("Ask")
          ? { name: "ask", input: { prompt: "?" } }
          : { name: "pay" },
      ],
    };
  });
  const seen: Observation[] = [];
  const observers = [(each: Observation) => void seen.push(each)];
  const journal = memoryJournal();
  await run(parent, "Ask.", { model, journal, observers, runId: "r", seed: "s" });
  const approvals = { "tool/0/0/0:approval/0/0": { approve: true } };
  await resume(parent, journal, { model, observers, approvals });

  const stepsOf = (all: readonly Observation[]) =>
    all.flatMap((each) => (each.type === "step" ? [each] : []));
  const below = seen.flatMap((each) => (each.type === "child" ? [each.observation] : []));
  for (const [reasoner, steps] of [
    [parent, stepsOf(seen)],
    [child, stepsOf(below)],
  ] as const) {
    const [start, ...rest] = steps;
    const { runId } = start?.state ?? {};
    const { input, seed = "", budget, reasoner: of } = start?.begin ?? {};
    expect([of?.id, rest.some(({ begin }) => begin !== undefined)]).toEqual([reasoner.id, false]);
    const origin = { at: start?.event.at ?? 0, runId: runId ?? "", seed, prepared: true };
    let { state } = reasoner.start(input as never, { ...origin, ...(budget && { budget }) });
    expect(state).toEqual(start?.state);
    for (const { event, state: then } of rest) {
      state = reasoner.step(state, event).state;
      expect(state).toEqual(then);
    }
  }
});
