/** `thoughts`: makes a reasoner, the Graph of Thoughts, of a policy, prompts and budgets. */
import {
  checkDefinition,
  type JsonObject,
  type LlmSettings,
  type Migrations,
  type ModelPrice,
  makeReasoner,
  type Parts,
  type Prices,
  priceFault,
  pricesFault,
  type Reasoner,
  ReckonerError,
} from "../kernel/index.js";
import * as shapes from "../kernel/shapes.js";
import { adopt } from "./adopt.js";
import { priceOf } from "./budget.js";
import type { ThoughtsContext, ThoughtsInput, ThoughtsResult } from "./context.js";
import type { Better } from "./graph/walk.js";
import { thoughtsMachine } from "./machine.js";
import { FINITE, NAME } from "./operations/check-operation.js";
import type { Scorer, Validator } from "./operations/functions.js";
import { kindOf } from "./operations/index.js";
import type { Operation } from "./operations/operation.js";
import type { Policy } from "./policies/policy.js";
import { defaultPrompts } from "./prompts/prompts.js";
import type { Prompts, ThoughtsSpec } from "./spec.js";

/**
 * The definition of a reasoner of thoughts.
 * @typeParam State the task's state: the input, and what parsers lay over it
 */
export interface ThoughtsDefinition<State extends object = JsonObject> {
  /** Default "thoughts". Two names are two reasoners: a journal of one is refused by the other. */
  readonly name?: string | undefined;
  /** A whole number of your own, raised when you change what a recorded run means. Default 1. */
  readonly version?: number | undefined;
  /** Contexts of earlier versions as ones of later, by the version that each leads to. */
  readonly migrations?: Migrations | undefined;
  /**
   * The policy that decides the next operations: `beamSearch(…)`, `plan([…])`, one of `plans`, or one's
   * own by `policy(…)`.
   */
  readonly policy: Policy<State>;
  /** Prompts in place of the default ones. */
  readonly prompts?: shapes.Options<Partial<Prompts<State>>> | undefined;
  /** Scores thoughts wherever an operation says nothing else. Default: the model does. */
  readonly scorer?: Scorer<State> | undefined;
  /**
   * Returns true when a thought is an answer to the whole problem, not to a part of it. Default: by how
   * it was made (see `splits`, and the merges of a plan).
   */
  readonly whole?: Validator<State> | undefined;
  /** The direction of good scores: low ones where they count errors, say. Default "higher". */
  readonly better?: Better | undefined;
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string | undefined;
  readonly settings?: LlmSettings | undefined;
  /**
   * True when scores and verdicts are asked for as JSON of a schema, where the default prompts are used;
   * a model that cannot is asked for a text. Default true.
   */
  readonly structured?: boolean | undefined;
  /** The prices of models, by their name in `model` or by its beginning. */
  readonly prices?: Prices | undefined;
  /** The price of a model that `prices` does not name. */
  readonly price?: ModelPrice | undefined;
  /**
   * The number of times that a model call that failed is asked for again before its branch is dropped.
   * Default 1.
   */
  readonly retries?: number | undefined;
  /** Thoughts in the graph, the root included. Default: the policy's; 20 for `beamSearch`. */
  readonly maxNodes?: number | undefined;
  /** Default: the policy's; 5 for `beamSearch`. */
  readonly maxDepth?: number | undefined;
  /** Tokens; no call begins that would pass them. Default: no limit. */
  readonly tokens?: number | undefined;
  /** Money, in billionths of the prices' currency; no call begins that would pass it. Default: no limit. */
  readonly costBudget?: number | undefined;
  /** Model calls. Default: no limit. */
  readonly modelCalls?: number | undefined;
  /** Milliseconds from the start. Default: no limit. */
  readonly deadlineMs?: number | undefined;
}

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
  const spec = specOf(definition as unknown as ThoughtsDefinition);
  const { policy, prompts: _prompts, scorer, whole, ...rest } = spec;
  return makeReasoner<ThoughtsInput, ThoughtsResult, ThoughtsContext>({
    id: spec.name,
    version: definition.version ?? 1,
    ...(definition.migrations === undefined ? {} : { migrations: definition.migrations }),
    adopt: (context, over) => adopt(spec, context, over),
    machine: () => thoughtsMachine(spec),
    output: (context) => context.result ?? undefined,
    error: (context) => context.error ?? undefined,
    configuration: {
      machine: MACHINE_VERSION,
      ...rest,
      policy: [policy.name, policy.configuration],
      scorer: scorer?.name,
      whole: whole?.name,
    },
  }) as unknown as Thoughts<State>;
}

