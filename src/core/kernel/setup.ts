/**
 * `setupReasoner`: XState's `setup` with the kernel's events, its one action and a typed start, and
 * nothing else. A machine is made from states, transitions, guards, `assign` and `issue`.
 */
import {
  type AnyStateMachine,
  createMachine,
  type MachineConfig,
  type MachineContext,
} from "xstate";
import type { Directive } from "./directive.js";
import type { SeenEvent } from "./event.js";

/** What a machine's context factory is given as its `input`. */
export interface Start<Input> {
  readonly input: Input;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly runId: string;
  /** Where randomness is wanted, it is drawn from this. */
  readonly seed?: string;
  /** The context of the run that this one goes on from. */
  readonly from?: unknown;
}

/** The one action that is not an `assign`: its params return the directives of the transition. */
export interface IssueAction {
  readonly type: "issue";
  readonly params: Directive | readonly Directive[];
}

declare const contextType: unique symbol;
declare const inputType: unique symbol;

/** An XState machine that remembers the types it was set up with. */
export type ReasonerMachine<Context, Input> = AnyStateMachine & {
  readonly [contextType]?: Context;
  readonly [inputType]?: Input;
};

/** The configuration of a machine: XState's, with the kernel's events and its one action. */
export type ReasonerConfig<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string } = never,
> = MachineConfig<
  Context,
  SeenEvent<Custom>,
  never,
  { type: "issue"; params: Directive | readonly Directive[] },
  never,
  never,
  string,
  Start<Input>
>;

/** What {@link setupReasoner} returns. */
export interface ReasonerSetup<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string },
> {
  /** Makes an XState machine. */
  createMachine(config: ReasonerConfig<Context, Input, Custom>): ReasonerMachine<Context, Input>;
}

/**
 * Sets up a machine for a context, an input and, if it has any, events of its own from outside.
 * @example
 * const { createMachine } = setupReasoner<{ answer: string }, string>();
 */
export function setupReasoner<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string } = never,
>(): ReasonerSetup<Context, Input, Custom> {
  return {
    createMachine: (config) =>
      createMachine(config as never, { actions: { issue: () => {} } }) as ReasonerMachine<
        Context,
        Input
      >,
  };
}
