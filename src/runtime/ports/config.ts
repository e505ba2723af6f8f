/**
 * `defineConfig`: the type of a config file. It is here so that the root entry exports it; it must
 * not know how a config is loaded.
 */

import type { Reasoner, RunStatus } from "../../core/kernel/machine/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import type { Models } from "./models.js";
import type { RunOptions } from "./options.js";
import type { ModelPort } from "./ports.js";

/** A model port, `models([…])`, or PROVIDER:MODEL for the command line to resolve: `openai:gpt-4o-mini`. */
export type ConfigModel = ModelPort | Models | string;

/** The outcome of a run. */
export interface Outcome {
  readonly status: RunStatus;
  readonly output?: Json;
  /** How many model calls it took. */
  readonly requests: number;
  /** The state that it came to, by its name in the chart. */
  readonly state?: string;
  /** How many tool calls it made. */
  readonly calls: number;
  /** Money, in US dollars; absent where the machine counts none, and of a recorded run. */
  readonly cost?: number;
}

/** A reasoner with the options of its runs. */
export interface RunConfig<Input = unknown, Output = unknown, Context = unknown> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  /** The model, or several by the names that directives use. `--model` replaces it. */
  readonly model?: ConfigModel | { readonly [name: string]: ConfigModel } | undefined;
  /** Live handles for tools; never journalled. */
  readonly services?: unknown;
  /** The input of a run, if the command line gives none. */
  readonly input?: Input | undefined;
  /** How good an outcome is, for `redrive`: the more the better. */
  readonly score?: ((outcome: Outcome) => number) | undefined;
  /** The options of `reckoner check`: a `CheckConfig` of `reckoner/testing`, with your own laws. */
  readonly check?: object | undefined;
  /** All other options of `run`. */
  readonly options?:
    | Omit<RunOptions, "model" | "services" | "journal" | "config" | "signal">
    | undefined;
}

/** The default export of a configuration file. */
export type Config<Input = unknown, Output = unknown, Context = unknown> =
  | Reasoner<Input, Output, Context>
  | RunConfig<Input, Output, Context>;

/**
 * Types a configuration: `export default defineConfig({ reasoner, model: "openai:gpt-4o-mini" })`.
 * @returns what it is given
 */
export function defineConfig<Input, Output, Context>(
  config: Config<Input, Output, Context>,
): Config<Input, Output, Context> {
  return config;
}
