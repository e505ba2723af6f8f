// The fences of the house over the tests as they are, and over what reads journals. `architecture.verify.test.ts` has
// the import table, and sees each of its rules refuse a planted violation.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./architecture/plant.js";

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

  it("by which mutants are tried are there", () => {
    const text = readFileSync(join(ROOT, "scripts/mutate.mjs"), "utf8");
    const named = [...text.matchAll(/"((?:property-)?tests?\/[^"]+)"/g)].map(
      ([, path]) => path ?? "",
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
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

describe("what a driver does, it does at once", () => {
  /** The words of what comes later, but in comments and texts. */
  const later = (text: string) =>
    text
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"/gm, "")
      .match(/\b(?:async|await|Promise|PromiseLike)\b|\.then\(/g) ?? [];
  const driver = join(ROOT, "src/core/driver");

  it.each([
    "export async function take(): Promise<void> {}",
    "export const next = (): unknown => new Promise(() => {});",
    "export const after = (value: PromiseLike<string>): unknown => value.then(String);",
  ])("%s is refused", (planted) => {
    expect(later(planted)).not.toEqual([]);
  });

  it("no file of it says otherwise", () => {
    const files = readdirSync(driver, { recursive: true, encoding: "utf8" });
    expect(files.length).toBeGreaterThan(30);
    expect(
      files.filter((file) => later(readFileSync(join(driver, file), "utf8")).length > 0),
    ).toEqual([]);
  });
});
