// Which path computes a machine's steps: the fastest that covers the machine and does what XState's
// own `transition()` does. Where XState is not as expected, that is found, said, and done without.
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, type AnyStateNode, or, stateIn } from "xstate";
import { assign, type Path, raise } from "../../../../../src/core/kernel/index.js";
import { aftersOf } from "../../../../../src/core/kernel/machine/after.js";
import { choosePath } from "../../../../../src/core/kernel/machine/choose-path.js";
import { compile } from "../../../../../src/core/kernel/machine/compile.js";
import { nodesOf } from "../../../../../src/core/kernel/machine/nodes.js";
import { ownMachine } from "../../../../../src/core/kernel/machine/own-machine.js";
import { probe, trusted } from "../../../../../src/core/kernel/machine/probe.js";
import { tablesPath } from "../../../../../src/core/kernel/machine/run-tables.js";
import { xstatePath } from "../../../../../src/core/kernel/machine/xstate-path.js";
import { byHand } from "../../../../support/by-hand.js";
import { smallReasoner } from "../../../../support/small-machine.js";

const boom = (): never => {
  throw new TypeError("boom");
};

describe("the check of the paths", () => {
  const honest: Parameters<typeof probe>[0] = (machine, afters) => {
    const scope = xstatePath(machine, afters);
    const tables = compile(machine, afters);
    return { scope, tables: typeof tables === "string" ? undefined : tablesPath(tables, scope) };
  };
  const lying = (path: Path): Path => ({
    ...path,
    next: (position, event) => {
      const taken = path.next(position, event);
      return event.type === "deep.down" ? { ...taken, issued: [{}] } : taken;
    },
  });

  it("finds nothing wrong with this XState", () => {
    expect(trusted()).toEqual({ scope: true, tables: true });
    expect(trusted()).toBe(trusted());
    expect(probe(honest)).toEqual(trusted());
  });

  it("drops the tables where they differ", () => {
    const found = probe((machine, afters) => {
      const { scope, tables } = honest(machine, afters);
      return { scope, tables: lying(tables as Path) };
    });
    expect(found).toMatchObject({ scope: true, tables: false });
    expect(found.notice).toContain("compiled tables differ from its transition()");
  });

  it("drops both where the scope differs, throws or is not there", () => {
    for (const bad of [lying, boom, () => undefined as never]) {
      const found = probe((machine, afters) => {
        const { scope, tables } = honest(machine, afters);
        return { scope: bad(scope), tables };
      });
      expect(found).toMatchObject({ scope: false, tables: false });
      expect(found.notice).toContain("the bare scope differs");
    }
  });

  type Loose = Record<string, unknown>;
  const typeOf = (action: unknown) => (action as { readonly type?: unknown }).type;
  const without = (type: string) => (actions: readonly unknown[]) =>
    actions.filter((action) => typeOf(action) !== type);
  const transitionsOf = (node: AnyStateNode) =>
    [...node.transitions.values()].flat().concat(node.always ?? []) as unknown as Loose[];
  const eachNode = (change: (node: AnyStateNode & Loose) => void) => (machine: AnyStateMachine) => {
    for (const node of nodesOf(machine.root as AnyStateNode)) change(node as never);
  };
  const eachAction = (change: (actions: readonly unknown[]) => readonly unknown[]) =>
    eachNode((node) => {
      for (const each of [node, ...transitionsOf(node)] as Loose[]) {
        for (const part of ["entry", "exit", "actions"]) {
          if (Array.isArray(each[part])) each[part] = change(each[part]);
        }
      }
    });
  const eachTransition = (change: (transition: Loose) => void) =>
    eachNode((node) => transitionsOf(node).forEach(change));
  const unknownTo = (isUnknown: (type: string) => boolean) =>
    eachNode((node) => {
      for (const type of [...node.transitions.keys()]) {
        if (isUnknown(type)) node.transitions.delete(type);
      }
    });
  const guarded = (answer: boolean) =>
    eachTransition((transition) => {
      if (transition.guard !== undefined) transition.guard = () => answer;
    });

  /** What another XState, or another engine, might do otherwise. */
  const others: { readonly [what: string]: (machine: AnyStateMachine) => void } = {
    "changes are not made": eachAction(without("xstate.assign")),
    "nothing is issued": eachAction(without("issue")),
    "what is issued sees no context": eachAction((actions) =>
      actions.map((each) =>
        typeOf(each) === "issue" ? { type: "issue", params: { topic: "t", seen: 0 } } : each,
      ),
    ),
    "raised events get lost, and timers do not start": eachAction(without("xstate.raise")),
    "timers are not taken back": eachAction(without("xstate.cancel")),
    "actions come the other way round": eachAction((actions) => [...actions].reverse()),
    "entries are left out": eachNode((node) => Object.assign(node, { entry: [] })),
    "exits are left out": eachNode((node) => Object.assign(node, { exit: [] })),
    "actions on the way are left out": eachTransition((each) =>
      Object.assign(each, { actions: [] }),
    ),
    "eventless transitions are not taken": eachNode((node) => Object.assign(node, { always: [] })),
    "guards are not asked": guarded(true),
    "guards do not hold": guarded(false),
    "states are not entered again": eachTransition((each) =>
      Object.assign(each, { reenter: false }),
    ),
    "states are entered again that need not be": eachTransition((each) =>
      Object.assign(each, { reenter: true }),
    ),
    "the end of a state is not told": unknownTo((type) => type.startsWith("xstate.done.state.")),
    "timers lead nowhere": unknownTo((type) => type.startsWith("xstate.after.")),
    "a star stands for nothing": unknownTo((type) => type === "*"),
    "a star behind a dot stands for nothing": unknownTo((type) => type.endsWith(".*")),
    "names stand for nothing": unknownTo((type) => /^[a-z]+$/.test(type)),
    "tags get lost": eachNode((node) => Object.assign(node, { tags: [] })),
    "states have no output": eachNode((node) => {
      if (node.type === "final") node.output = undefined;
    }),
    "states within have no output": eachNode((node) => {
      if (node.type === "final" && node.parent?.parent !== undefined) node.output = undefined;
    }),
    "the machine has no output": (machine) => {
      (machine.root as { output: unknown }).output = undefined;
    },
    "the context knows nothing of the input": (machine) => {
      const config = machine.config as unknown as { context: (given: object) => unknown };
      const { context } = config;
      Object.assign(machine, { config: { ...config, context: () => context({}) } });
    },
  };
  it.each(Object.keys(others))("finds it where %s", (what) => {
    const found = probe((machine, afters) => {
      const other = machine.provide({}) as AnyStateMachine;
      others[what]?.(other);
      return { ...honest(machine, afters), tables: honest(other, afters).tables };
    });
    expect(found).toMatchObject({ scope: true, tables: false });
  });

  it("finds it where a position from its JSON is not the one that it was", () => {
    const found = probe((machine, afters) => {
      const { scope, tables } = honest(machine, afters);
      const first = (tables as Path).start({ at: 0 }).position;
      return { scope, tables: { ...(tables as Path), restore: () => first } };
    });
    expect(found).toMatchObject({ scope: true, tables: false });
  });
});

