/** Types of the results of `reckoner check`, which the command prints and writes as JUnit test cases. */
import type { CheckReport, ExploreReport, RecordedReport } from "../../testing/checking/index.js";

/** A journal, and what laws say of it. */
export type JudgedJournal = { readonly journal: string } & (
  | RecordedReport
  | { readonly refused: string }
);

/** All that was looked at. */
export interface CheckResults {
  readonly check?: CheckReport;
  readonly explore?: ExploreReport;
  readonly journals?: readonly JudgedJournal[];
}
