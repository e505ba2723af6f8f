/**
 * Exports and imports the graph of a store, with its whole history, as JSON lines. An import is
 * validated first and is one transaction; repeating it has no second effect.
 */
import {
  type ExportPosition,
  exportChange,
  exportEnd,
  exportHeader,
  readExport,
  type WriteResult,
} from "../../core/decisions/index.js";
import { ReckonerError } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { checkAllOptions, checkGiven, DECISIONS } from "../running/check-options.js";
import type { Decisions } from "./decisions.js";

/** A text alone would be read letter by letter. */
const LINES: shapes.Shape = [
  (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
  "a list of strings",
];

/** Where an export had come, as an `ExportReader` says it: anything else would make of the rest no export. */
const POSITION: shapes.Shape = shapes.exactly({
  hash: [
    (value) => typeof value === "string" && /^[\w-]{43}$/.test(value),
    "the hash of a line, of 43 letters",
  ],
  seq: shapes.whole(0),
});

/** The past has no log of its own: a view of it is no graph whose history could be written out. */
const OF_NOW: shapes.Shape = [
  shapes.hasMethods("query", "stats", "write"),
  "decisions of a store: new Decisions(store), and no view of the past",
];

/** How much an export reads at a time. */
const PAGE = 100;

/**
 * The lines of an export, without their newlines: the graph as it is when the first is asked for.
 * @param options `after`: where an export that broke off had come, as `ExportReader` says; it goes on
 * behind that line, with what was written since
 * @throws ReckonerError `option.invalid` where `after` is no position in this graph's export
 */
export async function* exportDecisions(
  decisions: Decisions,
  options: { readonly after?: ExportPosition | undefined } = {},
): AsyncGenerator<string, void, undefined> {
  checkGiven("What is exported", decisions, OF_NOW);
  checkAllOptions("exportDecisions", options, { after: POSITION });
  const stats = await decisions.stats();
  const { seq: before = 0 } = options.after ?? {};
  if (before > stats.seq) {
    throw new ReckonerError(
      "option.invalid",
      `after.seq is ${before}, past the last change, ${stats.seq}; give the position of an export of this graph.`,
      { place: "after" },
    );
  }
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
