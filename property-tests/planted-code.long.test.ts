// Code that was changed and alters what is remembered is never replayed as identical: an assign of a
// generated machine, a tool's `reduce` or `settle`, a migration. The first difference is at its event
// and field, with both values.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Agent, agent } from "../src/core/agent/index.js";
import { isUnresolved } from "../src/core/journal/index.js";
import { assign, defineReasoner, setupReasoner } from "../src/core/kernel/machine/index.js";
import { type Json, type JsonObject, refOf } from "../src/core/kernel/values/index.js";
import { contextUpdate, type Tool, tool, withUpdate } from "../src/core/kernel/vocabulary/index.js";
import { memoryJournal, replay, resume, run } from "../src/runtime/index.js";
import { agentInput, drive, worldScript } from "../src/testing/index.js";
import { rarely } from "./agents.js";
import { reasonerOf } from "./arbitrary-machine.js";
import { machinePlan, type StatePlan } from "./machine-plan.js";
import { type AnyReasoner, type Happened, recorded } from "./recorded.js";
import { seeds } from "./setup.js";

const shown = (value: unknown): string => (value === undefined ? "nothing" : refOf(value as Json));

/** All of a step that a line proves. */
function seen({ state, directives, ignored }: Happened["step"]) {
  const { value, context, status, fault } = state;
  const end = { status, fault };
  return { value, context: context as JsonObject, ...end, directives, ignored: ignored?.reason };
}

/** The first event at which another reasoner comes to something else, and its step there. */
function firstChange(other: AnyReasoner, input: unknown, steps: readonly Happened[]) {
  let state: Happened["step"]["state"] | undefined;
  for (const { event, step } of steps) {
    const { runId, at } = step.state;
    const now: Happened["step"] =
      state === undefined
        ? other.start(input, { runId, at, prepared: true })
        : other.step(state as never, event as never);
    if (shown(seen(now)) !== shown(seen(step))) return { was: step, now };
    state = now.state;
  }
  return undefined;
}

/**
 * Replays what a reasoner did with another one.
 * @returns the field that differed first and alone, or `undefined` where nothing or more did
 */
async function told(
  [reasoner, other]: readonly [AnyReasoner, AnyReasoner],
  input: unknown,
  steps: readonly Happened[],
): Promise<string | undefined> {
  const journal = recorded(reasoner, input, steps);
  if (journal === undefined) return undefined;
  const change = firstChange(other, reasoner.prepare(input, false), steps);
  const report = await replay(other, journal);
  if (change === undefined) {
    expect(report.status).toBe("identical");
    return undefined;
  }
  expect(report.status).toBe("diverged");
  if (report.status !== "diverged") return undefined;
  const { seq, path, recorded: was, computed } = report.difference;
  const [before, after] = [seen(change.was), seen(change.now)];
  expect(seq).toBe(change.was.state.seq);
  const { context: old, ...visible } = before;
  const { context: now, ...others } = after;
  // What is seen from outside is told first, and an end by what it puts out.
  if (shown(visible) !== shown(others) || visible.status !== "active") return undefined;
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  const field = fields.find((each) => shown(old[each]) !== shown(now[each])) as string;
  expect(path.split(/[.[]/).slice(0, 2)).toEqual(["context", field]);
  expect(path).not.toContain("@ref");
  // What no line holds stays its digest; it is never another value.
  if (!isUnresolved(was)) expect(shown(was)).toBe(shown(at(old, path)));
  expect(shown(computed)).toBe(shown(at(now, path)));
  return field;
}

/** The value at a path, as a difference has it. */
function at(context: JsonObject, path: string): unknown {
  const names = path.match(/[^.[\]]+/g) ?? [];
  return names
    .slice(1)
    .reduce<unknown>((value, name) => (value as { [name: string]: unknown })?.[name], context);
}

/** The places of a plan where something is done, each with a count more. */
function withCounts(plan: StatePlan): readonly StatePlan[] {
  const of = <T>(
    items: readonly T[],
    change: (item: T) => readonly T[],
  ): readonly (readonly T[])[] =>
    items.flatMap((item, i) =>
      change(item).map((each) => items.map((own, j) => (i === j ? each : own))),
    );
  const more = <T extends { readonly actions: StatePlan["entry"] }>(each: T): readonly T[] => [
    { ...each, actions: [...each.actions, "count"] },
  ];
  return [
    { ...plan, entry: [...plan.entry, "count"] },
    { ...plan, exit: [...plan.exit, "count"] },
    ...of(plan.on, more).map((on) => ({ ...plan, on })),
    ...of(plan.always, more).map((always) => ({ ...plan, always })),
    ...of(plan.states, withCounts).map((states) => ({ ...plan, states })),
  ];
}

describe("a generated machine with a changed assign", () => {
  for (const seed of seeds) {
    it(`is told by its event, its field and both values (seed ${seed})`, async () => {
      const cases = fc.tuple(machinePlan(), fc.nat(), fc.nat({ max: 2 }), worldScript());
      const found = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(cases, async ([plan, which, input, script]) => {
          const plants = withCounts(plan);
          const other = plants[which % plants.length] as StatePlan;
          const pair = [reasonerOf(plan), reasonerOf(other)] as const;
          const { steps } = drive(pair[0], input, script, {
            outside: (choose) => ({ type: choose(2) === 0 ? "A" : "B" }),
          });
          const field = await told(pair as never, input, steps);
          if (field !== undefined) found.set(field, (found.get(field) ?? 0) + 1);
        }),
        { seed, numRuns: 120 },
      );
      expect(found.get("issued") ?? 0).toBeGreaterThan(2);
    });
  }
});

