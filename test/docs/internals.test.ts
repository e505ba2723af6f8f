// Every file of src opens with a banner that says what it is for; the import table of docs/internals.md has a
// row for every folder.
import { existsSync, readdirSync, readFileSync } from "node:fs";
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

test("every file that is named with its folder is there", () => {
  const named = proseOf("docs/internals.md").matchAll(
    /`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|mjs|grit))`/g,
  );
  const missing = [...named]
    .map(([, path = ""]) => path)
    .filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, "src", path)));
  expect(missing).toEqual([]);
});
