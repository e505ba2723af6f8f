/**
 * Rebuilds a decision graph from the successful writes in a journal, without a store. Nodes of
 * earlier runs that this one has not changed are drawn by their ids only.
 */

import type { Json } from "../../core/kernel/values/index.js";
import type { WriteResult } from "../../decisions/pure/index.js";
import { type JournalPort, viewOf } from "../../runtime/index.js";
import {
  type DrawnDecisions,
  decisionOperations,
  RecordedGraph,
  RecordedSteps,
} from "../../studio/model/index.js";
import { usageError } from "../terminal/failure.js";
import { refusePast } from "./recorded-chart.js";

/** The writes of a journal that are meant. */
export interface RecordedWrites {
  /** Up to this event. */
  readonly at?: number | undefined;
  /** To the store of this name; else to the only one. */
  readonly store?: string | undefined;
  /** The scope, where a store has scopes. */
  readonly scope?: string | undefined;
}

interface Written {
  readonly store: string;
  readonly operations: readonly Json[];
}

/** As much of a settled write as is drawn. */
interface Settled {
  readonly id: string;
  readonly value: Json;
}

/** Reads them. @throws ReckonerError `cli.usage` where it is not clear which store is meant */
export async function recordedDecisions(
  journal: JournalPort,
  { at, store, scope }: RecordedWrites,
): Promise<DrawnDecisions> {
  const steps = new RecordedSteps();
  const asked = new Map<string, Written>();
  const graphs = new Map<string, RecordedGraph>();
  let last: number | undefined;
  for await (const { line } of viewOf(journal).ownLines()) {
    const step = steps.take(line);
    if (step === undefined) continue;
    last = step.seq;
    if (at !== undefined && step.seq > at) break;
    const { event, directives } = step;
    if (event.type === "write.succeeded") {
      const { id, value } = event as Settled;
      const written = asked.get(id);
      const operations =
        written === undefined ? undefined : decisionOperations(written.operations, scope);
      if (written !== undefined && operations !== undefined) {
        const graph = graphs.get(written.store) ?? new RecordedGraph();
        graphs.set(written.store, graph);
        graph.take(operations, value as object as WriteResult);
      }
    }
    for (const { type, id, parts } of directives) {
      if (type === "write" && id !== undefined) asked.set(id, parts as unknown as Written);
    }
  }
  refusePast(at, (last ?? -1) + 1);
  const names = [...graphs.keys()];
  if (store === undefined && names.length > 1) {
    throw usageError(`The run wrote to ${names.join(" and ")}; name one of them with --store.`);
  }
  const graph = graphs.get(store ?? names[0] ?? "");
  if (graph !== undefined) return graph.drawn();
  const where = `${store === undefined ? "" : ` to ${store}`}${scope === undefined ? "" : ` in the scope ${scope}`}`;
  throw usageError(
    `--view decisions needs a run that wrote decisions${where}; this one wrote none.`,
  );
}
