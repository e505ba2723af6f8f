/** Writes reports of a replay as JUnit XML. */
import { describeDifference } from "../core/journal/index.js";
import type { ReplayedJournal } from "./replay-one.js";
import { slice } from "./truncate.js";

/** Longer texts are cut: the JSON has all of it. */
const MAX_TEXT = 4_000;

/** One suite, with a test case for each journal. */
export function junitOf(reports: readonly ReplayedJournal[]): string {
  const of = (status: string) => reports.filter((each) => each.status === status).length;
  const counts = `tests="${reports.length}" failures="${of("diverged")}" errors="${of("refused")}"`;
  const cases = reports.map((report) => {
    const name = `<testcase classname="reckoner.replay" name="${escaped(report.journal)}"`;
    const { status } = report;
    if (status === "identical" || status === "upgraded") return `    ${name}/>`;
    const [kind, message] =
      status === "diverged"
        ? (["failure", describeDifference(report.difference, MAX_TEXT / 2)] as const)
        : (["error", report.error.message] as const);
    const text = escaped(slice(message, 0, MAX_TEXT));
    return `    ${name}><${kind} message="${escaped(slice(message, 0, 200))}">${text}</${kind}></testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="reckoner replay" ${counts}>
${cases.join("\n")}
  </testsuite>
</testsuites>
`;
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text in XML 1.0: what may not stand in it at all is made visible. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (c) => entities[c] ?? c)
    .replace(
      /[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu,
      (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    );
}
