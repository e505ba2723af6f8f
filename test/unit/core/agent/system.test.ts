// A system prompt that follows from the run's own data.
import { describe, expect, it } from "vitest";
import {
  type AgentDefinition,
  agent,
  contextUpdate,
  type LlmDirective,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import { answer, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

interface Deps {
  readonly user: string;
  readonly [key: string]: string;
}
const rename = tool({
  name: "rename",
  reduce: () => withUpdate("ok", contextUpdate().set("user", "Bo")),
});
const greeter = agent<Deps>({
  name: "a",
  deps: { user: "Ada" },
  system: ({ user }) => `You talk to ${user}.`,
  tools: [rename],
});
const systemOf = ({ directives }: { readonly directives: readonly object[] }) =>
  (directives as readonly LlmDirective[]).find(({ type }) => type === "llm")?.system;

describe("system as a function of deps", () => {
  it("is asked before the run's first request, with the deps of that moment, and stays", () => {
    const run = byHand(greeter, "x");
    expect(systemOf(run)).toBe("You talk to Ada.");
    run.take(answer(0, wish("rename")));
    expect(run.context.deps.user).toBe("Bo");
    expect(systemOf(run)).toBe("You talk to Ada.");
  });

  it("takes the input's deps before the definition's", () => {
    expect(systemOf(byHand(greeter, { prompt: "x", deps: { user: "Cy" } }))).toBe(
      "You talk to Cy.",
    );
  });

  it("may have nothing to say", () => {
    expect(systemOf(byHand(agent({ name: "a", system: () => "" }), "x"))).toBeUndefined();
  });

  it.each([
    [
      "no text",
      (): unknown => 5,
      "agent.invalid",
      "The machine failed at start, what system returns must be a string; it is 5.",
    ],
    [
      "a promise",
      (): unknown => Promise.resolve("later"),
      "machine.async",
      "The machine failed at start, system: a function of its answered with a promise; it has to answer at once, without async.",
    ],
    [
      "nothing, and throws",
      () => {
        throw new Error("no user");
      },
      "machine.threw",
      "The machine failed at start, system: a function of its threw; observers are told what, as the notice machine.threw.",
    ],
  ] as const)("that gives %s ends the run, and says so", (_, system, code, message) => {
    const spoken = agent({ name: "a", system: system as never } as AgentDefinition);
    const { state } = byHand(spoken, "x");
    expect([state.status, spoken.error(state)]).toEqual(["failed", { code, message }]);
  });

  it("is told from a text in an agent's identity", () => {
    const print = (system?: string | (() => string)) =>
      agent({ name: "a", ...(system === undefined ? {} : { system }) }).fingerprint;
    expect(new Set([print(), print("x"), print(() => "x")]).size).toBe(3);
  });
});
