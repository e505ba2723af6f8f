/**
 * `CheckConfig`: the type of the property `check` in a config file, with which `reckoner check` checks a
 * reasoner.
 */
import type { CheckOptions } from "./check.js";
import type { ExploreOptions } from "./explore.js";

/**
 * The options of `reckoner check`, as a config's `check`: laws, and the options of random runs and
 * of the search. Flags of the command take precedence.
 * @example
 * export default { reasoner: orders, check: { input: "book", laws } satisfies CheckConfig<string, Order> };
 */
export type CheckConfig<Input = unknown, Context = unknown> = Partial<
  Omit<CheckOptions<Input, Context>, "progress"> & Omit<ExploreOptions<Input, Context>, "progress">
>;
