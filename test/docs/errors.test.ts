// docs/errors.md has a section for every code, and none for a code that there is not.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorCodes } from "../../src/core/kernel/values/index.js";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const [errors = "", notices = ""] = page.split("\n## Notices\n");

function sectionsOf(text: string): Map<string, string> {
  const sections = text.split(/^### /m).slice(1);
  return new Map(
    sections.map((section) => [
      /^`([\w.]+)`\n/.exec(section)?.[1] ?? section.slice(0, 40),
      section.split(/^## /m)[0] ?? "",
    ]),
  );
}

describe("docs/errors.md", () => {
  test("has a section for each code, and no other", () => {
    expect([...sectionsOf(errors).keys()].sort()).toEqual(Object.keys(errorCodes).sort());
  });

  test.each([...sectionsOf(errors)])("%s: its meaning, its causes, how to fix it", (_, section) => {
    const parts = [...section.matchAll(/^\*\*(.+?)\.\*\* \S/gm)].map((match) => match[1]);
    expect(parts).toEqual(["Meaning", "Causes", "Fix"]);
  });

  test("has a section for each notice, and no other", () => {
    const source = readFileSync(
      new URL("../../src/runtime/ports/observation.ts", import.meta.url),
      "utf8",
    );
    const union = /export type NoticeCode =([^;]+);/.exec(source)?.[1] ?? "";
    const codes = [...union.matchAll(/"([\w.]+)"/g)].map((match) => match[1]);
    expect(codes.length).toBeGreaterThan(0);
    expect([...sectionsOf(notices).keys()].sort()).toEqual(codes.sort());
  });
});
