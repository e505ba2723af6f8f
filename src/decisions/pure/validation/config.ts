/** Validates the settings of the `decisions` plug-in, and fills in defaults. */

import type * as shapes from "../../../core/kernel/shapes.js";
import { toJson } from "../../../core/kernel/values/index.js";
import { DEFAULT_SHOWN } from "../vocabulary/query.js";
import { count, FLAG, ID, LABEL, oneOf, optional, record } from "./fields.js";

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

const CONFIG = /* @__PURE__ */ record<DecisionsConfig>({
  store: optional(LABEL),
  decisionLimit: optional(count(1, MOST), DEFAULT_SHOWN),
  autoInject: optional(FLAG, true),
  injectStrategy: optional(oneOf(["first_only", "every_iteration"]), "first_only"),
  budget: optional(count(LEAST_BUDGET, MOST), DEFAULT_BUDGET),
  scope: optional(ID),
});

/**
 * Checks a configuration and fills in what it leaves out.
 * @throws ReckonerError `decisions.config`, with the path of the field (`config.store`) as `place`
 */
export function validateConfig(config: unknown): CompleteDecisionsConfig {
  const value = toJson(config, "config");
  const checked = CONFIG({ value, path: "config", code: "decisions.config" });
  return Object.freeze(checked) as CompleteDecisionsConfig;
}
