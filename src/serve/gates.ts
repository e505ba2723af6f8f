/** Gates: of calls at once to each model, over all runs of a process. Who came first begins first. */
import type { Attempt } from "../core/driver/index.js";
import { listsOf, type ModelOption, Slots } from "../runtime/for-hosts.js";

/** The calls at once of each model, by the name by which calls ask it, or by that of its port. */
export type ModelLimits = { readonly [model: string]: number };

/** See the banner. */
export class ModelGates {
  readonly #gates: ReadonlyMap<string, Slots>;
  /** The only model that calls ask without naming it. */
  readonly #only: string | undefined;

  constructor(limits: ModelLimits, model: ModelOption | undefined) {
    this.#gates = new Map(Object.entries(limits).map(([name, calls]) => [name, new Slots(calls)]));
    const ports = listsOf(model).flat();
    this.#only = ports.length === 1 ? ports[0]?.name : undefined;
  }

  /** Returns the gate in front of an attempt, where there is one. */
  of({ directive, model }: Attempt): Slots | undefined {
    if (directive.type !== "llm") return undefined;
    const names = [model, directive.model, this.#only];
    for (const name of names) {
      const gate = name === undefined ? undefined : this.#gates.get(name);
      if (gate !== undefined) return gate;
    }
    return undefined;
  }
}
