/** Validates the settings of the `decisions` plug-in, and fills in defaults. */

import * as shapes from "../../../core/kernel/shapes.js";
import { toJson } from "../../../core/kernel/values/index.js";
import { DEFAULT_SHOWN } from "../vocabulary/query.js";
import { checkShape, count, ID, LABEL } from "./fields.js";

/** When the agent sees its goals and decisions: with its first request, or with each. */
export type InjectStrategy = "first_only" | "every_iteration";

/** The settings of the plug-in. */
export interface DecisionsConfig {
  /** The name under which the run was given the store. Without one the plug-in warns, and tracks nothing. */
  readonly store?: string | undefined;
  /** The number of recent decisions that the agent is shown. Default 5. */
  readonly decisionLimit?: number | undefined;
  /** Shows the agent its goals and decisions. Default true. */
  readonly autoInject?: boolean | undefined;
  /** Default `first_only`. */
  readonly injectStrategy?: InjectStrategy | undefined;
  /** The scope, if the store was opened with scopes. */
  readonly scope?: string | undefined;
  /** The most characters that the agent is shown. Default {@link DEFAULT_BUDGET}. */
  readonly budget?: number | undefined;
}

/** The same with its defaults. */
export type CompleteDecisionsConfig = Required<
  shapes.Defined<Omit<DecisionsConfig, "store" | "scope">>
> &
  Pick<DecisionsConfig, "store" | "scope">;

/** The most characters of the context by default. */
export const DEFAULT_BUDGET = 8_000;
/** Less would have no room for what says how much is left out. */
export const LEAST_BUDGET = 200;

const MOST = 2_147_483_647;

const parts: shapes.Shapes<DecisionsConfig> = {
  store: LABEL,
  decisionLimit: /* @__PURE__ */ count(1, MOST),
  autoInject: shapes.FLAG,
  injectStrategy: /* @__PURE__ */ shapes.oneOf("first_only", "every_iteration"),
  budget: /* @__PURE__ */ count(LEAST_BUDGET, MOST),
  scope: ID,
};
const CONFIG = /* @__PURE__ */ shapes.optionsOf(parts);

const defaults = {
  decisionLimit: DEFAULT_SHOWN,
  autoInject: true,
  injectStrategy: "first_only",
  budget: DEFAULT_BUDGET,
} as const;

/**
 * Checks a configuration and fills in what it leaves out.
 * @throws ReckonerError `decisions.config`, with the path of the field (`config.store`) as `place`
 */
export function validateConfig(config: unknown): CompleteDecisionsConfig {
  const value = toJson(config, "config");
  checkShape(value, CONFIG, "config", "decisions.config");
  return Object.freeze({ ...defaults, ...(value as object) });
}
