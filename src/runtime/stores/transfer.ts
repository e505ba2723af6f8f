/**
 * Export and import over a store: a graph with its whole history as JSON lines. An import is one
 * transaction of the store: it is checked before anything is written, all of it holds or nothing
 * does, and repeating one that was interrupted has no second effect.
 */
import {
  type ExportPosition,
  exportChange,
  exportEnd,
  exportHeader,
  readExport,
  type WriteResult,
} from "../../core/decisions/index.js";
import { shapes } from "../../core/kernel/index.js";
import { checkAllOptions, checkGiven, DECISIONS } from "../running/check-options.js";
import type { Decisions } from "./decisions.js";
import type { DecisionsView } from "./decisions-view.js";

/** A text alone would be read letter by letter. */
const LINES: shapes.Shape = [
  (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
  "a list of texts",
];

/** How much an export reads at a time. */
const PAGE = 100;

/**
 * The lines of an export, without their newlines: the graph as it is when the first is asked for.
 * @param options `after`: where an export that broke off had come, as `ExportReader` says; it goes on
 * behind that line, with what was written since
 */
export async function* exportDecisions(
  decisions: DecisionsView,
  options: { readonly after?: ExportPosition | undefined } = {},
): AsyncGenerator<string, void, undefined> {
  checkGiven("What is exported", decisions, DECISIONS);
  checkAllOptions("exportDecisions", options, { after: shapes.OBJECT });
  const stats = await decisions.stats();
  let position = options.after;
  if (position === undefined) {
    const header = exportHeader();
    yield header.line;
    position = header.position;
  }
  while (position.seq < stats.seq) {
    const limit = Math.min(PAGE, stats.seq - position.seq);
    const { changes } = await decisions.query({ type: "changes", after: position.seq, limit });
    for (const change of changes) {
      const next = exportChange(change, position);
      yield next.line;
      position = next.position;
    }
  }
  yield exportEnd(stats, position);
}

/**
 * Writes an export into a store, as one transaction.
 * @param lines the export's, without their newlines
 * @returns null where the export holds nothing
 * @throws ReckonerError `decisions.import` where it is damaged or broke off; as a write does, where
 * the store holds what it would add; `option.invalid`. Nothing is written then
 */
export async function importDecisions(
  decisions: Decisions,
  lines: Iterable<string>,
): Promise<WriteResult | null> {
  checkGiven("What is imported into", decisions, DECISIONS);
  checkGiven("The lines of an import", lines, LINES);
  const { operations, hash } = readExport(lines);
  if (operations.length === 0) return null;
  return decisions.write(operations, { idempotencyKey: `import/${hash}` });
}
