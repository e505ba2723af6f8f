/**
 * `setupReasoner`: XState's `setup` for reasoners, with `createReasoner`, which makes a reasoner of a
 * machine's configuration.
 */
import type { AnyStateMachine, MachineContext } from "xstate";
import { messageOf, ReckonerError } from "../values/errors.js";
import { checkDefinition } from "../vocabulary/check-shape.js";
import { ANYTHING, OBJECT, type Shapes } from "../vocabulary/shapes.js";
import { defineReasoner } from "./define-reasoner.js";
import type { Reasoner, ReasonerDefinition } from "./reasoner.js";
import {
  type MachineSetup,
  type ReasonerConfig,
  type ReasonerNames,
  setupMachine,
} from "./setup.js";

/** The result of {@link setupReasoner}. */
export interface ReasonerSetup<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string },
  Guards extends string = never,
  Actions extends string = never,
  Delays extends string = never,
> extends MachineSetup<Context, Input, Custom, Guards, Actions, Delays> {
  /**
   * Makes a reasoner: what `defineReasoner` takes, with the machine's configuration in place of the machine.
   * @throws ReckonerError as `createMachine` and `defineReasoner` do
   */
  createReasoner<Output = unknown>(
    definition: Omit<ReasonerDefinition<Input, Output, Context>, "machine"> & {
      readonly machine: ReasonerConfig<Context, Input, Custom, Guards, Actions, Delays>;
    },
  ): Reasoner<Input, Output, Context>;
}

/**
 * Sets up a machine for a context, an input and, if it has any, events of its own from outside.
 * @throws ReckonerError `machine.invalid` for a part that is misspelt, or two things of one name
 * @example
 * const { createReasoner } = setupReasoner<{ answer: string }, string>();
 * @example
 * const { createReasoner } = setupReasoner({
 *   types: {} as ReasonerTypes<{ tries: number }, string>,
 *   guards: { mayTry: ({ context }) => context.tries < 3 },
 *   changes: { count: change((draft) => { draft.tries += 1; }) },
 *   issues: { wait: ({ context, event }) => ({ type: "timer", id: `t/${context.tries}`, until: event.at }) },
 * });
 */
export function setupReasoner<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string } = never,
>(): ReasonerSetup<Context, Input, Custom>;
export function setupReasoner<
  Context extends MachineContext,
  Input,
  Custom extends { readonly type: string } = never,
  Guards extends string = never,
  Changes extends string = never,
  Issues extends string = never,
  Delays extends string = never,
>(
  names: ReasonerNames<Context, Input, Custom, Guards, Changes, Issues, Delays>,
): ReasonerSetup<Context, Input, Custom, Guards, Changes | Issues, Delays>;
export function setupReasoner(names: LooseNames = {}): LooseSetup {
  checkDefinition("machine.invalid", "setupReasoner", names, parts);
  const own = setupMachine(names as never) as LooseSetup;
  const createMachine = (config: object) => {
    try {
      return own.createMachine(config);
    } catch (cause) {
      const words = messageOf(cause)
        .replace(/\s*\n\s*/g, " ")
        .replace(/[^.?]$/, "$&.");
      const message = `XState refuses the machine: ${words}`;
      throw new ReckonerError("machine.invalid", message, { cause, place: "machine" });
    }
  };
  return {
    createMachine,
    createReasoner(definition) {
      checkDefinition("machine.invalid", "createReasoner", definition);
      return defineReasoner({ ...definition, machine: createMachine(definition.machine) });
    },
  };
}

interface LooseDefinition extends Omit<ReasonerDefinition<unknown, unknown, unknown>, "machine"> {
  readonly machine: object;
}

interface LooseSetup {
  createMachine(config: object): AnyStateMachine;
  createReasoner(definition: LooseDefinition): Reasoner;
}

interface LooseNames {
  readonly types?: object;
  readonly guards?: object | undefined;
  readonly changes?: object | undefined;
  readonly issues?: object | undefined;
  readonly delays?: object | undefined;
}

const parts: Shapes<LooseNames> = {
  types: ANYTHING,
  guards: OBJECT,
  changes: OBJECT,
  issues: OBJECT,
  delays: OBJECT,
};
