// What a machine may be made of: everything else is refused at definition, with its place.
import { describe, expect, it } from "vitest";
import {
  type AnyStateMachine,
  and,
  cancel,
  createMachine,
  emit,
  forwardTo,
  fromPromise,
  log,
  not,
  or,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
  stateIn,
  stopChild,
} from "xstate";
import {
  assign,
  defineReasoner,
  enqueueActions,
  setupReasoner,
} from "../../../../../src/core/kernel/machine/index.js";
import { refusal } from "../../../../support/thrown.js";

const define = (machine: AnyStateMachine) => () => defineReasoner({ id: "r", machine });
const machineOf = (config: object) => createMachine({ initial: "a", states: { a: {} }, ...config });
const child = fromPromise(async () => 1);

const refusedActions: readonly (readonly [string, unknown])[] = [
  ["raise with a delay", raise({ type: "x" }, { delay: 5 })],
  ["raise of a text", raise("x" as never)],
  ["sendTo", sendTo("other", { type: "x" })],
  ["sendParent", sendParent({ type: "x" })],
  ["forwardTo", forwardTo("other")],
  ["emit", emit({ type: "x" })],
  ["log", log("x")],
  ["cancel", cancel("x")],
  ["stopChild", stopChild("x")],
  ["spawnChild", spawnChild(child)],
  ["an inline function", () => {}],
  ["an async assign", assign((async () => ({})) as never)],
  ["an async field of an assign", assign({ a: (async () => 1) as never })],
  ["an unknown action", "sendMail"],
  ["an unknown action with params", { type: "sendMail", params: {} }],
];

describe("an action that is an effect is refused with its place", () => {
  for (const [name, action] of refusedActions) {
    it(`${name} in a transition`, () => {
      const error = refusal(
        define(machineOf({ states: { a: { on: { go: { actions: [assign({}), action] } } } } })),
      );
      expect(error.code).toBe("machine.unsupported");
      expect(error.place).toBe('machine.states.a.on["go"].actions[1]');
    });
  }

  const places: readonly (readonly [string, object, string])[] = [
    ["on entry", { states: { a: { entry: log("x") } } }, "machine.states.a.entry[0]"],
    [
      "on entry, beside a timer of after",
      { states: { a: { entry: [log("x")], after: { 5: "a" } } } },
      "machine.states.a.entry[0]",
    ],
    [
      "in after",
      { states: { a: { after: { 5: { target: "a", actions: log("x") } } } } },
      'machine.states.a.after["5"].actions[0]',
    ],
    ["on exit", { exit: [log("x")] }, "machine.exit[0]"],
    [
      "in always",
      { states: { a: { always: [{ guard: () => false }, { actions: log("x") }] } } },
      "machine.states.a.always[1].actions[0]",
    ],
    [
      "in a transition of a state that has timers",
      { states: { a: { after: { 5: "a", 7: "a" }, on: { go: { actions: log("x") } } } } },
      'machine.states.a.on["go"].actions[0]',
    ],
    [
      "in the second of two timers",
      { states: { a: { after: { 5: "a", 7: { actions: log("x") } } } } },
      'machine.states.a.after["7"].actions[0]',
    ],
    [
      "in the second of two transitions",
      { on: { go: [{ guard: () => false }, { actions: log("x") }] } },
      'machine.on["go"][1].actions[0]',
    ],
    [
      "in an initial transition",
      { initial: { target: "a", actions: log("x") } },
      "machine.initial.actions[0]",
    ],
    [
      "in onDone",
      {
        states: {
          a: { initial: "b", states: { b: { type: "final" } }, onDone: { actions: log("x") } },
        },
      },
      "machine.states.a.onDone.actions[0]",
    ],
    [
      "deep in a region",
      {
        states: {
          a: {
            type: "parallel",
            states: { b: { initial: "c", states: { c: { entry: log("x") } } } },
          },
        },
      },
      "machine.states.a.states.b.states.c.entry[0]",
    ],
  ];
  for (const [name, config, place] of places) {
    it(name, () => expect(refusal(define(machineOf(config))).place).toBe(place));
  }
});

