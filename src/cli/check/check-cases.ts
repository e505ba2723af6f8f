/** Converts the results of `reckoner check` to JUnit test cases: one for each law. */

import type { JunitCase } from "../terminal/junit.js";
import type { CheckResults } from "./check-results.js";

/** Lists the laws of each search and of each journal, with what breaks them. */
export function checkCases({ check, explore, journals = [] }: CheckResults): readonly JunitCase[] {
  const cases: JunitCase[] = [];
  for (const [suite, report] of [
    ["random runs", check],
    ["all runs within a bound", explore],
  ] as const) {
    if (report === undefined) continue;
    const failures = new Map(report.counterexamples.map(({ law, text }) => [law, text]));
    const names = new Set([...report.laws.map(({ name }) => name), ...failures.keys()]);
    for (const name of names) cases.push(caseOf(suite, name, failures.get(name)));
  }
  for (const each of journals) {
    if ("refused" in each) cases.push(caseOf(each.journal, "can be read", each.refused));
    else {
      const failures = new Map(
        each.breaches.map(({ law, seq, what }) => [law, `event ${seq}: ${what}`]),
      );
      cases.push(caseOf(each.journal, "replays identical", each.diverged));
      for (const { name } of each.laws) {
        const failure = failures.get(name);
        const inPart = failure === undefined && each.diverged !== undefined;
        const skipped = inPart ? { skipped: `judged up to ${each.diverged}` } : {};
        cases.push({ ...caseOf(each.journal, name, failure), ...skipped });
      }
    }
  }
  return cases;
}

function caseOf(suite: string, name: string, failure: string | undefined): JunitCase {
  return { suite, name, ...(failure === undefined ? {} : { failure }) };
}
