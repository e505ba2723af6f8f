// Transcripts: events in, state and directives out, printed by the one printer. Each opens with what it
// is to show; rewriting one (`npx vitest run -u`) is fine only when the difference is understood.

import { expect, it } from "vitest";
import { owedBy, printStep } from "../../../../src/core/kernel/machine/index.js";
import type { LlmDirective, Step } from "../../../../src/index.js";
import {
  beamSearch,
  generate,
  keepBest,
  plan,
  score,
  select,
  type Thoughts,
  type ThoughtsContext,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { type Answers, answer } from "./drive.js";

/** The run as text, its calls answered in the order that `pick` says. */
function transcript(title: string, reasoner: Thoughts, answers: Answers, last = false): string {
  let step: Step<ThoughtsContext> = reasoner.start("Which is the longest river?", {
    at: 0,
    runId: "r",
  });
  const lines = [title, "", printStep({ type: "start", at: 0 }, step, { width: 100 })];
  for (let at = 1; step.state.status === "active"; at++) {
    const calls = owedBy(step.state).filter(({ type }) => type === "llm");
    const call = calls.at(last ? -1 : 0) as LlmDirective;
    const event = answer(call, answers, at);
    step = reasoner.step(step.state, event);
    lines.push(printStep(event, step, { width: 100 }));
  }
  const output = reasoner.output(step.state);
  lines.push(
    "",
    thoughtGraph.printTree(step.state.context.graph, { best: output?.thought ?? null }),
  );
  lines.push("", JSON.stringify(output ?? step.state.context.error));
  return `${lines.join("\n")}\n`;
}

const short = { generate: () => "a river?", score: () => "how good?", improve: () => "better?" };
const length = ({ content }: { content: string }) => content.length;

it("a plan: two branches side by side, a dropped one, the best kept", async () => {
  const policy = plan([
    generate({ id: "draft", responses: 2 }),
    score({ id: "scored", by: length }),
    keepBest({ id: "best" }),
    validateAndImprove({ id: "checked", by: ({ content }) => content.startsWith("The") }),
  ]);
  const answers: Answers = ({ id }) =>
    id === "llm/draft/0/0"
      ? "Nile"
      : id.startsWith("llm/draft")
        ? { error: "overloaded" }
        : "The Nile";
  const title =
    "A call that fails is asked again under an id of its own, then its branch is dropped; the other goes on.";
  const text = transcript(title, thoughts({ policy, prompts: short }), answers);
  await expect(text).toMatchFileSnapshot("../../../transcripts/thoughts-plan.txt");
});

it("a plan whose answers come backwards", async () => {
  const policy = plan([
    select({ id: "problem", where: (all) => all }),
    generate({ id: "left", after: "problem" }),
    generate({ id: "right", after: "problem" }),
    score({ id: "scored", after: ["left", "right"], by: length }),
    keepBest({ id: "best" }),
  ]);
  const answers: Answers = ({ id }) => (id.includes("left") ? "Nile" : "Amazon");
  const title = "Answers come last first; what is made of them stands in the order of the plan.";
  const text = transcript(title, thoughts({ policy, prompts: short }), answers, true);
  await expect(text).toMatchFileSnapshot("../../../transcripts/thoughts-order.txt");
});

it("a beam search that meets a budget", async () => {
  const policy = beamSearch({ rounds: 5, branching: 2, score: { by: length }, connect: false });
  const answers: Answers = ({ id }) => `river ${id.slice(4)}`;
  const title = "At five thoughts there is no room for more: the run ends with the best so far.";
  const text = transcript(title, thoughts({ policy, prompts: short, maxNodes: 5 }), answers);
  await expect(text).toMatchFileSnapshot("../../../transcripts/thoughts-budget.txt");
});