/** How a tool's own function changes what it updates: not what the model reads. */
const updates = {
  more: contextUpdate().increment("count", 2).append("log", "a"),
  other: contextUpdate().increment("count", 1).append("log", "b"),
  set: contextUpdate().set("seen", { by: "a tool" }),
  none: contextUpdate(),
} as const;
const update = fc.constantFrom(...(Object.keys(updates) as (keyof typeof updates)[]));

interface Own {
  readonly kind: "reduce" | "settle" | "execute";
  readonly update: keyof typeof updates;
}

function ownTool({ kind, update }: Own, name: string): Tool {
  const result = () => withUpdate("done", updates[update]);
  const issue = () => [{ type: "read", store: "s", query: {} }];
  const work = {
    reduce: { reduce: result },
    settle: { issue, settle: result },
    execute: { execute: result },
  }[kind];
  return tool({ name, ...work } as never);
}

const ownAgent = (tools: readonly Own[]): Agent =>
  agent({
    name: "own",
    deps: { count: 1, log: [] },
    tools: tools.map((each, i) => ownTool(each, `t${i}`)),
    maxIterations: 5,
  });

describe("an agent whose tool has a changed `reduce` or `settle`", () => {
  for (const seed of seeds) {
    it(`is told by its event, its field and both values (seed ${seed})`, async () => {
      const own = fc.record({ kind: fc.constantFrom("reduce", "settle"), update });
      const cases = fc.tuple(
        fc.array(own as fc.Arbitrary<Own>, { minLength: 1, maxLength: 3 }),
        rarely(fc.nat()),
        update,
        agentInput(["t0", "t1", "t2"]),
        worldScript(),
      );
      let found = 0;
      await fc.assert(
        fc.asyncProperty(cases, async ([tools, which, to, input, script]) => {
          const at = (which ?? 0) % tools.length;
          const changed = tools.map((each, i) => (i === at ? { ...each, update: to } : each));
          const pair = [ownAgent(tools), ownAgent(changed)] as const;
          const { steps } = drive(pair[0], input, script);
          const field = await told(pair as never, input, steps);
          if (field === undefined) return;
          expect(field).toBe("deps");
          found += 1;
        }),
        { seed, numRuns: 120 },
      );
      expect(found).toBeGreaterThan(8);
    });
  }
});

const { createMachine } = setupReasoner<JsonObject & { [field: string]: unknown }, null>();
const versionOf = (version: number, context: JsonObject) =>
  defineReasoner<null, unknown, JsonObject>({
    id: "carried",
    version,
    ...(version === 1 ? {} : { migrations: { 2: () => ({ value: "open", context }) } }),
    machine: createMachine({
      context: { old: version },
      initial: "open",
      states: { open: { on: { message: { actions: assign({ said: true }) } } } },
    } as never),
  });

describe("a changed migration", () => {
  for (const seed of seeds) {
    it(`is told by its field and both values (seed ${seed})`, async () => {
      const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()), fc.constant(null));
      const name = fc.constantFrom("a", "b", "c");
      const contexts = fc.dictionary(name, value);
      const cases = fc.tuple(contexts, name, rarely(value));
      await fc.assert(
        fc.asyncProperty(cases, async ([given, field, to]) => {
          const context = JSON.parse(JSON.stringify(given)) as JsonObject;
          const { [field]: was, ...others } = context;
          const changed = to === undefined ? others : { ...others, [field]: to as Json };
          const journal = memoryJournal();
          await run(versionOf(1, {}), null, { journal });
          await resume(versionOf(2, context), journal, { upgrade: true, messages: ["on"] });
          const report = await replay([versionOf(2, changed), versionOf(1, {})], journal);
          if (shown(context) === shown(changed)) {
            expect(report.status).toBe("identical");
            return;
          }
          expect(report).toMatchObject({ status: "diverged", difference: { event: "upgrade" } });
          if (report.status !== "diverged") return;
          const { path, recorded, computed } = report.difference;
          expect(path.startsWith(`context.${field}`)).toBe(true);
          if (path !== `context.${field}`) return;
          expect([shown(recorded), shown(computed)]).toEqual([shown(was), shown(changed[field])]);
        }),
        { seed, numRuns: 60 },
      );
    });
  }
});
