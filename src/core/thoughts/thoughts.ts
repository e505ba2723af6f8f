/** `thoughts`: makes a reasoner, the Graph of Thoughts, of a policy, prompts and budgets. */

import { makeReasoner, type Reasoner } from "../kernel/machine/index.js";
import * as shapes from "../kernel/shapes.js";
import { type JsonObject, ReckonerError } from "../kernel/values/index.js";
import { billionthsOf, checkDefinition, PRICE, PRICES } from "../kernel/vocabulary/index.js";
import { adopt } from "./adopt.js";
import type { ThoughtsContext, ThoughtsInput, ThoughtsResult } from "./context.js";
import { thoughtsMachine } from "./machine.js";
import { NAME } from "./operations/check-operation.js";
import { defaultPrompts } from "./prompts/prompts.js";
import type { ThoughtsDefinition, ThoughtsSpec } from "./spec.js";

/** A reasoner of thoughts. Its output is the best thought, and why the run ended. */
export type Thoughts<State extends object = JsonObject> = Reasoner<
  ThoughtsInput<State>,
  ThoughtsResult<State>,
  ThoughtsContext<State>
>;

/**
 * Makes a reasoner of thoughts.
 * @throws ReckonerError `thoughts.invalid` for what cannot be, by its name
 */
export function thoughts<State extends object = JsonObject>(
  definition: ThoughtsDefinition<State>,
): Thoughts<State> {
  // The engine knows states as JSON; what is in them only the task's own functions know.
  const spec = specOf(definition as ThoughtsDefinition);
  const { policy, prompts: _prompts, whole, ...rest } = spec;
  return makeReasoner<ThoughtsInput, ThoughtsResult, ThoughtsContext>({
    id: spec.name,
    version: definition.version ?? 1,
    ...(definition.migrations === undefined ? {} : { migrations: definition.migrations }),
    adopt: (context, over) => adopt(spec, context, over),
    machine: () => thoughtsMachine(spec),
    chart: `thoughts/${MACHINE_VERSION}`,
    output: (context) => context.result ?? undefined,
    error: (context) => context.error ?? undefined,
    configuration: {
      machine: MACHINE_VERSION,
      ...rest,
      policy: [policy.name, policy.configuration],
      whole: whole?.name,
    },
  }) as Thoughts<State>;
}

/** The version of the chart and its context: raised when a recorded event means something else. */
const MACHINE_VERSION = 4;

const POLICIES = "beamSearch(), plan([…]), one of plans, or policy({…})";
const parts: shapes.Shapes<ThoughtsDefinition> = {
  name: NAME,
  version: /* @__PURE__ */ shapes.whole(0),
  migrations: shapes.ANYTHING,
  // Its parts were checked where it was made.
  policy: [
    (value) => shapes.hasMethods("decide")(value) && shapes.hasParts("operations")(value),
    `a policy: ${POLICIES}`,
  ],
  prompts: /* @__PURE__ */ shapes.optionsOf(
    Object.fromEntries(Object.keys(defaultPrompts).map((name) => [name, shapes.PURE])),
  ),
  whole: shapes.PURE,
  better: /* @__PURE__ */ shapes.oneOf("higher", "lower"),
  model: NAME,
  settings: shapes.SETTINGS,
  structured: shapes.FLAG,
  prices: PRICES,
  price: PRICE,
  retries: /* @__PURE__ */ shapes.whole(0),
  maxNodes: /* @__PURE__ */ shapes.whole(1),
  maxDepth: /* @__PURE__ */ shapes.whole(0),
  tokens: /* @__PURE__ */ shapes.whole(0),
  costBudget: /* @__PURE__ */ shapes.atLeast(0),
  modelCalls: /* @__PURE__ */ shapes.whole(0),
  deadlineMs: /* @__PURE__ */ shapes.whole(0),
};

/** The values of what a definition leaves out; those of `maxNodes` and `maxDepth` are the policy's. */
const defaults = {
  name: "thoughts",
  better: "higher",
  structured: true,
  retries: 1,
  tokens: null,
  costBudget: null,
  modelCalls: null,
  deadlineMs: null,
} as const;

/** The definition with its defaults filled in, and everything in it checked. */
function specOf(definition: ThoughtsDefinition): ThoughtsSpec {
  checkDefinition("thoughts.invalid", "thoughts", definition, parts, ["policy"]);
  const { policy, prices, price, prompts = {} } = definition;
  const replaced = shapes.defined(prompts);
  const { version: _version, migrations: _migrations, ...options } = shapes.defined(definition);
  const spec: ThoughtsSpec = {
    ...defaults,
    maxNodes: policy.defaults.maxNodes,
    maxDepth: policy.defaults.maxDepth,
    ...options,
    prompts: { ...defaultPrompts, ...replaced },
    costBudget: definition.costBudget === undefined ? null : billionthsOf(definition.costBudget),
    replaced: Object.keys(replaced).sort(),
  };
  // Of a model that they do not name it is said when it would be asked.
  if (spec.costBudget !== null && price === undefined && prices === undefined) {
    throw invalid("costBudget needs to know what models cost: give price or prices");
  }
  return spec;
}

function invalid(why: string): ReckonerError {
  return new ReckonerError("thoughts.invalid", `thoughts: ${why}.`);
}
