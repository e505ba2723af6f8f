// Links within the project lead somewhere, and so do their anchors.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, pages, proseOf, ROOT } from "./markdown.js";

test.each(pages)("%s", (page) => {
  for (const [, target = ""] of proseOf(page).matchAll(/\]\(([^)]+)\)/g)) {
    if (/^\w+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
    expect(existsSync(file), `${target} in ${page}`).toBe(true);
    if (anchor === undefined) continue;
    expect([...anchorsOf(relative(ROOT, file))], `${target} in ${page}`).toContain(anchor);
  }
});