describe("a path is chosen", () => {
  const notice = "XState is not as expected";
  const [fine, noTables, neither] = [
    { scope: true, tables: true },
    { scope: true, tables: false, notice },
    { scope: false, tables: false, notice },
  ];
  const plain = { initial: "a", states: { a: {} } };
  const chosen = (check: typeof fine, wanted?: Path["name"], config: object = plain) => {
    const machine = ownMachine(smallReasoner(config).machine);
    const { path, ...told } = choosePath(machine, aftersOf(machine), wanted, check);
    return [path.name, told];
  };
  const regions = { type: "parallel", states: { a: {}, b: {} } };

  it("by what is fastest, where XState is as expected", () => {
    expect(chosen(fine)).toEqual(["tables", { compiled: true }]);
    const notCompiled = "machine is parallel";
    expect(chosen(fine, undefined, regions)).toEqual(["scope", { compiled: false, notCompiled }]);
  });

  it("by what is as it should be, where XState is not, and says so", () => {
    const told = { compiled: false, notCompiled: notice, notice };
    expect(chosen(noTables)).toEqual(["scope", told]);
    expect(chosen(neither)).toEqual(["transition", told]);
    expect(chosen(neither, undefined, regions)).toEqual(["transition", told]);
  });

  it("by its name, whatever the check says, and tables only where there are some", () => {
    for (const check of [fine, neither]) {
      const said = check === fine ? {} : { notice };
      for (const name of ["scope", "transition"] as const) {
        const notCompiled = `the path ${name} is asked for`;
        expect(chosen(check, name)).toEqual([name, { compiled: false, notCompiled, ...said }]);
      }
      expect(chosen(check, "tables")).toEqual(["tables", { compiled: true, ...said }]);
      const notCompiled = "machine is parallel";
      expect(chosen(check, "tables", regions)).toEqual([
        "scope",
        { compiled: false, notCompiled, ...said },
      ]);
    }
  });
});

describe("a machine says how its steps are computed", () => {
  const parallel = { type: "parallel", states: { a: {}, b: {} } };
  const whys: readonly (readonly [object, string])[] = [
    [parallel, "machine is parallel"],
    [{ initial: "a", states: { a: parallel } }, "machine.states.a is parallel"],
    [{ type: "final" }, "machine is final"],
    [
      { initial: "a", states: { a: { on: { go: { target: ["b", "c"] } } }, b: {}, c: {} } },
      "machine.states.a has several targets",
    ],
    [
      { on: { go: { guard: stateIn("a") } }, initial: "a", states: { a: {} } },
      "machine has a guard that looks at the state (stateIn)",
    ],
  ];
  for (const [config, why] of whys) {
    it(why, () => {
      const { compiled, notCompiled } = smallReasoner(config);
      expect([compiled, notCompiled]).toEqual([false, why]);
    });
  }
  it("compiled, with guards of guards and events that are raised by a name", () => {
    const go = { guard: or([() => false, () => true]), actions: raise({ type: "x" }, { id: "x" }) };
    for (const path of ["tables", "scope", "transition"] as const) {
      const reasoner = smallReasoner({ on: { go, x: { actions: assign({ n: 1 }) } } }, { path });
      const run = byHand(reasoner, null);
      run.take({ type: "go" });
      expect([run.context.n, reasoner.compiled]).toEqual([1, path === "tables"]);
    }
  });

  it("compiled, or by a path that was asked for", () => {
    expect(smallReasoner({})).toMatchObject({ compiled: true });
    expect(smallReasoner({})).not.toHaveProperty("notCompiled");
    expect(smallReasoner({}, { path: "scope" }).notCompiled).toBe("the path scope is asked for");
  });
});

it("tables remember what an event's name leads to, and of ever new names only so many", () => {
  const { machine } = smallReasoner({ initial: "a", states: { a: { on: { "*": "a" } } } });
  const tables = compile(machine, aftersOf(machine));
  const leaf = typeof tables === "string" ? undefined : tables.leafOf("a");
  const names = Array.from({ length: 1_000 }, (_, i) => `event.${i}`);
  const moves = names.map((name) => leaf?.on(name));
  const remembered = names.filter((name, i) => leaf?.on(name) === moves[i]);
  expect(remembered).toEqual(names.slice(0, 256));
});
