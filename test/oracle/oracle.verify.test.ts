// What `run` and `resume` decide, in 300 scenarios, is what the fixtures say, but for named differences.
// `node scripts/oracle.mjs` writes them; README.md says when.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compare, inWords } from "./compare.js";
import { NAMED_DIFFERENCES } from "./named-differences.js";
import { parsed, recorded } from "./record.js";
import { families, scenariosOf } from "./scenarios.js";

const met = new Set<string>();

describe("what is decided", () => {
  it.each(families)("in %s is as recorded", async (family) => {
    const text = readFileSync(new URL(`fixtures/${family}.txt`, import.meta.url), "utf8");
    const kept = parsed(text);
    const scenarios = scenariosOf(family);
    expect([...kept.keys()]).toEqual(scenarios.map(({ name }) => name));
    for (const scenario of scenarios) {
      const played = await recorded(scenario);
      const found = compare(kept.get(scenario.name) as typeof played, played, NAMED_DIFFERENCES);
      for (const name of found.met) met.add(name);
      if (found.first !== undefined) expect.fail(inWords(found.first));
    }
  });

  it("meets each difference that has a name", () => {
    expect([...met].sort()).toEqual(NAMED_DIFFERENCES.map(({ name }) => name).sort());
  });
});
