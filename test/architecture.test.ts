// The fences of the house over the tests as they are, and over what reads journals. `architecture.verify.test.ts` has
// the import table, and sees each of its rules refuse a planted violation.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
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

/** Folders under `test/unit` that are none of `src`. */
const NOT_IN_SRC: Record<string, string> = {
  exports: "the names of each entry point, as exports.test.ts compares them",
  "cli/show/__snapshots__": "the runner puts them beside their test",
};
/** The paths of all files below a folder, from that folder on. */
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) =>
      relative(join(ROOT, folder), join(one.parentPath, one.name)).replaceAll(sep, "/"),
    );
const folderOf = (path: string) => (path.includes("/") ? posix.dirname(path) : "");
/** The name up to its first dot: `check.values.test.ts` is about `check.ts`. */
const nameOf = (path: string) => posix.basename(path).split(".")[0] ?? "";
const roomOf = (path: string) => path.split("/")[0];
const SOURCES = filesIn("src").filter((path) => /\.tsx?$/.test(path));
/** By name; the entry points, which lie in no folder, are not among them. */
const SOURCES_BY_NAME = new Map<string, string[]>();
for (const path of SOURCES.filter((one) => one.includes("/"))) {
  SOURCES_BY_NAME.set(nameOf(path), [...(SOURCES_BY_NAME.get(nameOf(path)) ?? []), path]);
}

/** The folders of these files, below `test/unit`, that `src` does not have. */
function strangeFolders(unit: readonly string[]): string[] {
  const there = new Set(["", ...SOURCES.flatMap(foldersOver)]);
  return [...new Set(unit.map(folderOf))].filter((folder) => !there.has(folder));
}

function foldersOver(path: string): string[] {
  const folder = folderOf(path);
  return folder === "" ? [] : [folder, ...foldersOver(folder)];
}

/**
 * The tests that bear the name of a file of their room of `src` (its first folder), or of one that they import, and
 * do not lie in its folder. A behaviour may be called as a file of another room is.
 */
const misplaced = (unit: readonly (readonly [path: string, text: string])[]) =>
  unit
    .filter(([path]) => path.endsWith(".test.ts"))
    .flatMap(([path, text]) => {
      const named = SOURCES_BY_NAME.get(nameOf(path)) ?? [];
      const about = named.filter(
        (file) =>
          roomOf(file) === roomOf(path) || text.includes(`/src/${file.replace(/\.tsx?$/, ".js")}"`),
      );
      return about.length === 0 || named.map(folderOf).includes(folderOf(path))
        ? []
        : [`${path} is about ${about.join(", ")}`];
    });

describe("unit tests", () => {
  const unit = filesIn("test/unit");

  it("have the folders of src", () => {
    expect(unit.length).toBeGreaterThan(500);
    expect(strangeFolders(unit).sort()).toEqual(Object.keys(NOT_IN_SRC).sort());
    expect(strangeFolders(["core/agent/nous/a.test.ts"])).toEqual(["core/agent/nous"]);
  });

  it("that bear a file's name lie in its folder", () => {
    expect(
      misplaced(unit.map((path) => [path, readFileSync(join(ROOT, "test/unit", path), "utf8")])),
    ).toEqual([]);
  });

  it.each([
    ["core/thoughts/beam-search.test.ts", ""],
    ["core/thoughts/beam-search.cost.verify.test.ts", ""],
    ["serve/page/slow-readers.test.ts", ""],
    ["pictures/beam-search.test.ts", 'from "../../../src/core/thoughts/policies/beam-search.js"'],
  ])("%s would not", (path, text) => {
    expect(misplaced([[path, text]])).toHaveLength(1);
  });
});

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
