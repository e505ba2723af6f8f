// Every file of src opens with a banner that says what it is for; the import table of docs/internals.md has a
// row for every folder; the contributors' pages name only files and folders that are there.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proseOf, ROOT, textOfPage } from "./markdown.js";

const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"));

/** Matches a banner of at least three words, at the top of a file. */
const BANNER = /^(?:#!.*\n)?\/\*\*[\s*]*(?![\s*/])\S+\s+\S+\s+\S/;

test("every file opens with a banner that says what it is for", () => {
  expect("/** Shows runs to people. */\n").toMatch(BANNER);
  expect("#!/usr/bin/env node\n/**\n * One, in\n * two lines\n */").toMatch(BANNER);
  for (const text of ["export {};\n", "/** */\nexport {};\n", "// A note on this.\n"]) {
    expect(text).not.toMatch(BANNER);
  }
  expect(sources.length).toBeGreaterThan(500);
  const without = sources.filter(
    (path) => !BANNER.test(readFileSync(join(ROOT, "src", path), "utf8")),
  );
  expect(without).toEqual([]);
});

test("the import table has a row for each folder that has a face, and for cli", () => {
  const faces = sources
    .filter((path) => /^(?:(?:core|adapters|trace|time-travel)\/)?[^/]+\/index\.ts$/.test(path))
    .map((path) => path.slice(0, -"/index.ts".length));
  const [, table = ""] = textOfPage("docs/internals.md").split("## Who may import whom");
  const rows = [...table.matchAll(/^\| `([\w/-]+)` +\|/gm)].map((match) => match[1]);
  for (const folder of [...faces, "cli"]) expect(rows).toContain(folder);
});

/** The paths of files and folders below some folders, from the project on. */
const paths = ["src", "test", "property-tests", "scripts", "bench", "docs", "examples", ".biome"]
  .flatMap((top) => [top, ...below(top)])
  .concat(readdirSync(ROOT));
const names = new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)));
const places = new Set(paths.flatMap((path) => [path, path.replace(/^src\//, "")]));

function below(top: string): readonly string[] {
  const all = readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" });
  return all.map((path) => `${top}/${path.replaceAll("\\", "/")}`);
}

/** The names of files and folders in a text that are not there. */
function missingIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+)\/?`/g)].map(([, name = ""]) => name);
  return quoted.filter((name) => {
    if (/^reckoner\/|^x\./.test(name)) return false;
    if (name.includes("/")) return !places.has(name);
    return /\.(?:[cm]?[jt]sx?|grit)$/.test(name) && !names.has(name);
  });
}

test.each(["docs/internals.md", "docs/concepts.md", "docs/testing.md"])(
  "every file and folder that %s names is there",
  (page) => {
    expect(missingIn("`gone.ts`, `core/gone` and `src/gone/`; `index.ts`, `core/kernel`")).toEqual([
      "gone.ts",
      "core/gone",
      "src/gone",
    ]);
    expect(missingIn(proseOf(page))).toEqual([]);
  },
);
