// Plans that are changed in the middle of a run: each operation of the new plan is done once; what had not
// begun begins after those that the new plan says, and what had begun stays as it is.
import fc from "fast-check";
import { expect, test } from "vitest";
import { owedBy } from "../src/core/kernel/machine/index.js";
import { tableGet } from "../src/core/kernel/values/index.js";
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

/** Each plan is the one before it but for a few ids, as changes to a plan are. */
const plansOf = fc
  .record({
    first: drawn,
    others: fc.array(fc.record({ other: drawn, kept: fc.nat(127), sameKinds: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ first, others }): Node[][] => {
    let last = first;
    const changed = others.map(({ other, kept, sameKinds }) => {
      const mixed = <T>(a: readonly T[], b: readonly T[]) =>
        a.map((each, i) => ((kept >> i) & 1 ? each : (b[i] as T)));
      last = {
        is: mixed(last.is, other.is),
        kinds: sameKinds ? last.kinds : mixed(last.kinds, other.kinds),
        edges: mixed(last.edges, other.edges),
      };
      return nodesOf(last);
    });
    return [nodesOf(first), ...changed];
  });

type Stand = "unknown" | "running" | "done";

type State = RunState<ThoughtsContext>;

function standIn(state: State, id: string): Stand {
  return (tableGet(state.context.operations, id)?.status ?? "unknown") as Stand;
}

/** A run of the first plan, or of the last one it was changed to. */
interface Run {
  readonly plan: readonly Node[];
  readonly of: ReturnType<typeof thinker>;
  readonly state: State;
}

/** The run under another plan, or `undefined` where that is refused, as it has to be. */
function changed(run: Run, plan: readonly Node[], at: number): Run | undefined {
  const byId = new Map(plan.map((each) => [each.id, each]));
  const isOther = run.plan.some(
    ({ id, kind }) => standIn(run.state, id) === "running" && byId.get(id)?.kind !== kind,
  );
  const of = thinker(plan);
  const over = { at, differs: () => true, input: "why?", budget: undefined };
  let state: State;
  try {
    state = of.migrate(run.state as never, over) as State;
  } catch (thrown) {
    expect((thrown as { code: string }).code).toBe("upgrade.refused");
    expect(isOther).toBe(true);
    return undefined;
  }
  expect(isOther).toBe(false);
  return { plan, of, state: JSON.parse(JSON.stringify(state)) };
}

test("a plan that is changed in the middle ≡ what the new one says of what has not begun", () => {
  let upgraded = 0;
  let late = 0;
  fc.assert(
    fc.property(
      plansOf,
      fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
      fc.array(fc.nat(5), { maxLength: 20 }),
      ([first, ...plans], counts, picks) => {
        let at = 0;
        const ids = new Set<string>();
        /** What was done when the plan was changed: it stays as it is, also where the new plan ends in it. */
        const early = new Set<string>();
        const fresh = new Set<string>();
        /** Answers one call; whatever begins, all that it comes after is done. */
        const answered = ({ plan, of, state: was }: Run): State => {
          const owed = owedBy(was).filter((each) => each.type === "llm");
          const call = owed[(picks[at] ?? 0) % owed.length];
          if (call === undefined) throw new Error(`nothing is owed in ${String(was.value)}`);
          at += 1;
          const text = () => `of ${call.id}`;
          const { state, directives } = of.step(was, answer(call, text, at));
          for (const { id, after } of plan) {
            const now = standIn(state, id);
            if (standIn(was, id) !== "unknown" || now === "unknown") continue;
            for (const each of after) expect(standIn(state, each)).toBe("done");
            if (fresh.has(id)) late += 1;
          }
          for (const { id } of directives.filter((each) => each.type === "llm")) {
            expect(ids.has(id)).toBe(false);
            ids.add(id);
          }
          return state;
        };
        const of = thinker(first as Node[]);
        const { state } = of.start("why?", { at: 0, runId: "r" });
        let run: Run = { plan: first as Node[], of, state };
        for (const [i, plan] of plans.entries()) {
          for (let n = counts[i] as number; n > 0 && run.state.status === "active"; n--) {
            run = { ...run, state: answered(run) };
          }
          if (run.state.status !== "active") return;
          const next = changed(run, plan, at);
          if (next === undefined) continue;
          upgraded += 1;
          fresh.clear();
          for (const { id, after } of plan) {
            if (standIn(run.state, id) === "done") early.add(id);
            const isLate = after.every((each) => standIn(run.state, each) === "done");
            if (isLate && standIn(run.state, id) === "unknown") fresh.add(id);
          }
          run = next;
        }
        while (run.state.status === "active") run = { ...run, state: answered(run) };
        if (run.state.value === "error") {
          expect(run.of.error(run.state)?.code).toBe("thoughts.nothingLeft");
          const ends = run.plan.filter(
            ({ id }) => !run.plan.some((each) => each.after.includes(id)),
          );
          expect(ends.every(({ id }) => early.has(id))).toBe(true);
          return;
        }
        expect(run.state.value).toBe("completed");
        if (run.plan === first) return;
        for (const { id } of run.plan) expect([id, standIn(run.state, id)]).toEqual([id, "done"]);
      },
    ),
    { numRuns: 350 },
  );
  expect(upgraded).toBeGreaterThan(100);
  expect(late).toBeGreaterThan(15);
});
