/** The property `check` of a config, for the command line. */
import type { CheckOptions } from "./check.js";
import type { ExploreOptions } from "./explore.js";

/**
 * What `reckoner check` is told, as a config's `check`: laws, and all that random runs and the search of
 * all runs can be told. The flags of the command come before it.
 * @example
 * export default { reasoner: orders, check: { input: "book", laws } satisfies CheckConfig<string, Order> };
 */
export type CheckConfig<Input = unknown, Context = unknown> = Partial<
  Omit<CheckOptions<Input, Context>, "progress"> & Omit<ExploreOptions<Input, Context>, "progress">
>;
