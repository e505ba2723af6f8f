// A demand for a call holds in each turn until it was met: else the model could never answer.
import { expect, it } from "vitest";
import { type AgentDefinition, agent, type LlmDirective, tool } from "../../../../../src/index.js";
import { answer, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";

const look = tool({ name: "look", reduce: () => "seen" });
const other = tool({ name: "other", reduce: () => "other" });
const talking = (definition: Partial<AgentDefinition>) =>
  byHand(agent({ name: "a", conversation: true, tools: [look, other], ...definition }), "Hello");
const choiceIn = ({ directives }: { readonly directives: readonly object[] }) =>
  (directives as readonly LlmDirective[]).find(({ type }) => type === "llm")?.toolChoice;

it("required holds until a call was made, in each turn", () => {
  const run = talking({ toolChoice: "required" });
  expect(choiceIn(run)).toBe("required");
  run.take(answer(0, wish("nope")));
  expect(choiceIn(run)).toBe("auto");
  run.take(answer(1, wish("look")));
  expect(choiceIn(run)).toBe("auto");
  run.take(answer(2, "Done."));
  run.take({ type: "message", content: "Again." });
  expect(choiceIn(run)).toBe("required");
});

it("a tool's name holds until that tool was called, among others too", () => {
  const run = talking({ toolChoice: { tool: "other" } });
  run.take(answer(0, wish("look")));
  expect(choiceIn(run)).toEqual({ tool: "other" });
  run.take(answer(1, wish("other"), wish("look")));
  expect(choiceIn(run)).toBe("auto");
});

it("a call that the provider has carried out meets it", () => {
  const run = talking({ toolChoice: "required" });
  const call = { ...wish("web_search", {}, "s"), providerExecuted: true };
  run.take({ ...answer(0, call), finishReason: "tool-calls" });
  expect([run.owed, choiceIn(run)]).toEqual([["llm/1"], "auto"]);
});

it.each(["auto", "none"] as const)("%s stays as it is", (toolChoice) => {
  const run = talking({ toolChoice });
  run.take(answer(0, wish("look")));
  expect(choiceIn(run)).toBe(toolChoice);
});

it("of a tool that is not offered is left out, and of one that there is not is refused", () => {
  const behaviour = agent({ name: "a" }).spec.behaviour;
  const run = talking({
    toolChoice: { tool: "other" },
    behaviour: { ...behaviour, name: "own", getTools: ({ tools }) => [tools.look!] },
  });
  expect(choiceIn(run)).toBeUndefined();
  expect(() => talking({ toolChoice: { tool: "loook" } })).toThrow(
    "Agent a: toolChoice names the tool loook, which is none of its tools.",
  );
});
