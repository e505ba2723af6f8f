/**
 * Makes the row of a run (status, title, usage, what it waits for) by reading its journal, without its code: the
 * result of `summaryOf`. `live-row.ts` keeps the same row of a run that is live.
 */
import {
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type LineFold,
  OwedTree,
} from "../../core/journal/index.js";
import type { JournalPort } from "../ports/ports.js";
import { type RowFacts, type RunRow, rowOf, rowStart, tagsIn, titleIn } from "../ports/run-row.js";
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
  let says: RowFacts["says"];
  let title: RowFacts["title"];
  let tags: RowFacts["tags"];
  let ended: RowFacts["ended"];
  let last = { seq: -1, at: header.at };
  const rowFold: LineFold = {
    take({ line }) {
      if (isHeaderLine(line)) origin ??= line;
      if (!isEventLine(line)) return;
      last = { seq: line.seq, at: line.event.at };
      if (line.run !== undefined) return;
      ended = line.end?.status ?? ended;
      says = line.says ?? says;
      if (line.ignored === undefined) title ??= titleIn(line.event);
      tags = tagsIn(line.event) ?? tags;
    },
  };
  const torn = await view.readTree(owed, rowFold);
  const open = [...owed.owed].map(([id, each]) => ({ ...each, id }));
  const row = rowOf(rowStart(header, origin), {
    says,
    title,
    tags,
    ended,
    last,
    open,
    downs: open.flatMap(({ failed }) => failed?.down ?? []),
    usage: owed.spent,
  });
  return { journal: port.name, ...row, ...(torn === 0 ? {} : { torn }) };
}
