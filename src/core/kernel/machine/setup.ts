/**
 * The types of a reasoner's machine: XState's, restricted to the kernel's events, the action `issue` and a
 * typed start. Guards, changes and issues that are named are shown by name in a drawn chart.
 */
import {
  type AnyStateMachine,
  assign,
  createMachine,
  type MachineConfig,
  type MachineContext,
} from "xstate";
import type { Directive } from "../vocabulary/directive.js";
import type { SeenEvent } from "../vocabulary/event.js";
import type { Budget } from "../vocabulary/prices.js";
import type { Assigner } from "./change.js";
import { namedIssue } from "./named-issues.js";
import { Refusals } from "./refusals.js";

/** The `input` of a machine's context factory. */
export interface Start<Input> {
  readonly input: Input;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly runId: string;
  /** Where randomness is wanted, it is drawn from this. */
  readonly seed?: string | undefined;
  /** The most that the run may spend: its share of its parent's remaining budget. */
  readonly budget?: Budget | undefined;
  /** The context of the run that this one goes on from. */
  readonly from?: unknown;
}

/** The origin of a run, beside its input. */
export interface StartOptions extends Omit<Start<unknown>, "input"> {
  /** The input is as `reasoner.prepare` left it, or as a journal has it: nothing is added to it. */
  readonly prepared?: boolean | undefined;
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

/** An action by the name of a change or an issue; what params it takes is its own affair. */
type Named<Name extends string> = Name extends string ? { type: Name; params: unknown } : never;

/** The configuration of a machine: XState's, with the kernel's events, its one action, and names. */
export type ReasonerConfig<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string } = never,
  Guards extends string = never,
  Actions extends string = never,
  Delays extends string = never,
> = MachineConfig<
  Context,
  SeenEvent<Custom>,
  never,
  { type: "issue"; params: Directive | readonly Directive[] } | Named<Actions>,
  Named<Guards>,
  Delays,
  string,
  Start<Input>
>;

/** A machine that is set up: what is left is its configuration. */
export interface MachineSetup<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string },
  Guards extends string = never,
  Actions extends string = never,
  Delays extends string = never,
> {
  /**
   * Makes an XState machine.
   * @throws ReckonerError `machine.invalid` in XState's words, where it refuses the configuration
   */
  createMachine(
    config: ReasonerConfig<Context, Input, Custom, Guards, Actions, Delays>,
  ): ReasonerMachine<Context, Input>;
}

/** The types of a machine, for {@link setupReasoner}: `types: {} as ReasonerTypes<Context, Input>`. */
export interface ReasonerTypes<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string } = never,
> {
  readonly context: Context;
  readonly input: Input;
  /** Events of the machine's own from outside. */
  readonly events: Custom;
}

/** The argument of a named function. */
interface ChartArgs<Context, Custom extends { readonly type: string }> {
  readonly context: Context;
  readonly event: SeenEvent<Custom>;
}

/** The functions behind a machine's names. */
export interface ReasonerNames<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string },
  Guards extends string,
  Changes extends string,
  Issues extends string,
  Delays extends string,
> {
  readonly types: ReasonerTypes<Context, Input, Custom>;
  /** Tests of a transition; also XState's `and`, `or` and `not` of others. */
  readonly guards?:
    | {
        readonly [Name in Guards]: (args: ChartArgs<Context, Custom>, params: never) => boolean;
      }
    | undefined;
  /** Changes of the context: each returns a part of it, or is a `change` on a draft. */
  readonly changes?:
    | {
        readonly [Name in Changes]: Assigner<Context, SeenEvent<Custom>>;
      }
    | undefined;
  /** Directives to issue. */
  readonly issues?:
    | {
        readonly [Name in Issues]: (
          args: ChartArgs<Context, Custom>,
          params: never,
        ) => Directive | readonly Directive[];
      }
    | undefined;
  /** Delays of `after`, in milliseconds. */
  readonly delays?:
    | {
        readonly [Name in Delays]: number | ((args: ChartArgs<Context, Custom>) => number);
      }
    | undefined;
}

/** Sets up a machine of the house's own: nobody looks what is wrong with its configuration. */
export function setupMachine<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string },
  Guards extends string,
  Changes extends string,
  Issues extends string,
  Delays extends string = never,
>(
  names: ReasonerNames<Context, Input, Custom, Guards, Changes, Issues, Delays>,
): MachineSetup<Context, Input, Custom, Guards, Changes | Issues, Delays> {
  const { guards = {}, delays = {} } = names;
  const actions = actionsOf(names);
  return {
    createMachine: (config) => createMachine(config as never, { actions, guards, delays } as never),
  };
}

/** The actions that a machine's names stand for. */
function actionsOf({
  changes = {},
  issues = {},
}: {
  readonly changes?: object | undefined;
  readonly issues?: object | undefined;
}): object {
  const refusals = new Refusals();
  const actions: Record<string, unknown> = { issue: () => {} };
  const add = (name: string, place: string, implementation: unknown, action: () => object) => {
    if (Object.hasOwn(actions, name)) refusals.add(place, `the name ${name} is taken; rename it`);
    if (typeof implementation === "function") actions[name] = action();
    else refusals.add(place, "must be a function");
  };
  for (const [name, made] of Object.entries(changes)) {
    add(name, `setup.changes.${name}`, made, () =>
      made.type === "xstate.assign" ? made : assign(made),
    );
  }
  for (const [name, directives] of Object.entries(issues)) {
    add(name, `setup.issues.${name}`, directives, () => namedIssue(directives));
  }
  refusals.throwAny("machine.invalid");
  return actions;
}
