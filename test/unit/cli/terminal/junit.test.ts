// JUnit's XML: counts by outcome, and texts that break no document.
import { expect, it } from "vitest";
import { replayCases } from "../../../../src/cli/replay/replay-cases.js";
import { junitOf } from "../../../../src/cli/terminal/junit.js";

it("counts each case by its outcome, and shows its text", () => {
  const cases = [
    { suite: "a", name: "passes" },
    { suite: "a", name: "fails", failure: "1 < 2 & 'so'\n\tnext" },
    { suite: "b", name: "breaks", error: "\u0007\ud800\ufffe" },
    { suite: "b", name: "is left out", skipped: 'no "journal"' },
    { suite: "b", name: "is judged in part", failure: "x", skipped: "y" },
  ];
  expect(junitOf("all & more", cases)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" errors="1" skipped="2">
  <testsuite name="all &amp; more" tests="5" failures="1" errors="1" skipped="2">
    <testcase classname="a" name="passes"/>
    <testcase classname="a" name="fails"><failure message="1 &lt; 2 &amp; &apos;so&apos;\n\tnext">1 &lt; 2 &amp; &apos;so&apos;\n\tnext</failure></testcase>
    <testcase classname="b" name="breaks"><error message="\\u0007\\ud800\\ufffe">\\u0007\\ud800\\ufffe</error></testcase>
    <testcase classname="b" name="is left out"><skipped message="no &quot;journal&quot;"/></testcase>
    <testcase classname="b" name="is judged in part"><skipped message="y"/></testcase>
  </testsuite>
</testsuites>
`);
});

it("cuts long texts, and of nothing is a document too", () => {
  const xml = junitOf("a", [{ suite: "s", name: "n", failure: "x".repeat(9_000) }]);
  expect(xml).toContain(`message="${"x".repeat(200)}">${"x".repeat(4_000)}</failure>`);
  expect(junitOf("a", [])).toContain('<testsuite name="a" tests="0"');
});

it("of a replay has a case for each journal", () => {
  const report = { events: 0, notices: [] };
  const cases = replayCases([
    { ...report, journal: "a", status: "identical" },
    { ...report, journal: "b", status: "refused", error: { message: "torn" } },
  ] as never);
  expect(cases).toEqual([
    { suite: "reckoner.replay", name: "a" },
    { suite: "reckoner.replay", name: "b", error: "torn" },
  ]);
});
