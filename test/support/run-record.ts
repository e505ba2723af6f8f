// A record of a run made of lines as they are.
import type { Line } from "../../src/core/journal/index.js";
import { RunRecord } from "../../src/time-travel/pure/index.js";

export function runRecord(lines: Iterable<Line>): RunRecord {
  const record = new RunRecord();
  for (const line of lines) record.take(line);
  return record;
}
