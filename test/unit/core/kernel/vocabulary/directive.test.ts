// What is a directive, and what is wrong with what is none.
import { describe, expect, it } from "vitest";
import {
  type Directive,
  directiveFault,
  isEffect,
  type Json,
} from "../../../../../src/core/kernel/index.js";

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
        expect(directiveFault(rest)).toBe(`lacks ${part}`);
      });
    }
    it(`${type} with a part of another is none`, () => {
      expect(directiveFault({ ...(directive as object), sideEffect: 1 } as Json)).toMatch(
        new RegExp(`has a part sideEffect, which ${type} does not know`),
      );
    });
  }

  it.each([
    [{ type: "timer", id: "t", until: "soon" }, "has until that is not number"],
    [{ type: "llm", id: "l", messages: 5 }, "has messages that is not messages"],
    [{ type: "llm", id: "l", messages: [], system: 1 }, "has system that is not text"],
    [{ type: "llm", id: "l", messages: [], settings: [] }, "has settings that is not object"],
    [{ type: "write", id: "w", store: "s", operations: {} }, "has operations that is not array"],
    [{ type: "cancel", target: null }, "has target that is not text"],
  ] as const)("a part of another kind is none: %j", (directive, fault) => {
    expect(directiveFault(directive as unknown as Json)).toBe(fault);
  });

  for (const effect of effects) {
    it(`${effect.type} needs an id of 1 to 160 characters`, () => {
      const { id: _id, ...without } = effect as { id: string };
      expect(directiveFault(without as Json)).toBe("has no id");
      expect(directiveFault({ ...without, id: "" } as Json)).toBe("has no id");
      expect(directiveFault({ ...without, id: 3 } as Json)).toBe("has no id");
      expect(directiveFault({ ...without, id: "x".repeat(160) } as Json)).toBeUndefined();
      expect(directiveFault({ ...without, id: "x".repeat(161) } as Json)).toMatch(/more than 160/);
      expect(directiveFault({ ...without, id: "__proto__" } as Json)).toMatch(/cannot be a key/);
      expect(directiveFault({ ...without, id: "constructor" } as Json)).toBeUndefined();
    });
  }

  it("a notify with an id is none: nobody would settle it", () => {
    expect(directiveFault({ type: "notify", id: "n/0", topic: "t" })).toMatch(/has a part id/);
  });

  const nothing: readonly (readonly [string, Json])[] = [
    ["null", null],
    ["a string", "llm"],
    ["an array", []],
  ];
  for (const [name, value] of nothing) {
    it(`${name} is none`, () => expect(directiveFault(value)).toBe("is not an object"));
  }
  for (const type of [undefined, "shell", 1, "toString", "__proto__"]) {
    it(`an object of type ${JSON.stringify(type)} is none, and the message lists the types`, () => {
      const fault = directiveFault({ ...(type === undefined ? {} : { type }) } as Json);
      expect(fault).toMatch(
        /llm, tool, read, write, approval, timer, run, notify, cancel is needed/,
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
    expect(directiveFault(directive)).toBe("has budget that is not budget");
  });
});
