// Every law can fail: planted faults, each caught by the law that is about it. And a counterexample
// that is printed can be repeated.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import { type AgentContext, type AgentInput, agent } from "../src/core/agent/index.js";
import {
  owedBy,
  type Reasoner,
  type RunState,
  type Step,
} from "../src/core/kernel/machine/index.js";
import {
  emptyTable,
  listOf,
  messageOf,
  tableHas,
  tableSet,
  toArray,
} from "../src/core/kernel/values/index.js";
import { type Directive, type IncomingEvent, tool } from "../src/core/kernel/vocabulary/index.js";
import { agentInput, agentLaws, type PropertyLaw } from "../src/testing/index.js";
import { fastPathLaw } from "./fast-path-law.js";

type Context = AgentContext;
type Any = Reasoner<AgentInput, unknown, Context>;
type AnyStep = Step<Context>;
type Stepping = Pick<Any, "start" | "step">;

const plain: Any = agent({
  name: "plain",
  tools: [
    tool({ name: "a", execute: () => 1 }),
    tool({ name: "b", needsApproval: true, execute: () => 1 }),
    tool({ name: "c", reduce: () => 1 }),
  ],
  maxIterations: 4,
}) as never;

/** The agent with its steps changed on their way out. */
const stepping = (change: (of: Any) => Stepping): Any => ({ ...plain, ...change(plain) });

const everyStep = (
  change: (step: AnyStep, event?: IncomingEvent, before?: RunState) => AnyStep,
): Any =>
  stepping((of) => ({
    start: (input, origin) => change(of.start(input, origin)),
    step: (state, event) => change(of.step(state, event), event, state),
  }));

const withContext = (step: AnyStep, change: (context: Context) => Partial<Context>): AnyStep => {
  const context = { ...step.state.context, ...change(step.state.context) };
  return { ...step, state: { ...step.state, context } };
};

const withDirectives = (step: AnyStep, directives: readonly Directive[]): AnyStep => ({
  ...step,
  directives,
});

let outside = 0;

/** Each fault with words of the law that has to find it. */
const faults: readonly (readonly [string, string, Any])[] = [
  [
    "a counter outside of the state",
    "depends on its arguments alone",
    everyStep((step) => {
      outside += 1;
      return withContext(step, () => ({ startedAt: outside }));
    }),
  ],
  [
    "the arguments are changed",
    "changes neither",
    stepping((of) => ({
      start: of.start,
      step: (state, event) => {
        (event as { at: number }).at += 1;
        return of.step(state, event);
      },
    })),
  ],
  [
    "something that JSON loses",
    "survives JSON",
    stepping((of) => {
      const marked = new WeakSet<object>();
      const keep = (step: AnyStep, known: boolean) => {
        const next = known ? step : withContext(step, () => ({ agentName: "forgotten" }));
        marked.add(next.state);
        return next;
      };
      return {
        start: (input, origin) => keep(of.start(input, origin), true),
        step: (state, event) => keep(of.step(state, event), marked.has(state)),
      };
    }),
  ],
  [
    "an id is issued again",
    "issued once",
    everyStep((step) =>
      withDirectives(
        step,
        step.directives.map(
          (each): Directive => (each.type === "llm" ? { ...each, id: "llm/0" } : each),
        ),
      ),
    ),
  ],
  [
    "an effect is issued in the end",
    "nothing is issued in the end",
    everyStep((step) =>
      step.state.status === "active"
        ? step
        : withDirectives(step, [{ type: "timer", id: "late", until: 0 }]),
    ),
  ],
  [
    "a settlement stays outstanding",
    "leaves outstanding",
    everyStep((step, _event, before) =>
      before === undefined || step.state.status !== "active"
        ? step
        : {
            ...step,
            state: {
              ...step.state,
              outstanding: owedBy(before)
                .filter(({ id }) => !tableHas(step.state.outstanding, id))
                .reduce((owed, each) => tableSet(owed, each.id, each), step.state.outstanding),
            },
          },
    ),
  ],
  [
    "a stale settlement leaves a trace",
    "stale or repeated",
    everyStep((step) =>
      step.ignored?.reason === "stale" ? withContext(step, () => ({ agentName: "touched" })) : step,
    ),
  ],
  [
    "a machine that throws",
    "no machine throws",
    everyStep((step, event) => {
      if (event?.type !== "tool.succeeded" || step.ignored !== undefined) return step;
      const fault = { code: "machine.threw" as const, place: "planted" };
      return {
        directives: [],
        state: { ...step.state, status: "failed", outstanding: emptyTable(), fault },
      };
    }),
  ],
  [
    "an answer leads nowhere",
    "a run ends",
    everyStep((step) =>
      step.state.status === "done"
        ? { directives: [], state: { ...step.state, status: "active", value: "thinking" } }
        : step,
    ),
  ],
  [
    "a start that the journal does not explain",
    "fold of its journal",
    stepping((of) => ({
      start: (input, origin) => {
        outside += 1;
        return withContext(of.start(input, origin), () => ({ agentName: `start ${outside}` }));
      },
      step: of.step,
    })),
  ],
  [
    "a resumed run that goes another way",
    "resumed from any prefix",
    everyStep((step, event) => {
      if (event?.type === "llm.succeeded") outside += 1;
      return withContext(step, () => ({ systemPrompt: `answer ${outside}` }));
    }),
  ],
  [
    "an upgrade that changes the state",
    "upgraded to code that does the same",
    {
      ...plain,
      migrate: (state, over) => {
        const migrated = plain.migrate(state, over);
        return { ...migrated, context: { ...migrated.context, agentName: "upgraded" } };
      },
    },
  ],
  [
    "a step that does something else each time it is folded",
    "torn last line",
    stepping((of) => ({
      start: (input, origin) => {
        outside += 1;
        return withContext(of.start(input, origin), () => ({}));
      },
      step: (state, event) =>
        withDirectives(of.step(state, event), [{ type: "notify", topic: `${outside}` }]),
    })),
  ],
  [
    "a result is forgotten",
    "every tool call has one result",
    everyStep((step) =>
      withDirectives(
        step,
        step.directives.map((each): Directive => {
          if (each.type !== "llm") return each;
          const messages = toArray(each.messages as Context["messages"]);
          const results = messages.filter(({ role }) => role === "tool");
          return { ...each, messages: listOf(messages.filter((one) => one !== results[1])) };
        }),
      ),
    ),
  ],
  [
    "the system text of each request is its own",
    "each request begins with the one before it",
    everyStep((step) => ({
      ...step,
      directives: step.directives.map((each): Directive => {
        if (each.type !== "llm") return each;
        return { ...each, system: `${each.system} ${each.id}` };
      }),
    })),
  ],
  [
    "one request too many",
    "more often than it may be",
    stepping((of) => ({
      start: of.start,
      step: (state, event) => {
        const generous = { ...state, context: { ...state.context, maxIterations: 9 } };
        const { maxIterations } = state.context;
        return withContext(of.step(generous, event), () => ({ maxIterations }));
      },
    })),
  ],
  [
    "what the user says is written twice",
    "what the user says",
    everyStep((step, event) => {
      if (event?.type !== "message" || step.ignored !== undefined) return step;
      return withContext(step, ({ queue }) => ({
        queue: listOf([...toArray(queue), ...toArray(queue).slice(-1)]),
      }));
    }),
  ],
  [
    "the order of arrival is kept",
    "order in which answers arrive",
    everyStep((step, event) => {
      if (event?.type !== "tool.succeeded" && event?.type !== "tool.failed") return step;
      if (step.ignored !== undefined) return step;
      return withContext(step, ({ systemPrompt }) => ({
        systemPrompt: `${systemPrompt} ${String(event.id)}`,
      }));
    }),
  ],
];

