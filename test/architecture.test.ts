// The fences of the house over the sources and tests as they are. `architecture.verify.test.ts` sees each of
// them refuse a planted violation.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeImports, ROOT } from "./architecture/plant.js";

it("the import table holds in src", async () => {
  const imports = await judgeImports(ROOT);
  expect(imports.filter((one) => one.refusedBy.length > 0)).toEqual([]);
});

const tests = ["test", "property-tests"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(folder, path),
    ),
  )
  .filter((path) => path.endsWith(".test.ts") && !path.startsWith(join("test", "architecture.")));
const saying = (words: RegExp) =>
  tests.filter((path) => words.test(readFileSync(join(ROOT, path), "utf8")));

describe("tests", () => {
  it("look at no clock: what something costs is counted", () => {
    expect(saying(/\b(?:performance\.now|Date\.now|hrtime|cpuUsage)\b/)).toEqual([]);
  });

  it("have no limits of their own on the wall clock", () => {
    expect(saying(/^\s*\}, [\d_]{4,}\);$|\{ timeout: [\w_]+ \}, (?:async )?\(/m)).toEqual([]);
  });
});

it("journals are read through a view, but by the rooms that it is made of and that go on with a run", () => {
  const rooms = /^src\/(?:core\/|runtime\/(?:journals|running|children)\/)/;
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => join("src", path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !rooms.test(path));
  const reading =
    /\b(?:readHistory\w*|readLines|readPieces|readHeader|findHeader|readOrigin|new LineStream)\(/;
  // A method of a view is called on one.
  const past = (path: string) =>
    readFileSync(join(ROOT, path), "utf8")
      .split("\n")
      .some((line) => reading.test(line.replace(/\.findHeader\(/g, "")));
  expect(sources.filter(past)).toEqual([]);
});
