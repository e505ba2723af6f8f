// What is a directive, and what is wrong with what is none.
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../src/core/kernel/values/index.js";
import {
  type Directive,
  directiveFault,
  isEffect,
} from "../../../../../src/core/kernel/vocabulary/index.js";

const effects: readonly Directive[] = [
  { type: "llm", id: "llm/0", messages: [] },
  { type: "tool", id: "tool/0/0", name: "t", input: {} },
  { type: "read", id: "read/0", store: "s", query: {} },
  { type: "write", id: "write/0", store: "s", operations: [] },
  { type: "approval", id: "approval/0", title: "May I?", subject: null },
  { type: "timer", id: "timer/0", until: 5 },
  { type: "run", id: "run/0", reasoner: "r", input: null },
  { type: "run", id: "run/0", reasoner: "r", input: null, budget: { tokens: 5, cost: 0 } },
];
const others: readonly Directive[] = [
  { type: "notify", topic: "t" },
  { type: "notify", topic: "t", data: [1] },
  { type: "cancel", target: "llm/0" },
];
const json = (directive: Directive) => directive as unknown as Json;

describe("directives", () => {
  for (const directive of [...effects, ...others]) {
    it(`${directive.type} is one`, () => expect(directiveFault(json(directive))).toBeUndefined());
  }

  it("those that expect an answer are effects", () => {
    expect(effects.every(isEffect)).toBe(true);
    expect(others.some(isEffect)).toBe(false);
  });

  for (const directive of [...effects, ...others]) {
    const {
      type,
      id: _id,
      ...parts
    } = directive as unknown as { type: string; id?: string; [k: string]: unknown };
    for (const part of Object.keys(parts)) {
      if (part === "data" || part === "budget") continue;
      it(`${type} without ${part} is none`, () => {
        const { [part]: _left, ...rest } = { ...directive } as Record<string, Json>;
        expect(directiveFault(rest)).toContain(`${part} is missing; it must be `);
      });
    }
    it(`${type} with a part of another is none`, () => {
      expect(directiveFault({ ...(directive as object), sideEffect: 1 } as Json)).toMatch(
        /^sideEffect is not a part of it; type, /,
      );
    });
  }

  it.each([
    [{ type: "timer", id: "t", until: "soon" }, "until must be a number; it is a string"],
    [
      { type: "llm", id: "l", messages: 5 },
      "messages must be a List or an array of messages; it is 5",
    ],
    [{ type: "llm", id: "l", messages: [], system: 1 }, "system must be a string; it is 1"],
    [
      { type: "llm", id: "l", messages: [], settings: [] },
      "settings must be an object; it is a list",
    ],
    [
      { type: "write", id: "w", store: "s", operations: {} },
      "operations must be a list; it is another object",
    ],
    [{ type: "cancel", target: null }, "target must be a string; it is null"],
  ] as const)("a part of another kind is none: %j", (directive, fault) => {
    expect(directiveFault(directive as unknown as Json)).toBe(fault);
  });

  for (const effect of effects) {
    it(`${effect.type} needs an id of 1 to 160 characters`, () => {
      const { id: _id, ...without } = effect as { id: string };
      expect(directiveFault(without as Json)).toMatch(/^id is missing/);
      expect(directiveFault({ ...without, id: "" } as Json)).toMatch(/^id must be a string of 1/);
      expect(directiveFault({ ...without, id: 3 } as Json)).toMatch(/^id must be a string of 1/);
      expect(directiveFault({ ...without, id: "x".repeat(160) } as Json)).toBeUndefined();
      expect(directiveFault({ ...without, id: "x".repeat(161) } as Json)).toMatch(
        /1 to 160 characters/,
      );
      expect(directiveFault({ ...without, id: "__proto__" } as Json)).toMatch(/not __proto__/);
      expect(directiveFault({ ...without, id: "constructor" } as Json)).toBeUndefined();
    });
  }

  it("a notify with an id is none: nobody would settle it", () => {
    expect(directiveFault({ type: "notify", id: "n/0", topic: "t" })).toMatch(
      /^id is not a part of it/,
    );
  });

  const nothing: readonly (readonly [string, Json])[] = [
    ["null", null],
    ["a string", "llm"],
    ["an array", []],
  ];
  for (const [name, value] of nothing) {
    it(`${name} is none`, () =>
      expect(directiveFault(value)).toMatch(/^must be an object; it is /));
  }
  for (const type of [undefined, "shell", 1, "toString", "__proto__"]) {
    it(`an object of type ${JSON.stringify(type)} is none, and the message lists the types`, () => {
      const fault = directiveFault({ ...(type === undefined ? {} : { type }) } as Json);
      expect(fault).toMatch(
        /^type must be "llm", "tool", "read", "write", "approval", "timer", "run", "notify" or "cancel"; it is /,
      );
    });
  }
});

describe("a budget", () => {
  it.each<[string, Json]>([
    ["is not an object", 5],
    ["is a list", []],
    ["has a part of another name", { tokens: 1, calls: 2 }],
    ["takes something back", { tokens: -1 }],
    ["is no whole number", { cost: 0.5 }],
    ["is not a number", { cost: "5" }],
  ])("that %s is none", (_what, budget) => {
    const directive = { type: "run", id: "run/0", reasoner: "r", input: null, budget };
    expect(directiveFault(directive)).toMatch(/^budget(\.\w+)? (must be|is not a part)/);
  });
});