const about = (laws: readonly PropertyLaw[], words: string): fc.IProperty<unknown> => {
  const law = laws.find(({ name }) => name.includes(words));
  if (law === undefined) throw new Error(`No law is about: ${words}`);
  return law.property as fc.IProperty<unknown>;
};
const options = { input: agentInput(["a", "b", "c"]) };

describe("each law finds its planted fault", () => {
  for (const [fault, words, reasoner] of faults) {
    it(`${fault}: "${words}"`, async () => {
      const property = about(agentLaws(reasoner, options), words);
      const details = await fc.check(property, { seed: 1, numRuns: 300 });
      expect(details.failed).toBe(true);
    });
  }

  it("every law is in the table", () => {
    for (const { name } of agentLaws(plain, options)) {
      const found = faults.some(([, words]) => name.includes(words));
      expect(found, name).toBe(true);
    }
  });

  it("the law of the fast path: one transition that is not the machine's", () => {
    const other = agent({ name: "plain", maxIterations: 3 }) as unknown as Any;
    const crossed = { ...plain, machine: other.machine };
    const law = fastPathLaw(crossed, { initialTransition, transition }, options);
    const details = fc.check(law.property as fc.IProperty<unknown>, { seed: 1, numRuns: 300 });
    expect(details.failed).toBe(true);
  });
});

describe("a counterexample", () => {
  const forgetful = faults.find(([fault]) => fault === "a result is forgotten")?.[2] as Any;

  it("prints a seed and a path, is shrunk, and comes again with them", () => {
    const property = about(agentLaws(forgetful, options), "every tool call has one result");
    const thrown = caught(() => fc.assert(property, { seed: 4, numRuns: 300 }));
    const [, seed, path] = /seed: (-?\d+), path: "([\d:]+)"/.exec(thrown.message) ?? [];
    const printed = /Counterexample: .*/.exec(thrown.message)?.[0];
    // As a person reads it.
    expect(thrown.message).toMatch(
      /#0 start at 1000\n[\s\S]*-> llm llm\/0\n[\s\S]*#1 llm.succeeded llm\/0/,
    );
    expect(thrown.message).toMatch(/Shrunk [1-9]\d* time/);

    const again = caught(() =>
      fc.assert(property, { seed: Number(seed), path: path as string, endOnFailure: true }),
    );
    expect(again.message).toContain(printed);
    expect(again.message).toContain("Property failed after 1 tests");
    expect(messageOf(again.cause)).toBe(messageOf(thrown.cause));
  });
});

function caught(act: () => unknown): Error {
  try {
    act();
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error("Nothing was thrown.");
}
