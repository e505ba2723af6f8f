/**
 * The status of a run, its input, progress, and what it waits for, from the lines of its journal alone:
 * no code is needed.
 */
import {
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type LineFold,
  OwedTree,
  ROOT_RUN,
} from "../../core/journal/index.js";
import type { JournalPort } from "../ports.js";
import { type RowFacts, type RunRow, rowOf, rowStart, tagsIn } from "./run-row.js";
import { viewOf } from "./view.js";

/** A run in short. */
export interface RunSummary extends RunRow {
  readonly journal: string;
  /** Bytes after the last newline: an interrupted write. */
  readonly torn?: number;
}

/** @throws ReckonerError as `summaryOf` does */
export async function summarize(port: JournalPort): Promise<RunSummary> {
  const view = viewOf(port);
  const header = await view.header();
  const owed = new OwedTree();
  let origin: HeaderLine | undefined;
  let tags: RowFacts["tags"];
  let ended: RowFacts["ended"];
  let last = { seq: -1, at: header.at };
  const told: LineFold = {
    take({ line }) {
      if (isHeaderLine(line)) origin ??= line;
      if (!isEventLine(line)) return;
      last = { seq: line.seq, at: line.event.at };
      if (line.run !== undefined) return;
      ended = line.end?.status ?? ended;
      tags = tagsIn(line.event) ?? tags;
    },
  };
  const torn = await view.readTree(owed, told);
  const outstanding = [...owed.owed].map(([id, each]) => ({ ...each, id }));
  const root = owed.of(ROOT_RUN);
  const row = rowOf(rowStart(header, origin), {
    tags,
    ended,
    last,
    open: outstanding,
    downs: outstanding.flatMap(({ failed }) => failed?.down ?? []),
    deps: root?.deps,
    failure: root?.failure,
    usage: owed.spent,
  });
  return { journal: port.name, ...row, ...(torn === 0 ? {} : { torn }) };
}