/** The version of the chart and its context: raised when a recorded event means something else. */
const MACHINE_VERSION = 3;

const POLICIES = "beamSearch(), plan([…]), one of plans, or policy({…})";
const policyNeeds = ["name", "defaults", "operation", "decide"];
const policyParts: Parts<Policy> = {
  name: NAME,
  configuration: true,
  defaults: shapes.OBJECT,
  memory: true,
  until: FINITE,
  names: shapes.TEXTS,
  fixed: shapes.FLAG,
  operation: shapes.FUNCTION,
  decide: shapes.FUNCTION,
  finals: shapes.FUNCTION,
  whole: shapes.FUNCTION,
};
const parts: Parts<ThoughtsDefinition> = {
  name: NAME,
  version: /* @__PURE__ */ shapes.whole(0),
  migrations: true,
  policy: [shapes.OBJECT[0], `a policy: ${POLICIES}`],
  prompts: /* @__PURE__ */ shapes.optionsOf(
    Object.fromEntries(Object.keys(defaultPrompts).map((name) => [name, shapes.PURE])),
  ),
  scorer: shapes.PURE,
  whole: shapes.PURE,
  better: /* @__PURE__ */ shapes.oneOf("higher", "lower"),
  model: NAME,
  settings: shapes.SETTINGS,
  structured: shapes.FLAG,
  prices: true,
  price: true,
  retries: /* @__PURE__ */ shapes.whole(0),
  maxNodes: /* @__PURE__ */ shapes.whole(1),
  maxDepth: /* @__PURE__ */ shapes.whole(0),
  tokens: /* @__PURE__ */ shapes.whole(0),
  costBudget: /* @__PURE__ */ shapes.whole(0),
  modelCalls: /* @__PURE__ */ shapes.whole(0),
  deadlineMs: /* @__PURE__ */ shapes.whole(0),
};

/** The values of what a definition leaves out; those of `maxNodes` and `maxDepth` are the policy's. */
const defaults = {
  name: "thoughts",
  scorer: undefined,
  whole: undefined,
  better: "higher",
  model: undefined,
  settings: undefined,
  structured: true,
  price: undefined,
  prices: undefined,
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
  checkDefinition("thoughts.invalid", "thoughts: the policy", policy, policyParts, policyNeeds);
  const unpriced = price === undefined ? undefined : priceFault(price);
  if (unpriced !== undefined) throw invalid(`price ${unpriced}`);
  const pricing = prices === undefined ? undefined : pricesFault(prices);
  if (pricing !== undefined) throw invalid(pricing);
  const replaced = shapes.given(prompts);
  const { version: _version, migrations: _migrations, ...given } = shapes.given(definition);
  const spec: ThoughtsSpec = {
    ...defaults,
    maxNodes: policy.defaults.maxNodes,
    maxDepth: policy.defaults.maxDepth,
    ...given,
    prompts: { ...defaultPrompts, ...replaced },
    replaced: Object.keys(replaced).sort(),
  };
  if (spec.costBudget !== null) checkPrices(spec);
  return spec;
}

/** A budget of money needs to know what each call costs. */
function checkPrices(spec: ThoughtsSpec): void {
  for (const name of spec.policy.names ?? []) {
    const operation = spec.policy.operation(name);
    if (operation === undefined || priceOf(spec, operation) !== undefined) continue;
    if (!mayAsk(spec, operation)) continue;
    const model = ("model" in operation ? operation.model : undefined) ?? spec.model;
    throw invalid(
      `costBudget needs to know what ${model ?? "the model"} costs, which ${name} asks: give price or prices`,
    );
  }
}

/** Returns true when an operation may ask a model, if only to improve what a function refused. */
function mayAsk(spec: ThoughtsSpec, operation: Operation): boolean {
  if (kindOf(operation.kind).asks({ spec }, operation)) return true;
  return operation.kind === "validate" && operation.improve !== false && operation.tries !== 0;
}

function invalid(why: string): ReckonerError {
  return new ReckonerError("thoughts.invalid", `thoughts: ${why}.`);
}
