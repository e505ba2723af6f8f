// A run driven by hand: one event after the other, without an interpreter. Between any two steps the
// state goes through JSON, as it does between two processes.

import type { Reasoner, RunState, Step } from "../../src/core/kernel/machine/index.js";
import { owedBy } from "../../src/core/kernel/machine/index.js";
import type { Directive, Effect, RunEvent } from "../../src/core/kernel/vocabulary/index.js";

/** A value as another process would get it. */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** A run in a test's hand. */
export interface ByHand<Output, Context> {
  /** The newest state, fresh from JSON. */
  readonly state: RunState<Context>;
  readonly context: Context;
  /** The newest step. */
  readonly step: Step<Context>;
  /** What the newest step asks for. */
  readonly directives: readonly Directive[];
  /** The ids of what is outstanding. */
  readonly owed: readonly string[];
  readonly output: Output | undefined;
  /** The outstanding directive with this id. */
  directive(id: string): Effect;
  /** Takes an event, one millisecond after the one before it where it brings no time. */
  take(event: { readonly type: string; readonly [key: string]: unknown }): Step<Context>;
}

/** Starts a run at time 0. */
export function byHand<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
): ByHand<Output, Context> {
  let step = reasoner.start(input, { at: 0, runId: "run" });
  let state = throughJson(step.state);
  return {
    get state() {
      return state;
    },
    get context() {
      return state.context;
    },
    get step() {
      return step;
    },
    get directives() {
      return step.directives;
    },
    get owed() {
      return owedBy(state).map(({ id }) => id);
    },
    get output() {
      return reasoner.output(state);
    },
    directive(id) {
      const found = owedBy(state).find((each) => each.id === id);
      if (found === undefined) throw new Error(`${id} is not outstanding`);
      return found;
    },
    take(event) {
      step = reasoner.step(state, { at: state.at + 1, ...event } as unknown as RunEvent);
      state = throughJson(step.state);
      return step;
    },
  };
}
