/** Writes the results of a command as JUnit XML. */
import { slice } from "./truncate.js";

/** One test case; without an outcome it has passed. */
export interface JunitCase {
  readonly suite: string;
  readonly name: string;
  readonly failure?: string;
  /** The reason why it could not be tried. */
  readonly error?: string;
  /** The reason why nothing is known of it. */
  readonly skipped?: string;
}

/** Longer texts are cut: the JSON has all of it. */
const MAX_TEXT = 4_000;
const MAX_MESSAGE = 200;

/** The outcomes in their order: a case has the first that it has a text for. */
const OUTCOMES = ["skipped", "error", "failure"] as const;

/** Returns the XML document: one suite of all cases. */
export function junitOf(name: string, cases: readonly JunitCase[]): string {
  const count = (outcome: string) => cases.filter((each) => outcomeOf(each) === outcome).length;
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="${escaped(name)}" ${counts}>
${cases.map((each) => `    ${elementOf(each)}\n`).join("")}  </testsuite>
</testsuites>
`;
}

function outcomeOf(of: JunitCase): (typeof OUTCOMES)[number] | undefined {
  return OUTCOMES.find((outcome) => of[outcome] !== undefined);
}

function elementOf(of: JunitCase): string {
  const open = `<testcase classname="${escaped(of.suite)}" name="${escaped(of.name)}"`;
  const outcome = outcomeOf(of);
  if (outcome === undefined) return `${open}/>`;
  const text = of[outcome] ?? "";
  const start = `${open}><${outcome} message="${escaped(slice(text, 0, MAX_MESSAGE))}"`;
  if (outcome === "skipped") return `${start}/></testcase>`;
  return `${start}>${escaped(slice(text, 0, MAX_TEXT))}</${outcome}></testcase>`;
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text in XML 1.0. Characters that it cannot hold are written out; lines and tabs are kept. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (c) => entities[c] ?? c)
    .replace(
      /(?![\n\t])[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu,
      (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    );
}
