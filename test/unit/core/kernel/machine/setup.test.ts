// Machines with names: guards, changes and issues that a drawn chart shows, and drafts.
import { describe, expect, it } from "vitest";
import {
  and,
  change,
  defineReasoner,
  not,
  type Path,
  type ReasonerTypes,
  setupReasoner,
} from "../../../../../src/core/kernel/machine/index.js";
import {
  append,
  emptyList,
  emptyTable,
  type List,
  toArray,
} from "../../../../../src/core/kernel/values/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

interface Quiz {
  readonly tries: number;
  readonly by?: string;
  readonly answers: List<string>;
  readonly notes: { readonly last: { readonly text: string; readonly at: number } | null };
  readonly [key: string]: unknown;
}
type Answer = { readonly type: "answer"; readonly text: string };

const quiz = (path?: Path["name"]) => {
  const { createMachine } = setupReasoner({
    types: {} as ReasonerTypes<Quiz, { readonly max: number }, Answer>,
    guards: {
      isRight: ({ event }) => event.type === "answer" && event.text === "42",
      isFewerThan: ({ context }, { n }: { n: number }) => context.tries < n,
    },
    changes: {
      keep: change((draft, event) => {
        if (event.type !== "answer") return;
        draft.tries += 1;
        draft.answers = append(draft.answers, event.text);
        draft.notes.last = { text: event.text, at: event.at };
      }),
      sign: ({ event }, by: string) => ({ by: `${by} at ${event.at}` }),
    },
    issues: {
      remind: ({ context, event }) => ({
        type: "timer",
        id: `remind/${context.tries}`,
        until: event.at + 10,
      }),
      tell: ({ context }, topic: string) => [{ type: "notify", topic, data: context.tries }],
    },
    delays: { patience: 500 },
  });
  return defineReasoner<{ max: number }, string, Quiz>({
    id: "quiz",
    machine: createMachine({
      context: { tries: 0, answers: emptyList<string>(), notes: { last: null } },
      initial: "asking",
      states: {
        asking: {
          after: { patience: "given" },
          on: {
            answer: [
              {
                guard: and(["isRight", { type: "isFewerThan", params: { n: 3 } }]),
                target: "done",
                actions: ["keep", { type: "sign", params: "me" }],
              },
              {
                guard: not("isRight"),
                actions: ["keep", "remind", { type: "tell", params: "wrong" }],
              },
            ],
          },
        },
        done: { type: "final", output: ({ context }) => (context as Quiz).by },
        given: { type: "final", tags: ["failed"] },
      },
    }),
    ...(path === undefined ? {} : { path }),
  });
};

describe("a machine with names", () => {
  for (const path of ["tables", "transition"] as const) {
    it(`does what they stand for (${path})`, () => {
      const run = byHand(quiz(path), { max: 3 });
      run.take({ type: "answer", text: "41", at: 5 });
      expect(run.directives).toEqual([
        { type: "timer", id: "remind/1", until: 15 },
        { type: "notify", topic: "wrong", data: 1 },
      ]);
      expect(run.context.notes).toEqual({ last: { text: "41", at: 5 } });
      run.take({ type: "answer", text: "42", at: 6 });
      expect([run.output, toArray(run.context.answers)]).toEqual(["me at 6", ["41", "42"]]);
    });
  }

  it("is compiled, and its chart has the names", () => {
    const { machine, compiled } = quiz();
    expect(compiled).toBe(true);
    const text = JSON.stringify(machine.definition);
    for (const name of ["keep", "sign", "remind", "tell"]) expect(text).toContain(name);
  });

  it("two things of one name are refused, all at once", () => {
    const error = refusal(() =>
      setupReasoner({
        types: {} as ReasonerTypes<{ n: number }, null>,
        changes: { issue: () => ({}), a: () => ({}) },
        issues: { a: () => [] },
      }),
    );
    expect(error.code).toBe("machine.invalid");
    expect(error.details.map(({ place }) => place)).toEqual([
      "setup.changes.issue",
      "setup.issues.a",
    ]);
  });

  it("a name that stands for nothing, of an import that went wrong say, is refused", () => {
    const error = refusal(() =>
      setupReasoner({
        types: {} as ReasonerTypes<{ n: number }, null>,
        changes: { keep: undefined, null: null },
        issues: { ask: undefined },
      } as never),
    );
    expect(error.code).toBe("machine.invalid");
    expect(error.details).toEqual(
      ["setup.changes.keep", "setup.changes.null", "setup.issues.ask"].map((place) => ({
        place,
        message: "must be a function",
      })),
    );
  });
});

