/** Exports and imports the decision graph of a store, with the history of its nodes, as JSON lines. */

import type * as shapes from "../../core/kernel/shapes.js";
import { checkArgument, DECISIONS } from "../../runtime/for-adapters.js";
import { exportLines, operationsOf, readExport, type WriteResult } from "../pure/index.js";
import type { Decisions } from "./decisions.js";

/** A text alone would be read letter by letter. */
const LINES: shapes.Shape = [
  (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
  "a list of strings",
];

/** As many as a query may ask for. */
const ALL = { limit: 2_147_483_647 };

/**
 * Exports a graph: the lines, without their newlines. Of a graph that is written to meanwhile it is
 * asked again, until it was read as of one version.
 * @throws ReckonerError `option.invalid`; as a query does
 */
export async function* exportDecisions(
  decisions: Decisions,
): AsyncGenerator<string, void, undefined> {
  checkArgument("What is exported", decisions, DECISIONS);
  for (let before = await decisions.stats(); ; ) {
    const { nodes } = await decisions.nodes({}, ALL);
    const { edges } = await decisions.query({ type: "edges", ...ALL });
    const { changes } = await decisions.query({ type: "history", ...ALL });
    const after = await decisions.stats();
    if (after.seq === before.seq) return yield* exportLines(operationsOf(nodes, edges, changes));
    before = after;
  }
}

/**
 * Imports an export into a store, as one transaction. Importing it twice has no second effect.
 * @param lines the export's, without their newlines
 * @returns null if the export holds nothing
 * @throws ReckonerError `decisions.import` if it is damaged or broke off; as a write does, if the
 * store has what it would add; `option.invalid`. Nothing is written then
 */
export async function importDecisions(
  decisions: Decisions,
  lines: Iterable<string>,
): Promise<WriteResult | null> {
  checkArgument("What is imported into", decisions, DECISIONS);
  checkArgument("The lines of an import", lines, LINES);
  const { operations, digest } = readExport(lines);
  if (operations.length === 0) return null;
  return decisions.write(operations, { idempotencyKey: `import/${digest}` });
}
