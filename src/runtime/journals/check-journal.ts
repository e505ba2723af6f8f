/**
 * Compares a whole journal with the present code, and returns the report of `replay`: identical, or the first
 * difference.
 */
import type { Reasoner } from "../../core/kernel/machine/index.js";
import type { JournalPort } from "../ports/ports.js";
import { Checker, type CheckOptions, type ReplayReport } from "./checker.js";
import { tornNotice } from "./read-journal.js";
import { viewOf } from "./view.js";

export async function checkJournal<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  port: JournalPort,
  options: CheckOptions<Context>,
): Promise<ReplayReport> {
  const checker = new Checker<Input, Output, Context>(reasoners, port, options);
  const torn = await viewOf(port).readTree(checker);
  const { difference, ...report } = checker.report();
  const notices = [...(torn > 0 ? [tornNotice(torn)] : []), ...report.notices];
  if (difference === undefined) return { ...report, notices, status: "identical" };
  return { ...report, notices, status: "diverged", difference };
}