describe("a change on a draft", () => {
  const context = {
    n: 1,
    gone: 1,
    list: [{ a: 1 }, { a: 2 }],
    deep: { kept: { x: 1 }, items: emptyList<number>() },
  };
  const changed = (recipe: (draft: never, event: never) => void, more: object = {}) => {
    const { createMachine } = setupReasoner<
      typeof context & Record<string, unknown>,
      null,
      { type: "go"; n: number }
    >();
    const machine = createMachine({
      context: { ...context, ...more },
      on: { go: { actions: change(recipe as never) } },
    } as never);
    const reasoner = defineReasoner({ id: "r", machine });
    const before = reasoner.start(null, { at: 0, runId: "r" }).state;
    const after = reasoner.step(before, { type: "go", n: 3, at: 1 }).state;
    return {
      before: before.context as typeof context,
      after,
      context: after.context as typeof context,
    };
  };

  it("changes what it says and shares the rest", () => {
    const { before, context: after } = changed(
      (draft: { n: number; list: { a: number }[] }, event: { n: number }) => {
        draft.n = event.n;
        (draft.list[1] as { a: number }).a += 10;
        draft.list.push({ a: 3 });
      },
    );
    expect(after).toEqual({ ...before, n: 3, list: [{ a: 1 }, { a: 12 }, { a: 3 }] });
    expect(after.list[0]).toBe(before.list[0]);
    expect(after.deep).toBe(before.deep);
  });

  it("takes a List in it as a value, at any depth", () => {
    const { before, context: after } = changed((draft: { deep: { items: List<number> } }) => {
      draft.deep.items = append(draft.deep.items, 1, 2);
    });
    expect(toArray(after.deep.items)).toEqual([1, 2]);
    expect(after.deep.kept).toBe(before.deep.kept);
    const same = changed(
      (draft: { deep: { items: List<number> } }) => void toArray(draft.deep.items),
    );
    expect(same.context.deep).toBe(same.before.deep);
  });

  it("has each collection as it was, and each other part as one and the same draft", () => {
    const collections = { notes: append(emptyList<number>(), 1), byName: emptyTable<number>() };
    const seen: unknown[] = [];
    const { before } = changed((draft: typeof collections & typeof context) => {
      seen.push(draft.notes, draft.byName, draft.deep.items);
      expect(draft.deep).toBe(draft.deep);
      expect(draft.list[0]).toBe(draft.list[0]);
    }, collections);
    const was = before as typeof collections & typeof context;
    for (const [i, each] of [was.notes, was.byName, was.deep.items].entries()) {
      expect(seen[i]).toBe(each);
    }
  });

  it("may delete, move what is in the draft, and go through it", () => {
    const { context: after } = changed(
      (draft: { gone?: number; list: { a: number }[]; deep: { kept: unknown }; n: number }) => {
        delete draft.gone;
        draft.deep.kept = draft.list[0];
        draft.n = draft.list.map(({ a }) => a).reduce((sum, a) => sum + a, 0);
        draft.list = draft.list.filter(({ a }) => a > 1);
        expect(draft.list).toEqual([{ a: 2 }]);
        expect(Object.keys(draft)).toEqual(["n", "list", "deep"]);
      },
    );
    expect(after).toStrictEqual({
      n: 3,
      list: [{ a: 2 }],
      deep: { kept: { a: 1 }, items: emptyList() },
    });
  });

  it("ends the run where it throws or waits", () => {
    const boom = changed(() => {
      throw new Error("boom");
    });
    expect(boom.after.fault?.code).toBe("machine.threw");
    const late = changed((async (draft: { n: number }) => {
      draft.n = 2;
    }) as never);
    expect([late.after.fault?.code, late.context.n]).toEqual(["machine.async", 1]);
  });
});

describe("a configuration that XState refuses", () => {
  const { createMachine } = setupReasoner<Record<string, never>, null>();
  const refused = (config: object) =>
    refusal(() => createMachine({ id: "m", initial: "a", states: { a: {} }, ...config } as never));

  it.each<[string, object, string]>([
    [
      "a target that is not there",
      { states: { a: { on: { go: "b" } } } },
      "Invalid transition definition for state node 'm.a': Child state 'b' does not exist on 'm'.",
    ],
    [
      "a state with states in it and no first one",
      { states: { a: {}, b: { states: { c: {} } } } },
      'No initial state specified for compound state node "#m.b". Try adding { initial: "c" } to the state config.',
    ],
    [
      "a target of the machine's own without its dot",
      { on: { go: "a" } },
      'Invalid target: "a" is not a valid target from the root node. Did you mean ".a"?',
    ],
  ])("%s is said in one line of its words", (_name, config, words) => {
    const { code, place, message } = refused(config);
    expect([code, place]).toEqual(["machine.invalid", "machine"]);
    expect(message).toBe(`XState refuses the machine: ${words}`);
  });

  it("keeps what XState threw, whatever it was", () => {
    const { code, cause } = refused({ states: { a: null } });
    expect([code, cause]).toEqual(["machine.invalid", expect.any(TypeError)]);
  });
});
