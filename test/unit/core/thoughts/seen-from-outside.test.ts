// What a person sees of a run: a branch that failed, labels of their own, the source of a thought, and an answer
// at the moment at which it arrives, though it is heard later.
import { expect, it } from "vitest";
import { type LlmDirective, type ModelPort, memoryJournal, run } from "../../../../src/index.js";
import { thoughtsPicture, toMermaid } from "../../../../src/pictures/index.js";
import {
  aggregate,
  generate,
  plan,
  score,
  thoughtGraph,
  thoughts,
  thoughtsView,
} from "../../../../src/thoughts.js";
import { type Answers, answer, drive } from "./drive.js";

const answers: Answers = ({ id }) => (id.includes("0/1") ? { error: "overloaded" } : `by ${id}`);
const twoDrafts = (retries: number) =>
  thoughts({ policy: plan([generate({ id: "draft", responses: 2 })]), retries });

it("a branch that failed is seen in the tree and in the picture", () => {
  const { graph } = drive(twoDrafts(0), "why?", answers).state.context;
  expect(thoughtGraph.printTree(graph)).toBe("(1 failed) why?\n└─ by llm/draft/0/0");
  const picture = thoughtsPicture(graph);
  expect(picture.nodes[0]).toMatchObject({
    details: ["1 failed"],
    border: "dashed",
    borderTone: "amber",
  });
  expect(toMermaid(picture)).toContain("1 failed");
  expect(picture.legend.map(({ text }) => text)).toContain("a branch of it failed");
});

it("the labels of a picture can be chosen, as a tree's can", () => {
  const { graph } = drive(twoDrafts(0), "why?", answers).state.context;
  const label = ({ id }: { id: string }) => `<${id}>`;
  expect(thoughtsPicture(graph, { label }).nodes.map((node) => node.label)).toEqual([
    "<root>",
    "<thought/draft/0/0>",
  ]);
  expect(thoughtGraph.printTree(graph, { label })).toBe("<root>\n└─ <thought/draft/0/0>");
});

it("the source of a thought is its operation, its calls and the thoughts it was made of", () => {
  const parseAll = (texts: readonly string[]) => texts.map((text) => ({ text }));
  const policy = plan([
    generate({ id: "draft", responses: 2 }),
    score({ id: "rated", by: ({ content }) => content.length }),
    aggregate({ id: "vote", strategy: "voting" }),
    generate({ id: "all", responses: 2, parseAll }),
  ]);
  const flaky: Answers = ({ id }) => (id === "llm/draft/0/1" ? { error: "overloaded" } : id);
  const { graph } = drive(thoughts({ policy }), "why?", flaky).state.context;
  const { sourceOf } = thoughtGraph;
  expect(sourceOf(graph, "root")).toEqual({ operation: null, calls: [], parents: [] });
  expect(sourceOf(graph, "thought/draft/0/1")).toEqual({
    operation: "draft",
    calls: ["llm/draft/0/1/again/1"],
    parents: ["root"],
  });
  expect(sourceOf(graph, "thought/vote/0/0")).toEqual({
    operation: "vote",
    calls: [],
    parents: ["thought/draft/0/0", "thought/draft/0/1"],
  });
  expect(sourceOf(graph, "thought/all/0/all.1")).toEqual({
    operation: "all",
    calls: ["llm/all/0/0", "llm/all/0/1"],
    parents: ["thought/vote/0/0"],
  });
  expect(sourceOf(graph, "thought/none")).toBeUndefined();
});

it("an early answer counts for people when it arrives, and for decisions when it is heard", () => {
  const reasoner = thoughts({ policy: plan([generate({ responses: 3 })]), tokens: 1_000 });
  let { state, directives } = reasoner.start("why?", { at: 0, runId: "r" });
  ({ state, directives } = reasoner.step(state, answer(directives[0] as LlmDirective, answers, 1)));
  const calls = directives.filter((each): each is LlmDirective => each.type === "llm");
  ({ state } = reasoner.step(state, answer(calls[1] as LlmDirective, answers, 2)));
  expect(thoughtsView.snapshot(state).details.usage).toMatchObject({
    requests: 2,
    totalTokens: 30,
  });
  expect(state.context.spent.tokens).toBe(15);
  expect(thoughtGraph.thoughtCount(state.context.graph)).toBe(2);
  // A run that is cancelled then has spent what had arrived.
  const { context } = reasoner.step(state, { type: "cancel", at: 3 }).state;
  expect(context.usage).toMatchObject({ requests: 3, totalTokens: 30 });
});

it("observers are told of an early answer at once, while the oldest is still out", async () => {
  const open: (() => void)[] = [];
  const said = (text: string) => ({
    content: [{ type: "text" as const, text }],
    finishReason: "stop" as const,
    usage: { inputTokens: 10, outputTokens: 5 },
  });
  let asked = 0;
  const model: ModelPort = {
    name: "slow first",
    generate: () => {
      asked += 1;
      if (asked === 2) return Promise.resolve(said("the second"));
      return new Promise((resolve) => {
        open.push(() => resolve(said("the first")));
      });
    },
  };
  const seen: string[] = [];
  const end = await run(twoDrafts(0), "why?", {
    model,
    journal: memoryJournal(),
    observers: [
      (observation) => {
        if (observation.type !== "step" || observation.event.type !== "llm.succeeded") return;
        seen.push(observation.event.id);
        open[0]?.();
      },
    ],
  });
  expect(seen).toEqual(["llm/draft/0/1", "llm/draft/0/0"]);
  expect(end).toMatchObject({ status: "done", output: { thoughts: 3 } });
});
