// The README: what a newcomer types first.
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { blocksOf, textOfPage } from "./markdown.js";
import { snippetsHold } from "./snippets.js";

// Its types are for `verify`: they take longer than all the rest.
snippetsHold(["README.md"], false);

describe("a program of the README", () => {
  const lines = textOfPage("README.md").split("\n");
  let end = 0;
  const programs = blocksOf("README.md").flatMap(({ language, line, words, text }) => {
    const before = lines.slice(end, line - 1).join("\n");
    end = line + text.split("\n").length;
    return language === "ts" && !words.includes("no-run") ? [{ line, before, text }] : [];
  });

  it.each(programs)("in line $line says its language, and how to run it", ({ before, text }) => {
    const [, spoken] = /\b(JavaScript|TypeScript)\b/.exec(before) ?? [];
    const [, file = ""] = /`(?:node|npx --no reckoner run) ([\w-]+\.(?:mjs|ts))/.exec(before) ?? [];
    expect(before).toContain(`\`${file}\``);
    // What has types in it is no JavaScript.
    if (spoken === "JavaScript") transformSync(text, { loader: "js", format: "esm" });
    expect([spoken, file]).toEqual([
      spoken,
      expect.stringMatching(spoken === "JavaScript" ? /\.mjs$/ : /\.ts$/),
    ]);
  });

  it("is one of seven at least", () => {
    expect(programs.length).toBeGreaterThan(6);
  });
});
