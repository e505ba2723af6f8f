// Links within the project lead somewhere, also where it is installed, and so do their anchors.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, pages, proseOf, ROOT } from "./markdown.js";

const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly files: readonly string[];
};
/** What is in the package: these, and what npm always takes along. */
const packed = ["README.md", "LICENSE", "package.json", ...files];

test.each(pages)("%s", (page) => {
  for (const [, target = ""] of proseOf(page).matchAll(/\]\(([^)]+)\)/g)) {
    if (/^\w+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
    expect(existsSync(file), `${target} in ${page}`).toBe(true);
    expect(packed, `${target} in ${page}`).toContain(relative(ROOT, file).split(sep)[0]);
    if (anchor === undefined) continue;
    expect([...anchorsOf(relative(ROOT, file))], `${target} in ${page}`).toContain(anchor);
  }
});
