/**
 * `policy`: makes a policy of thoughts from named operations and a function `decide`, which is called at the
 * start and whenever an operation is done, and returns the operations to begin next.
 */

import * as shapes from "../../kernel/shapes.js";
import {
  type Json,
  type JsonObject,
  messageOf,
  ReckonerError,
  sealJson,
} from "../../kernel/values/index.js";
import { checkDefinition } from "../../kernel/vocabulary/index.js";
import type { Entry } from "../context.js";
import { FINITE, NAME, OPERATION_ID, operationSpecFault } from "../operations/check-operation.js";
import type { Operation, OperationKind, OperationSpec } from "../operations/operation.js";
import { describeValue } from "./describe-value.js";
import type { Decided, Policy, Progress } from "./policy.js";

/** The definition of a policy. */
export interface PolicyDefinition<State extends object = JsonObject, Memory = Json> {
  /** For people, in what is said of its faults, and in the fingerprint. */
  readonly name: string;
  /** Its operations, each by the name that a decision says under `use`. */
  readonly operations: { readonly [name: string]: OperationSpec<State> };
  /** Its memory at the start: JSON; a growing part is a Table, a Vector or a List. Default: nothing. */
  readonly memory?: Memory | undefined;
  /**
   * Decides what is begun: at the start (`done` is `null`), and whenever an operation is done. It is
   * pure: what it remembers, it returns.
   */
  decide(progress: Progress<State, Memory>): Decided<Memory>;
  /**
   * The thoughts among which the result is: the best of them. Default: all that are about the whole
   * problem.
   */
  readonly finals?:
    | ((progress: Progress<State, Memory>) => readonly (Entry | string)[])
    | undefined;
  /** The other values that shape it: numbers that `decide` goes by. Part of the fingerprint. */
  readonly configuration?: Json | undefined;
  /** A score at which nothing more is asked. */
  readonly until?: number | undefined;
  /** Budgets where the reasoner says nothing. Default: none. */
  readonly maxNodes?: number | undefined;
  readonly maxDepth?: number | undefined;
}

const parts: shapes.Shapes<PolicyDefinition> = {
  name: NAME,
  operations: shapes.OBJECT,
  memory: shapes.ANYTHING,
  decide: shapes.PURE,
  finals: shapes.PURE,
  configuration: shapes.ANYTHING,
  until: FINITE,
  maxNodes: /* @__PURE__ */ shapes.whole(0),
  maxDepth: /* @__PURE__ */ shapes.whole(0),
};

/**
 * Makes a policy.
 * @throws ReckonerError `thoughts.policy` for what cannot be, by its name
 * @example
 * const one = policy({
 *   name: "one answer",
 *   operations: { answer: generate() },
 *   decide: ({ done }) => (done === null ? [{ use: "answer", on: "root" }] : []),
 * });
 */
export function policy<State extends object = JsonObject, Memory = Json>(
  definition: PolicyDefinition<State, Memory>,
): Policy<State> {
  const required = ["name", "operations", "decide"];
  checkDefinition("thoughts.policy", "policy", definition, parts, required);
  const { name, operations, decide, finals, memory, configuration, until } = definition;
  const refused = (why: string) =>
    new ReckonerError("thoughts.policy", `The policy ${name}: ${why}.`);
  const named = new Map<string, Operation<OperationKind, State>>();
  for (const [use, spec] of Object.entries(operations)) {
    // Beside the name there is a number in an operation's id.
    if (shapes.misfit(use, OPERATION_ID) !== undefined || use.length > 40) {
      throw refused(
        `${use} is not a valid name: up to 40 letters, digits, dots, underscores, hyphens`,
      );
    }
    // The fingerprint is of JSON, which may not have it.
    if (use === "__proto__") throw refused(`${use} is not a valid name: it is the language's own`);
    const fault = operationSpecFault(spec);
    if (fault !== undefined) throw refused(`${use}: ${fault}`);
    if (spec.after !== undefined || spec.id !== undefined) {
      throw refused(
        `${use}: id and after are for plans; a decision says what it takes, under \`on\``,
      );
    }
    named.set(use, { ...spec, id: use, after: [] });
  }
  if (named.size === 0) throw refused("it has no operations");
  try {
    if (memory !== undefined) sealJson(memory, "$.memory");
  } catch (thrown) {
    throw refused(`its memory is not JSON: ${messageOf(thrown)}`);
  }
  const limits = { maxNodes: definition.maxNodes ?? null, maxDepth: definition.maxDepth ?? null };
  const made: Policy<State, Memory> = {
    name,
    configuration: describeValue({
      operations: Object.fromEntries(named),
      own: configuration ?? null,
      until,
      decide,
    }),
    defaults: limits,
    ...(memory === undefined ? {} : { memory }),
    ...(until === undefined ? {} : { until }),
    operations: named,
    decide: (progress) => definition.decide(progress),
    ...(finals === undefined ? {} : { finals: (progress) => finals.call(definition, progress) }),
  };
  // The engine stores the policy's memory without looking at it.
  return made as Policy<State>;
}
