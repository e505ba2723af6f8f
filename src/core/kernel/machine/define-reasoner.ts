/** `defineReasoner`: makes a reasoner of a user's machine, which is inspected first. */
import type { AnyStateMachine } from "xstate";
import { ReckonerError } from "../values/errors.js";
import { checkDefinition, partFault } from "../vocabulary/check-shape.js";
import { ANYTHING, OBJECT, PURE, type Shapes, whole } from "../vocabulary/shapes.js";
import { inspectMachine } from "./inspect-machine.js";
import { makeReasoner, type Reasoner, type ReasonerDefinition } from "./reasoner.js";

const parts: Shapes<ReasonerDefinition<never, never, never>> = {
  id: ANYTHING,
  version: /* @__PURE__ */ whole(0),
  migrations: ANYTHING,
  adopt: PURE,
  machine: ANYTHING,
  tools: OBJECT,
  children: ANYTHING,
  output: PURE,
  interim: PURE,
  error: PURE,
  failure: PURE,
  describe: PURE,
  finishReason: PURE,
  refusal: PURE,
  prepare: PURE,
  configuration: ANYTHING,
  path: ANYTHING,
};

/**
 * Makes a reasoner of a machine.
 * @throws ReckonerError `machine.unsupported` with all that the machine uses and a reasoner cannot
 * have, each with its place and how to write it instead; `machine.invalid` for a definition
 * that cannot be; `tool.invalid` where a child is not a reasoner, or two have one name
 */
export function defineReasoner<Input, Output = unknown, Context = unknown>(
  definition: ReasonerDefinition<Input, Output, Context>,
): Reasoner<Input, Output, Context> {
  checkDefinition("machine.invalid", "defineReasoner", definition);
  const { id, machine } = definition;
  const invalid = (what: string) =>
    new ReckonerError("machine.invalid", `defineReasoner: ${what}.`, { place: "machine" });
  const fault = partFault(definition, parts);
  if (fault !== undefined) throw invalid(fault);
  if (typeof id !== "string" || id === "") throw invalid("id must be a string");
  // Perhaps of another copy of XState, so that it is no instance of this one's class.
  if (typeof (machine as AnyStateMachine | undefined)?.root !== "object") {
    throw invalid("machine must be what createMachine gives");
  }
  inspectMachine(machine);
  return makeReasoner(definition);
}
