// docs/source-map.md has a line for every file under src, in that file's own words; the import table
// of docs/internals.md has a row for every folder.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proseOf, ROOT, textOfPage } from "./markdown.js";
// @ts-expect-error a plain script, so that it can be run without a build
import { filesWithoutBanner, purposeOf, sourceMap, writtenMap } from "./source-map.mjs";

describe("the source map", () => {
  test("is that of the files there are: `node test/docs/source-map.mjs` writes it", () => {
    expect(writtenMap()).toBe(sourceMap().trim());
  });

  test("every file opens with a banner that says what it is for", () => {
    expect(filesWithoutBanner()).toEqual([]);
  });

  test("takes the first sentence of a banner", () => {
    expect(purposeOf("/** Shows `a.b` of 5.33. Not more. */\n")).toBe("Shows `a.b` of 5.33.");
    expect(purposeOf("#!/usr/bin/env node\n/**\n * One, in\n * two lines\n *\n * More.\n */")).toBe(
      "One, in two lines",
    );
    expect(purposeOf("export {};\n")).toBeUndefined();
  });
});

test("the import table has a row for each folder that has a face, and for cli", () => {
  const faces = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /^(?:(?:core|adapters)\/)?[^/]+\/index\.ts$/.test(path))
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
