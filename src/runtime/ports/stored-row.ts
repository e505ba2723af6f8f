/**
 * Shortens the row of a run for an index in a file or a database, and gives the shape by which a row that was
 * read back is checked, since somebody else may have written it.
 */
import * as shapes from "../../core/kernel/shapes.js";
import type { RunRow } from "./run-row.js";

/** Characters of JSON that a value of the caller's may have in a row: longer ones are left out. */
const MOST = 16 * 1024;

/** Returns a row without the subjects of approvals and the public data that are long. */
export function storedRow<Row extends RunRow>(row: Row): Row {
  const { data, ...rest }: RunRow = row;
  const approvals = row.approvals.map(({ subject, ...asked }) =>
    subject === undefined || isLong(subject) ? asked : { ...asked, subject },
  );
  const shown = data === undefined || isLong(data) ? {} : { data };
  const stored: RunRow = { ...rest, ...shown, approvals };
  return stored as Row;
}

function isLong(value: unknown): boolean {
  return JSON.stringify(value).length > MOST;
}

const USAGE = { totalTokens: shapes.NUMBER, requests: shapes.NUMBER };
const SAID = /* @__PURE__ */ shapes.open({ message: shapes.TEXT }, "message");
/** The parts that each row has to have. */
const PARTS = {
  runId: shapes.TEXT,
  reasoner: shapes.TEXT,
  status: shapes.TEXT,
  startedAt: shapes.NUMBER,
  lastAt: shapes.NUMBER,
  events: shapes.WHOLE,
  approvals: /* @__PURE__ */ shapes.listOf(
    /* @__PURE__ */ shapes.open({ id: shapes.TEXT, title: shapes.TEXT }, "id", "title"),
  ),
  timers: shapes.WHOLE,
  children: shapes.TEXTS,
  usage: /* @__PURE__ */ shapes.open(USAGE, "totalTokens", "requests"),
};

/** The shape of a row that this process has not made: all that is shown of it is there. */
export const ROW: shapes.Shape = /* @__PURE__ */ shapes.open(
  {
    ...PARTS,
    title: shapes.TEXT,
    words: shapes.TEXT,
    person: shapes.TEXT,
    tags: shapes.TEXTS,
    wakeAt: shapes.NUMBER,
    link: /* @__PURE__ */ shapes.open({ runId: shapes.TEXT }, "runId"),
    modelDown: SAID,
    failure: SAID,
  },
  .../* @__PURE__ */ Object.keys(PARTS),
);
