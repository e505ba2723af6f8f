// `change`: whatever a recipe does to its draft, the context is what it would be if the draft were a plain
// object of the recipe's own; and what is neither draft nor new stays as it was.
import fc from "fast-check";
import { expect, it } from "vitest";
import { change } from "../../../../../src/core/kernel/machine/index.js";
import {
  append,
  emptyTable,
  type List,
  listOf,
  type Table,
  tableSet,
} from "../../../../../src/core/kernel/values/index.js";
import { throughJson } from "../../../../support/by-hand.js";
import { smallReasoner } from "../../../../support/small-machine.js";

interface Item {
  v: number;
}

interface Notes {
  a: Item[];
  b?: Item[] | undefined;
  c?: Item | undefined;
  n: { in?: object; items?: Item[]; list?: List<number> };
  list: List<number>;
  table: Table<Item | null>;
  [more: string]: unknown;
}

type Recipe = (draft: Notes, n: number) => void;

const first = (draft: Notes): Item => draft.a[0] ?? { v: 0 };

const recipes: { readonly [name: string]: Recipe } = {
  push: (draft, n) => draft.a.push({ v: n }),
  pop: (draft) => draft.a.pop(),
  shift: (draft) => draft.a.shift(),
  unshift: (draft, n) => draft.a.unshift({ v: n }),
  splice: (draft, n) => draft.a.splice(n % 3, 1, { v: n }, first(draft)),
  length: (draft) => {
    draft.a.length = Math.min(draft.a.length, 2);
  },
  sort: (draft) => draft.a.sort((x, y) => y.v - x.v),
  reverse: (draft) => draft.a.reverse(),
  swap: (draft) => {
    if (draft.a.length > 1) [draft.a[0], draft.a[1]] = [draft.a[1] as Item, draft.a[0] as Item];
  },
  filter: (draft, n) => {
    draft.a = draft.a.filter((item) => item.v !== n % 3);
  },
  map: (draft) => {
    draft.a = draft.a.map((item) => ({ ...item, mapped: true }));
  },
  spread: (draft) => {
    draft.a = [...draft.a, first(draft)];
  },
  flat: (draft) => {
    draft.flat = [draft.a, [first(draft)]].flat();
  },
  move: (draft) => {
    draft.b = draft.a;
  },
  moveItem: (draft) => {
    draft.c = first(draft);
  },
  nest: (draft) => {
    draft.n = { in: { ...draft.n, moved: draft.a.slice(0, 2) }, items: draft.a.slice(0, 2) };
  },
  remove: (draft) => {
    const at = draft.a.indexOf(draft.a.find(({ v }) => v > 1) as Item);
    if (at >= 0) draft.a.splice(at, 1);
  },
  each: (draft) => {
    for (const item of draft.a) item.v += 1;
  },
  inner: (draft, n) => {
    if (draft.c !== undefined) draft.c.v = n;
    const [item] = draft.n.items ?? [];
    if (item !== undefined) item.v = n;
  },
  delete: (draft) => {
    delete draft.b;
  },
  clear: (draft) => {
    draft.c = undefined;
  },
  keys: (draft) => {
    draft.keys = [Object.keys(draft.n), Array.isArray(draft.a), draft.a.includes(first(draft))];
  },
  list: (draft, n) => {
    draft.list = append(draft.list, n);
    draft.n.list = append(draft.n.list ?? draft.list, n);
  },
  table: (draft, n) => {
    draft.table = tableSet(draft.table, `k${n}`, { v: n });
  },
};

const begin = (): Notes => ({
  a: [{ v: 1 }, { v: 2 }, { v: 3 }],
  n: {},
  list: listOf([1]),
  table: emptyTable(),
});

type Call = readonly [name: string, n: number];

const reasoner = smallReasoner({
  context: begin(),
  on: {
    go: {
      actions: change((draft: Notes, { calls }: { calls: readonly Call[] }) => {
        for (const [name, n] of calls) recipes[name]?.(draft, n);
      }) as never,
    },
  },
});

function comesToThePlain(steps: readonly (readonly Call[])[]): void {
  let { state } = reasoner.start(null, { at: 0, runId: "r" });
  let plain = throughJson(begin());
  for (const calls of steps) {
    for (const [name, n] of calls) recipes[name]?.(plain, n);
    plain = throughJson(plain);
    const before = JSON.stringify(state.context);
    const step = reasoner.step(state, { type: "go", at: 1, calls } as never);
    expect(step.thrown).toBeUndefined();
    expect(JSON.stringify(state.context)).toBe(before);
    expect(throughJson(step.state.context)).toEqual(plain);
    state = step.state;
  }
}

it("a draft is changed as a plain object would be", () => {
  const call = fc.tuple(fc.constantFrom(...Object.keys(recipes)), fc.nat(5));
  const steps = fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 4 });
  fc.assert(fc.property(steps, comesToThePlain), {
    numRuns: 500,
    examples: [
      [
        [
          [["nest", 0]],
          [
            ["filter", 0],
            ["flat", 0],
          ],
        ],
      ],
    ],
  });
});

it("what was moved to several places is in each of them", () => {
  comesToThePlain([
    [
      ["nest", 0],
      ["filter", 0],
      ["flat", 0],
    ],
  ] as const);
});

it("what a recipe puts in is nobody else's affair: it is neither frozen nor kept", () => {
  const shared = { deep: { n: 1 } };
  const keeping = smallReasoner({
    on: {
      go: {
        actions: change((draft: { kept?: object[] }) => {
          draft.kept = [shared, { shared }];
        }) as never,
      },
    },
  });
  const { state } = keeping.start(null, { at: 0, runId: "r" });
  const { context } = keeping.step(state, { type: "go", at: 1 }).state;
  expect(Object.isFrozen(shared) || Object.isFrozen(shared.deep)).toBe(false);
  shared.deep.n = 2;
  expect(context).toEqual({ kept: [{ deep: { n: 1 } }, { shared: { deep: { n: 1 } } }] });
});

it("a draft that is put into itself is refused with its place", () => {
  const circular = smallReasoner({
    on: {
      go: {
        actions: change((draft: { n: { self?: object } }) => {
          draft.n.self = draft;
        }) as never,
      },
    },
    context: { n: {} },
  });
  const { state } = circular.start(null, { at: 0, runId: "r" });
  const { fault } = circular.step(state, { type: "go", at: 1 }).state;
  expect(fault?.code).toBe("json.refused");
  expect(fault?.place).toMatch(/^state \{\}, event go, \$\.context\.n\.self/);
});
