/** Validates the settings of the `decisions` plug-in, and fills in defaults. */
import { ReckonerError, toJson } from "../../kernel/index.js";
import type * as shapes from "../../kernel/shapes.js";
import { Fields } from "./fields.js";

/** When the agent sees its goals and decisions: with its first request, or with each. */
export type InjectStrategy = "first_only" | "every_iteration";

/** The settings of the plug-in. */
export interface DecisionsConfig {
  /** The name under which the run was given the store. */
  readonly store: string;
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
export type CompleteDecisionsConfig = Required<shapes.Defined<Omit<DecisionsConfig, "scope">>> &
  Pick<DecisionsConfig, "scope">;

/** The most characters of the context by default. */
export const DEFAULT_BUDGET = 8_000;
/** Less would have no room for what says how much is left out. */
export const LEAST_BUDGET = 200;

const strategies = ["first_only", "every_iteration"] as const;
const known = ["store", "decisionLimit", "autoInject", "injectStrategy", "scope", "budget"];

/**
 * Checks a configuration and fills in what it leaves out.
 * @throws ReckonerError `decisions.config`, with the path of the field (`config.store`) as `place`
 */
export function validateConfig(config: unknown): CompleteDecisionsConfig {
  const fields = new Fields("decisions.config", toJson(config, "config"), "config");
  if (!fields.has("store")) {
    throw new ReckonerError(
      "decisions.config",
      'config.store is required; give the name of a store that the run is given: { store: "decisions" }.',
      { place: "config.store" },
    );
  }
  fields.only(known);
  const most = 2_147_483_647;
  return Object.freeze({
    store: fields.label("store"),
    decisionLimit: fields.optional("decisionLimit", (name) => fields.count(name, 1, most), 5),
    autoInject: fields.optional("autoInject", (name) => fields.flag(name), true),
    injectStrategy: fields.optional(
      "injectStrategy",
      (name) => fields.oneOf(name, strategies),
      strategies[0],
    ),
    budget: fields.optional(
      "budget",
      (name) => fields.count(name, LEAST_BUDGET, most),
      DEFAULT_BUDGET,
    ),
    ...(fields.has("scope") && { scope: fields.id("scope") }),
  });
}