describe("a named action is refused for what it does", () => {
  it("an implementation that is a plain function", () => {
    const machine = setup({ actions: { save: () => {} } }).createMachine({ entry: "save" });
    expect(refusal(define(machine)).place).toBe("machine.entry[0]");
  });

  it("an implementation that raises later", () => {
    const machine = setup({
      actions: { save: raise({ type: "x" }, { delay: 5 }) },
    }).createMachine({ entry: "save" });
    expect(refusal(define(machine)).message).toMatch(/raise with a delay waits/);
  });

  it("a name that is unknown, or stands for what is no action, and what is nothing", () => {
    const said = (action: unknown, implementations: object = {}) => {
      const machine = createMachine({ entry: [action] } as never, implementations as never);
      return refusal(define(machine)).message;
    };
    expect(said("save")).toContain('the action "save" is unknown; name it in setupReasoner');
    expect(said("toString")).toContain('the action "toString" is unknown');
    expect(said("save", { actions: { save: { type: "x" } } })).toContain(
      'the action "save" is not an action; write it as a change or an issue',
    );
    expect(said(raise(null as never))).toContain("raise takes an event, an object with a type");
  });

  it("an issue that is something else", () => {
    for (const issue of [raise({ type: "x" }), assign({})]) {
      const machine = setup({ actions: { issue: issue as never } }).createMachine({
        entry: "issue",
      });
      expect(refusal(define(machine)).message).toMatch(/issue is the kernel's own/);
    }
  });
});

/** With a delay of one digit its timers have the longest name there may be, of 150 letters. */
const longest = "x".repeat(150 - "after//5".length);

describe("other parts of XState are refused with their place", () => {
  const configs: readonly (readonly [string, object, string])[] = [
    ["invoke", { states: { a: { invoke: { src: child } } } }, "machine.states.a.invoke"],
    ["invoke at the root", { invoke: { src: child } }, "machine.invoke"],
    [
      "output of a state that is not final",
      { states: { a: { output: 1 } } },
      "machine.states.a.output",
    ],
    [
      "after of a final state",
      { states: { a: { type: "final", after: { 5: { actions: [] } } } } },
      "machine.states.a.after",
    ],
    [
      "on of a final state",
      { states: { a: { type: "final", on: { go: {} } } } },
      "machine.states.a.on",
    ],
    [
      "always of a final state",
      { states: { a: { type: "final", always: { guard: () => false } } } },
      "machine.states.a.always",
    ],
    [
      "onDone of a final state",
      { states: { a: { type: "final", onDone: { actions: [] } } } },
      "machine.states.a.onDone",
    ],
    [
      "states of a final state",
      { states: { a: { type: "final", states: { b: {} } } } },
      "machine.states.a.states",
    ],
    [
      "guards that are combined by nobody knows what",
      { on: { go: { guard: Object.assign(() => true, { check: () => true }) } } },
      'machine.on["go"].guard',
    ],
    [
      "actions that are enqueued later",
      { entry: enqueueActions(async () => {}) },
      "machine.entry[0]",
    ],
    [
      "an unknown delay",
      { states: { a: { after: { soon: "a" } } } },
      'machine.states.a.after["soon"]',
    ],
    [
      "a delay without end",
      { states: { a: { after: { Infinity: "a" } } } },
      'machine.states.a.after["Infinity"]',
    ],
    [
      "a timer's name that is too long",
      { initial: longest, states: { [longest]: { after: { 50: { actions: [] } } } } },
      `machine.states.${longest}.after["50"]`,
    ],
    ["a route", { states: { a: { id: "a", route: {} } } }, "machine.states.a.route"],
    [
      "an initial state that is not there",
      { states: { a: { initial: "c", states: { b: {} } } } },
      "machine.states.a.initial",
    ],
    [
      "a history state that leads nowhere",
      { states: { a: { initial: "b", states: { b: {}, h: { type: "history", target: "c" } } } } },
      "machine.states.a.states.h.target",
    ],
    [
      "two states with one id",
      { states: { a: { id: "x" }, b: { id: "x" } } },
      "machine.states.b.id",
    ],
    ["an unknown guard", { on: { go: { guard: "g" } } }, 'machine.on["go"].guard'],
    [
      "an unknown guard within others",
      { on: { go: [{}, { guard: and([not("g" as never), () => true]) }] } },
      'machine.on["go"][1].guard',
    ],
    ["a guard that is none", { always: { guard: 5 } }, "machine.always[0].guard"],
    [
      "a guard that looks for a state that is not there",
      { on: { go: { guard: stateIn("#nowhere") } } },
      'machine.on["go"].guard',
    ],
    ["events of XState", { on: { "xstate.init": "#x" }, id: "x" }, 'machine.on["xstate.init"]'],
  ];
  for (const [name, config, place] of configs) {
    it(name, () => {
      const error = refusal(define(machineOf(config)));
      expect([error.code, error.place]).toEqual(["machine.unsupported", place]);
    });
  }

  it("a guard that is none, with what one is", () => {
    for (const guard of [5, {}, { type: 5 }, null]) {
      expect(refusal(define(machineOf({ on: { go: { guard } } }))).message).toContain(
        "a guard is a function, or the name of one",
      );
    }
  });

  it("all unknown guards of one combination, each once", () => {
    const guard = and(["g", not("h"), or(["g", stateIn("#nowhere")])] as never);
    const { details } = refusal(define(machineOf({ on: { go: { guard } } })));
    expect(details?.map(({ message }) => message.slice(0, 23))).toEqual([
      'the guard "g" is unknow',
      'the guard "h" is unknow',
      "stateIn names a state #",
    ]);
  });

  it("a guard that leads to itself", () => {
    const machine = setup({
      guards: { a: and(["b" as never]) as never, b: "a" as never },
    }).createMachine({
      on: { go: { guard: "a" as never } },
    });
    expect(refusal(define(machine)).message).toMatch(/leads to itself/);
  });

  it("one alone, as it is", () => {
    expect(refusal(define(machineOf({ entry: log("x") }))).message).toBe(
      "machine.entry[0]: log writes; issue a `notify` directive.",
    );
  });

  it("all of them at once, each with its place and its rewrite", () => {
    const error = refusal(
      define(
        machineOf({
          invoke: { src: child },
          entry: [log("x"), sendTo("y", { type: "z" })],
          states: { a: { on: { go: { guard: "g", actions: "save" } } } },
        }),
      ),
    );
    expect(error.details.map(({ place }) => place)).toEqual([
      "machine.invoke",
      "machine.entry[0]",
      "machine.entry[1]",
      'machine.states.a.on["go"].guard',
      'machine.states.a.on["go"].actions[0]',
    ]);
    expect(error.place).toBe("machine.invoke");
    expect(error.message).toMatch(
      /for 5 reasons: \(1\) machine\.invoke: .*\. \(5\) machine\.states/,
    );
    expect(error.message).toContain(
      "(2) machine.entry[0]: log writes; issue a `notify` directive. (3) ",
    );
  });

  it("actors that setup names", () => {
    const machine = setup({ actors: { child } }).createMachine({});
    expect(refusal(define(machine)).place).toBe("setup.actors");
  });
});

describe("what is allowed", () => {
  it("assign, issue, guards and their combinations, tags, onDone, parallel states", () => {
    const { createMachine } = setupReasoner<{ n: number }, null>();
    const guard = ({ context }: { context: { n: number } }) => context.n > 0;
    const issue = { type: "issue", params: { type: "notify", topic: "t" } } as const;
    const machine = createMachine({
      context: { n: 0 },
      entry: [assign({ n: 1 }), issue],
      initial: "a",
      states: {
        a: {
          tags: ["x"],
          exit: issue,
          type: "parallel",
          states: { b: { initial: "c", states: { c: { type: "final" } } }, d: { type: "final" } },
          onDone: { guard: and([guard, not(not(guard))]), target: "e", actions: [issue] },
        },
        e: { on: { "*": { actions: assign(({ context }) => ({ n: context.n + 1 })) } } },
      },
    });
    expect(define(machine)().start(null, { at: 0, runId: "r" }).state.value).toBe("e");
  });

  it("a timer with the longest name that there may be", () => {
    const machine = machineOf({
      initial: longest,
      states: { [longest]: { after: { 5: "b" } }, b: {} },
    });
    const { directives } = define(machine)().start(null, { at: 0, runId: "r" });
    expect(directives).toEqual([{ type: "timer", id: `after/${longest}/5/0`, until: 5 }]);
  });

  it("what one state does when another is done", () => {
    const machine = machineOf({
      id: "m",
      states: { a: { initial: "b", states: { b: { type: "final" } } }, c: {} },
      on: { "xstate.done.state.m.a": ".c" },
    });
    expect(define(machine)().start(null, { at: 0, runId: "r" }).state.value).toBe("c");
  });

  it("an issue of a machine that was made without setup", () => {
    const entry = { type: "issue", params: { type: "notify", topic: "t" } };
    const { directives } = define(machineOf({ entry }))().start(null, { at: 0, runId: "r" });
    expect(directives).toEqual([entry.params]);
  });

  it("a part of a state that XState does not know either", () => {
    const machine = machineOf({ target: "nowhere", states: { a: { target: "nowhere" } } });
    expect(define(machine)().start(null, { at: 0, runId: "r" }).state.value).toBe("a");
  });

  it("a named assign", () => {
    const machine = setup({
      types: { context: {} as { n: number } },
      actions: { count: assign({ n: 5 }) },
    }).createMachine({ context: { n: 0 }, entry: "count" });
    const { state } = define(machine)().start(null, { at: 0, runId: "r" });
    expect(state.context).toEqual({ n: 5 });
  });
});

describe("the fingerprint", () => {
  const machine = machineOf({});
  const print = (more: object) => defineReasoner({ id: "r", machine, ...more }).fingerprint;

  it("follows id, version and configuration", () => {
    const prints = [{}, { id: "s" }, { version: 2 }, { configuration: { system: "x" } }].map(print);
    expect(new Set(prints).size).toBe(4);
    expect(print({})).toBe(prints[0]);
  });
});

describe("what XState would pass over", () => {
  const { createMachine } = setupReasoner<object, null, { type: "go" }>();
  const never = () => false;
  it.each<[string, object]>([
    ["machine.contxt", { contxt: {} }],
    ["machine.states.a.alwyas", { states: { a: { alwyas: "b" }, b: {} } }],
    ["machine.states.a.context", { states: { a: { context: {} } } }],
    ['machine.on["go"].gaurd', { on: { go: { target: ".b", gaurd: never } } }],
    ['machine.on["go"][1].acts', { on: { go: [{ target: ".b" }, { target: ".a", acts: [] }] } }],
    ["machine.states.a.always[0].reentr", { states: { a: { always: { reentr: true } }, b: {} } }],
    ['machine.states.a.after["5"].acts', { states: { a: { after: { 5: { acts: [] } } }, b: {} } }],
    ["machine.states.a.onDone.gaurd", { states: { a: { onDone: { gaurd: never } }, b: {} } }],
  ])("%s is refused at its place", (place, config) => {
    const whole = { context: {}, initial: "a", states: { a: {}, b: {} }, ...config };
    const machine = createMachine(whole as never);
    const { code, message } = refusal(() => defineReasoner({ id: "m", machine }));
    expect(code).toBe("machine.unsupported");
    expect(message).toBe(`${place}: XState knows no such part, and would pass it over.`);
  });

  it("is what is misspelt in a definition with its machine", () => {
    const { createReasoner } = setupReasoner<object, null>();
    const define = (definition: object) =>
      refusal(() => createReasoner(definition as never)).message;
    expect(define({ id: "x", machine: {}, ouput: 1 })).toContain("ouput is not a part of it");
    expect(define({ id: "x" })).toContain("XState refuses the machine");
    expect(define({ machine: {} })).toContain("id must be a string");
    expect(createReasoner({ id: "x", machine: { context: {} } }).id).toBe("x");
  });

  it("is what is misspelt in a setup, and what is none", () => {
    for (const [names, what] of [
      [{ gaurds: {} }, "setupReasoner: gaurds is not a part of it; types, guards, changes,"],
      [null, "setupReasoner takes an object that defines it, not nothing."],
    ] as const) {
      const { code, message } = refusal(() => setupReasoner(names as never));
      expect([code, message]).toEqual(["machine.invalid", expect.stringContaining(what)]);
    }
  });
});

it.each([
  ["machin is not a part of it", { id: "x", machin: 1 }],
  ["id must be a string", { machine: {} }],
  ["id must be a string", { id: "", machine: {} }],
  ["machine must be what createMachine gives", { id: "x" }],
  ["version must be a whole number, 0 or more", { id: "x", machine: {}, version: 1.5 }],
  ["version must be a whole number, 0 or more", { id: "x", machine: {}, version: -1 }],
  ["version must be a whole number, 0 or more", { id: "x", machine: {}, version: "2" }],
  ["machine must be what createMachine gives", { id: "x", machine: { initial: "a" } }],
])("a definition is refused: %s", (words, definition) => {
  const { code, message, place } = refusal(() => defineReasoner(definition as never));
  expect([code, place]).toEqual(["machine.invalid", "machine"]);
  expect(message).toContain(words);
});
