/** Writes the result of `reckoner check` as JUnit XML: one test case per law. */
import type { CheckResults } from "./checked.js";

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly failure?: string;
  /** Why nobody knows. */
  readonly skipped?: string;
}

/** The XML document. */
export function junitOf(path: string, { check, explore, journals = [] }: CheckResults): string {
  const cases: Case[] = [];
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
      for (const id of each.missing) {
        const skipped = "its journal is not there";
        cases.push({ suite: each.journal, name: `child run ${id}`, skipped });
      }
    }
  }
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  const failed = cases.filter(({ failure }) => failure !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escaped(path)}" tests="${cases.length}" failures="${failed}" skipped="${skipped}">`,
    ...cases.map(({ suite, name, failure, skipped }) => {
      const open = `  <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
      if (skipped !== undefined)
        return `${open}><skipped message="${escaped(skipped)}"/></testcase>`;
      if (failure === undefined) return `${open}/>`;
      return `${open}><failure>${escaped(failure)}</failure></testcase>`;
    }),
    "</testsuite>",
    "",
  ].join("\n");
}

function caseOf(suite: string, name: string, failure: string | undefined): Case {
  return { suite, name, ...(failure === undefined ? {} : { failure }) };
}

/** Characters that XML has no place for, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text
    .replace(NOT_IN_XML, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
