// setupReasoner and defineReasoner in strict consumer code: what is inferred, and what is an error.
import {
  agent,
  type Json,
  type LlmDirective,
  type Reasoner,
  run,
  type ToolDirective,
} from "reckoner";
import { assign, defineReasoner, setupReasoner } from "reckoner/kernel";
import { expectTypeOf, test } from "vitest";

interface Context {
  readonly answer: string;
}

test("an event narrows to its type, and a settlement comes with its directive", () => {
  const { createMachine } = setupReasoner<Context, string>();
  createMachine({
    context: ({ input }) => {
      expectTypeOf(input.input).toEqualTypeOf<string>();
      expectTypeOf(input.at).toEqualTypeOf<number>();
      return { answer: input.input };
    },
    on: {
      "llm.succeeded": {
        guard: ({ event }) => {
          expectTypeOf(event.directive).toEqualTypeOf<LlmDirective>();
          return event.content.length > 0;
        },
      },
      "tool.failed": {
        actions: assign(({ event }) => {
          expectTypeOf(event.directive).toEqualTypeOf<ToolDirective>();
          return { answer: event.error.message };
        }),
      },
      "approval.decided": { guard: ({ event }) => event.approve },
      message: { guard: ({ event }) => event.content !== "" },
      cancel: { guard: ({ event }) => event.reason === "x" },
    },
  });
});

test("a reasoner made in one go has the types of its setup, and the output's own", () => {
  const { createReasoner } = setupReasoner<Context, { q: string }>();
  const made = createReasoner({
    id: "asks",
    machine: { context: ({ input }) => ({ answer: input.input.q }) },
    output: ({ answer }) => answer.length,
  });
  expectTypeOf(made).toEqualTypeOf<Reasoner<{ q: string }, number, Context>>();
  // @ts-expect-error the machine takes an object with q
  run(made, "x");
});

test("an event of the machine's own narrows too", () => {
  const { createMachine } = setupReasoner<Context, null, { type: "tick"; n: number }>();
  createMachine({
    context: { answer: "" },
    on: {
      tick: {
        actions: assign(({ event }) => {
          expectTypeOf(event.n).toEqualTypeOf<number>();
          expectTypeOf(event.at).toEqualTypeOf<number>();
          return { answer: String(event.n) };
        }),
      },
    },
  });
});

test("events that do not exist and directives that are none are errors", () => {
  const { createMachine } = setupReasoner<Context, null>();
  createMachine({
    context: { answer: "" },
    // @ts-expect-error no such event
    on: { "llm.finished": {} },
  });
  createMachine({
    context: { answer: "" },
    // @ts-expect-error a timer needs a time
    entry: { type: "issue", params: { type: "timer", id: "t" } },
  });
  createMachine({
    context: { answer: "" },
    // @ts-expect-error the only action by name is issue
    entry: { type: "sendMail" },
  });
  createMachine({
    // @ts-expect-error the context is not of its type
    context: { answer: 1 },
  });
});

test("a reasoner knows its input, output and context", () => {
  const machine = setupReasoner<Context, { q: string }>().createMachine({
    context: { answer: "" },
  });
  const reasoner = defineReasoner({ id: "r", machine, output: (context) => context.answer });
  expectTypeOf(reasoner).toExtend<Reasoner<{ q: string }, string, Context>>();
  expectTypeOf(reasoner.start).parameter(0).toEqualTypeOf<{ q: string }>();
  expectTypeOf(reasoner.output).returns.toEqualTypeOf<string | undefined>();
  // @ts-expect-error the input is of another type
  run(reasoner, "q");
  // @ts-expect-error an input is needed
  run(reasoner);
});

test("states and steps are readonly", () => {
  const machine = setupReasoner<Context, null>().createMachine({ context: { answer: "" } });
  const { state, directives } = defineReasoner({ id: "r", machine }).start(null, {
    at: 0,
    runId: "r",
  });
  // @ts-expect-error readonly
  state.seq = 5;
  // @ts-expect-error readonly
  directives.push({ type: "notify", topic: "t" });
  expectTypeOf(state.context).toEqualTypeOf<Context>();
  expectTypeOf<Json>().not.toBeAny();
});

test("children are reasoners of any type, and need no cast", () => {
  const { createMachine } = setupReasoner<Context, null>();
  const machine = createMachine({ context: { answer: "" } });
  const letters = agent({ name: "letters" });
  const own = defineReasoner<null, string, Context>({ id: "own", machine });
  defineReasoner({ id: "both", machine, children: { letters, own } });
  // @ts-expect-error what is no reasoner is no child
  defineReasoner({ id: "none", machine, children: { letters: { id: "letters" } } });
});
