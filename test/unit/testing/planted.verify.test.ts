// Machines with planted faults: the search finds each, with the shortest run; random runs find it too.
import { check, explore } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { answers } from "../../support/planted/answers.js";
import { counts } from "../../support/planted/counts.js";
import type { Planted } from "../../support/planted/planted.js";
import { ways } from "../../support/planted/ways.js";

const planted: readonly Planted[] = [...answers, ...ways, ...counts];
/** What takes a search: random runs neither know all states nor all orders. */
const SEARCH_ONLY = /an end can be reached|order of answers/;

it("there are twenty and more", () => {
  expect(planted.length).toBeGreaterThanOrEqual(20);
});

describe.each(planted)("$fault", ({ reasoner, input, laws = [], options = {}, broken }) => {
  const given = { input, laws, ...options } as never;

  it("is found by a search of all runs, in eight events at most", () => {
    const { counterexamples, text } = explore(reasoner, given);
    const found = counterexamples.find(({ law }) => broken.test(law));
    expect(found, text).toBeDefined();
    expect(found?.events.length).toBeLessThanOrEqual(8);
  });

  if (SEARCH_ONLY.test(String(broken))) return;
  it("is found by random runs, and shrunk as far", () => {
    const shortest = explore(reasoner, given).counterexamples.find(({ law }) => broken.test(law));
    const { counterexamples, text } = check(reasoner, { ...(given as object), runs: 500 } as never);
    const found = counterexamples.find(({ law }) => broken.test(law));
    expect(found, text).toBeDefined();
    expect(found?.events.length).toBeLessThanOrEqual((shortest?.events.length ?? 0) + 1);
  });
});
