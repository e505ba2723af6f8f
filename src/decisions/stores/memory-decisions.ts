/** `memoryDecisions`: a decision store in memory, for tests and short runs. */

import * as shapes from "../../core/kernel/shapes.js";
import { asJson } from "../../core/kernel/values/index.js";
import { checkAllOptions, type StorePort } from "../../runtime/for-adapters.js";
import { checkKey, checkOperations, checkQuery, DecisionGraph } from "../pure/index.js";

/** Options of a store in memory. */
export interface MemoryDecisionsOptions {
  /** For people; default "memory". */
  readonly name?: string | undefined;
  /** Every query and operation names a scope. Default false: the store has one graph. */
  readonly scoped?: boolean | undefined;
}

const OPTIONS: shapes.Shapes<MemoryDecisionsOptions> = { name: shapes.TEXT, scoped: shapes.FLAG };

/**
 * A store of decisions in memory, which holds nothing yet.
 * @throws ReckonerError `option.invalid`
 */
export function memoryDecisions(options: MemoryDecisionsOptions = {}): StorePort {
  checkAllOptions("memoryDecisions", options, OPTIONS);
  const { name = "memory", scoped = false } = options;
  const graphs = new Map<string, DecisionGraph>();
  return {
    name,
    async read(query, { signal }) {
      signal.throwIfAborted();
      const checked = checkQuery(query, { scoped });
      const graph = graphs.get(checked.scope) ?? new DecisionGraph();
      return asJson(graph.answer(checked.query));
    },
    async write(operations, { signal, idempotencyKey }) {
      signal.throwIfAborted();
      const checked = checkOperations(operations, { scoped });
      const key = checkKey(idempotencyKey);
      const graph = graphs.get(checked.scope) ?? new DecisionGraph();
      const result = graph.commit(checked, key);
      graphs.set(checked.scope, graph);
      return asJson(result);
    },
  };
}
