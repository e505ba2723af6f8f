/** What effects need of the interpreter, and what they give back. */
import type { StartMark } from "../core/journal/index.js";
import type { Settlement, ToolRegistry } from "../core/kernel/index.js";
import type { Observation } from "./observation.js";
import type { HostOptions } from "./options.js";
import type { Clock, Delta } from "./ports.js";

type WithoutAt<T> = T extends unknown ? Omit<T, "at"> : never;
/** A settlement before the interpreter stamps it with the time. */
export type Settling = WithoutAt<Settlement>;

/** What effects need of the interpreter. */
export interface EffectHost {
  readonly runId: string;
  readonly tools: ToolRegistry;
  readonly options: HostOptions;
  readonly clock: Clock;
  observe(observation: Observation): void;
  delta(id: string, delta: Delta): void;
  /** Resolves when the mark is durable. */
  mark(mark: StartMark): Promise<void>;
}
