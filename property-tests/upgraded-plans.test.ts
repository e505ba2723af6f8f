// Plans that are changed in the middle of a run: each operation of the new plan is done once, after
// those that it comes after, or is passed over, or the upgrade is refused, as a fixpoint of its own says.
import fc from "fast-check";
import { expect, test } from "vitest";
import { owedBy, tableGet } from "../src/core/kernel/index.js";
import type { RunState } from "../src/index.js";
import {
  aggregate,
  generate,
  improve,
  type OperationSpec,
  plan,
  select,
  type ThoughtsContext,
  thoughts,
} from "../src/thoughts.js";
import { answer } from "../test/unit/core/thoughts/drive.js";

const KINDS = ["generate", "improve", "aggregate", "select"] as const;
type Kind = (typeof KINDS)[number];

interface Node {
  readonly id: string;
  readonly kind: Kind;
  readonly after: readonly string[];
}

const make = ({ kind, ...rest }: Node): OperationSpec => {
  if (kind === "generate") return generate(rest);
  if (kind === "improve") return improve(rest);
  if (kind === "aggregate") return aggregate(rest);
  return select({ ...rest, where: (all) => all });
};
const thinker = (nodes: readonly Node[]) => thoughts({ policy: plan(nodes.map(make)) });

const IDS = ["a", "b", "c", "d", "e", "f", "g"];

/** For each id: whether it is there, its kind, and which of those before it in the order it follows. */
const drawn = fc.record({
  is: fc.array(fc.boolean(), { minLength: IDS.length, maxLength: IDS.length }),
  kinds: fc.array(fc.nat(3), { minLength: IDS.length, maxLength: IDS.length }),
  edges: fc.array(fc.nat(127), { minLength: IDS.length, maxLength: IDS.length }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function nodesOf({ is, kinds, edges }: Drawn): Node[] {
  const nodes: Node[] = [];
  IDS.forEach((id, i) => {
    if (!is[i] && nodes.length > 0) return;
    const after = nodes.filter((_, j) => ((edges[i] as number) >> j) & 1).map((each) => each.id);
    const kind = KINDS[kinds[i] as number] as Kind;
    const begins = kind === "generate" || kind === "select";
    nodes.push({ id, after, kind: after.length > 0 || begins ? kind : "generate" });
  });
  return nodes;
}

/** The second plan is the first but for a few ids, as changes to a plan are. */
const twoPlans = fc
  .record({ first: drawn, second: drawn, kept: fc.nat(127), sameKinds: fc.boolean() })
  .map(({ first, second, kept, sameKinds }): [Node[], Node[]] => {
    const mixed = <T>(a: readonly T[], b: readonly T[]) =>
      a.map((each, i) => ((kept >> i) & 1 ? each : (b[i] as T)));
    return [
      nodesOf(first),
      nodesOf({
        is: mixed(first.is, second.is),
        kinds: sameKinds ? first.kinds : mixed(first.kinds, second.kinds),
        edges: mixed(first.edges, second.edges),
      }),
    ];
  });

type Stand = "unknown" | "waiting" | "running" | "done";

/** What is to become of the operations of the new plan. `refused`: an operation has begun too early. */
function expected(now: readonly Node[], stands: (id: string) => Stand) {
  const begun = (id: string) => stands(id) === "running" || stands(id) === "done";
  const above = new Map<string, ReadonlySet<string>>();
  for (const { id, after } of now) {
    above.set(id, new Set(after.flatMap((each) => [each, ...(above.get(each) ?? [])])));
  }
  const passed = new Set<string>();
  for (let before = -1; before !== passed.size; ) {
    before = passed.size;
    for (const { id, after } of now) {
      if (begun(id) || !after.every((each) => stands(each) === "done" || passed.has(each)))
        continue;
      const isPast =
        stands(id) === "unknown" && now.some((one) => begun(one.id) && above.get(one.id)?.has(id));
      if (isPast || (after.length > 0 && after.every((each) => passed.has(each)))) passed.add(id);
    }
  }
  const comes = (id: string) => stands(id) !== "done" && !passed.has(id);
  return { passed, refused: now.some(({ id, after }) => begun(id) && after.some(comes)) };
}

type State = RunState<ThoughtsContext>;

function standIn(state: State, id: string): Stand {
  return (tableGet(state.context.operations, id)?.status ?? "unknown") as Stand;
}

test("a plan that is changed in the middle ≡ what the new one says of what has not begun", () => {
  let upgraded = 0;
  let late = 0;
  fc.assert(
    fc.property(
      twoPlans,
      fc.nat(6),
      fc.array(fc.nat(5), { maxLength: 20 }),
      ([old, now], n, picks) => {
        let at = 0;
        const answered = (of: ReturnType<typeof thinker>, state: State) => {
          const owed = owedBy(state).filter((each) => each.type === "llm");
          const call = owed[(picks[at] ?? 0) % owed.length];
          if (call === undefined) throw new Error(`nothing is owed in ${String(state.value)}`);
          at += 1;
          return of.step(
            state,
            answer(call, () => `of ${call.id}`, at),
          );
        };
        const before = thinker(old);
        let { state } = before.start("why?", { at: 0, runId: "r" });
        for (let i = 0; i < n && state.status === "active"; i++)
          state = answered(before, state).state;
        if (state.status !== "active") return;
        const after = thinker(now);
        const stood = state;
        const stands = (id: string) => standIn(stood, id);
        const { passed, refused } = expected(now, stands);
        const byId = new Map(now.map((each) => [each.id, each]));
        const kinds = new Map(old.map((each) => [each.id, each.kind]));
        const running = old.filter(({ id }) => stands(id) === "running");
        const isGone = running.some(({ id }) => byId.get(id) === undefined);
        const isOther = running.some(({ id }) => byId.get(id)?.kind !== kinds.get(id));
        let next: State;
        try {
          next = after.migrate(
            state as never,
            {
              at,
              differs: () => true,
              input: "why?",
              budget: undefined,
            } as never,
          ) as State;
        } catch (thrown) {
          expect((thrown as { code: string }).code).toBe("upgrade.refused");
          expect(refused || isGone || isOther).toBe(true);
          return;
        }
        expect(refused || isGone).toBe(false);
        if (isOther) return;
        upgraded += 1;
        const ids = new Set<string>();
        state = JSON.parse(JSON.stringify(next));
        while (state.status === "active") {
          const was = state;
          const step = answered(after, state);
          state = step.state;
          for (const { id } of now) {
            if (standIn(state, id) === standIn(was, id)) continue;
            if (!["unknown", "waiting"].includes(standIn(was, id))) continue;
            if (standIn(state, id) === "waiting") continue;
            // It has begun: whatever it comes after is done, or was passed over.
            expect(passed.has(id)).toBe(false);
            for (const each of byId.get(id)?.after ?? []) {
              expect(passed.has(each) || standIn(state, each) === "done").toBe(true);
            }
            late +=
              stands(id) === "unknown" &&
              byId.get(id)?.after.every((each) => stands(each) === "done")
                ? 1
                : 0;
          }
          for (const { id } of step.directives.filter((each) => each.type === "llm")) {
            expect(ids.has(id)).toBe(false);
            ids.add(id);
          }
        }
        expect(state.value).toBe("completed");
        for (const { id } of now) {
          expect([id, standIn(state, id)]).toEqual([id, passed.has(id) ? "unknown" : "done"]);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(upgraded).toBeGreaterThan(150);
  expect(late).toBeGreaterThan(50);
});
