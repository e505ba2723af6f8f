/** A whole journal compared with the present code: what `replay` does, once it is loaded. */
import { headerIn, type ReplayedStep } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { BegunChildren } from "./begun-children.js";
import { type ReplayReport, SegmentChecker } from "./check-segments.js";
import { readHistoryPieces } from "./history.js";
import { tornNotice } from "./read-journal.js";

export async function checkWhole<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  port: JournalPort,
  onStep: ((step: ReplayedStep<Context>) => void) | undefined,
): Promise<ReplayReport> {
  const checker = new SegmentChecker<Input, Output, Context>(reasoners, port, onStep);
  const torn: string[] = [];
  const children = new BegunChildren();
  reading: for await (const lines of readHistoryPieces(port, (bytes) => {
    torn.push(tornNotice(bytes));
  })) {
    for (const line of lines) {
      const header = headerIn(line);
      children.take(line);
      if (header !== undefined) await checker.begin(header, line.port);
      else if (!checker.take(line)) break reading;
    }
  }
  const report = await checker.report();
  const missing = await children.missing();
  return {
    ...report,
    missing: missing.map(({ id }) => id),
    notices: [...torn, ...report.notices, ...missing.map(({ notice }) => notice)],
  };
}
