// What the benchmarks are asked for: a flag or a number that they do not know is told before they measure.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

const asked = (script: string, ...words: readonly string[]) => {
  const file = join(ROOT, "bench", script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    encoding: "utf8",
    timeout: 600_000,
  });
  return { status, stdout, lines: stderr.trimEnd().split("\n") };
};

describe("a benchmark refuses in a line, with exit code 2,", () => {
  it.each([
    ["bench.mjs", "--nope"],
    ["bench.mjs", "--rounds", "0"],
    ["bench.mjs", "--longest", "many"],
    ["bench.mjs", "--rows", "nosuch"],
    ["peers/peers.mjs", "--sizes", "20,-1"],
    ["decisions.mjs", "--nodes", "1e3"],
    ["stores.mjs", "--backends", "oracle"],
    ["stores.mjs", "--degree", "5,6"],
    ["thoughts.mjs", "--tasks", "cooking-32"],
    ["thoughts.mjs", "--tasks", "sorting"],
    ["game24.mjs", "--calls", ""],
    ["time-travel.mjs", "--events"],
    ["journals.mjs", "0"],
    ["sizes.mjs", "--jsn"],
  ])("%s %s", (script, ...words) => {
    const { status, stdout, lines } = asked(script, ...words);
    expect({ status, stdout, lines }).toEqual({
      status: 2,
      stdout: "",
      lines: [expect.stringMatching(/\. What there is stands at the top of bench\/[\w-]+\.mjs\.$/)],
    });
  });
});
