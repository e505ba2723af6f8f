/** A whole journal compared with the present code: what `replay` does, once it is loaded. */
import type { Reasoner } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { BegunChildren } from "./begun-children.js";
import { Checker, type CheckOptions, type ReplayReport } from "./checker.js";
import { tornNotice } from "./read-journal.js";
import { viewOf } from "./view.js";

export async function checkJournal<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  port: JournalPort,
  options: CheckOptions<Context>,
): Promise<ReplayReport> {
  const checker = new Checker<Input, Output, Context>(reasoners, port, options);
  const children = new BegunChildren();
  const torn = await viewOf(port).read(checker, children);
  const { difference, ...report } = checker.report();
  const missing = await children.missing();
  const whole = {
    ...report,
    missing: missing.map(({ id }) => id),
    notices: [
      ...(torn > 0 ? [tornNotice(torn)] : []),
      ...report.notices,
      ...missing.map(({ notice }) => notice),
    ],
  };
  if (difference === undefined) return { ...whole, status: "identical" };
  return { ...whole, status: "diverged", difference };
}
