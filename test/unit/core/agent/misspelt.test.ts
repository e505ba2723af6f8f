// What is misspelt in a definition is refused by its name: as if it were left out, a tool would run
// without the approval that its author asked for.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, basicBehaviour, tool } from "../../../../src/index.js";
import { refusal } from "../../../support/thrown.js";

const execute = () => 1;
const toolOf = (more: object) => tool({ name: "pay", execute, ...more } as never);

describe("a tool", () => {
  it.each([
    ["needApproval", { needApproval: true }],
    ["parameters", { parameters: {} }],
    ["constructor", { constructor: 1 }],
  ])("with %s is refused, and what there is is said", (name, more) => {
    const { code, message } = refusal(() => toolOf(more));
    expect(code).toBe("tool.invalid");
    expect(message).toContain(`Tool "pay" cannot be: ${name} is no part of it; name, description,`);
    expect(message).toContain("needsApproval");
  });

  it.each([
    ["needsApproval", "yes"],
    ["needsApproval", null],
    ["idempotent", "no"],
    ["sequential", 0],
    ["final", "false"],
  ])("whose %s is %j is refused", (name, value) => {
    const { code, message } = refusal(() => toolOf({ [name]: value }));
    expect(code).toBe("tool.invalid");
    expect(message).toContain(`as ${name}`);
  });

  it("of a class has fields of its own", () => {
    class Counter {
      readonly name = "count";
      count = 0;
      execute() {
        this.count += 1;
        return this.count;
      }
    }
    const counter = new Counter();
    expect(tool(counter).execute?.({} as never, {} as never)).toBe(1);
    expect(counter.count).toBe(1);
  });
});

describe("an agent", () => {
  it.each(["tools", "plugins"])("whose %s are no array is refused", (part) => {
    const { code, message } = refusal(() => agent({ name: "x", [part]: {} } as never));
    expect([code, message]).toEqual([
      "agent.invalid",
      expect.stringContaining(`Agent x: ${part} must be an array of`),
    ]);
  });

  it.each([
    ["policy", "beforTool", { policy: { beforTool: () => ({ type: "deny", reason: "no" }) } }],
    ["output", "shema", { output: { schema: z.string(), shema: 1 } }],
    ["behaviour", "handelError", { behaviour: { ...basicBehaviour, handelError: () => "retry" } }],
    ["settings", "temperatur", { settings: { temperatur: 0 } }],
    ["plug-in two", "settel", { plugins: [{ name: "one" }, { name: "two", settel: () => ({}) }] }],
  ])("whose %s has %s is refused", (part, name, more) => {
    const { code, message } = refusal(() => agent({ name: "a", ...more } as never));
    expect(code).toBe("agent.invalid");
    expect(message).toContain(`Agent a: ${part}: ${name} is no part of it; `);
  });

  it("whose plug-in is nothing is refused", () => {
    const { code } = refusal(() => agent({ name: "a", plugins: [null] } as never));
    expect(code).toBe("agent.invalid");
  });

  it("may have a behaviour and plug-ins of classes, with fields of their own", () => {
    class Own {
      readonly name = "own";
      readonly words = ["x"];
      systemPrompt() {
        return this.words.join();
      }
    }
    const behaviour = Object.assign(Object.create({ own: 1 }), basicBehaviour, { words: [] });
    expect(agent({ name: "a", behaviour, plugins: [new Own()] }).id).toBe("a");
  });

  it.each(["sytem", "tool", "maxIteration", "onUnkown", "__proto__x"])(
    "with %s is refused",
    (name) => {
      const { code, message } = refusal(() => agent({ name: "a", [name]: "x" } as never));
      expect(code).toBe("agent.invalid");
      expect(message).toContain(`Agent a: ${name} is no part of it; name, version,`);
    },
  );
});
