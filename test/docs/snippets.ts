// Every TypeScript block of the README and the docs compiles and runs, and prints what it says that
// it prints; every command of the README does what it says. Blocks follow rules:
//
//   ```ts                 a module of its own, run with top-level await
//   ```ts continued       goes on with the block before
//   ```ts no-run          compiled only: it needs a key or a network
//   ```ts file=agent.ts   run, and there under that name for the commands of the page
//   ```ts example=PATH    the text of an example, without its banner
//   // => text            what the console.log of this line prints
//   ```sh                 `npx --no reckoner …` is run in the page's folder; exit code 0, or as a comment says
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { tsc } from "../support/tsc.js";
import { type Block, blocksOf, ROOT, textOfPage, valueOfWord } from "./markdown.js";

/** A module made of one or more blocks. */
interface Snippet {
  readonly page: string;
  readonly line: number;
  readonly runs: boolean;
  /** Relative to the folder of all snippets. */
  readonly file: string;
  readonly text: string;
}

/** As deep as the page lies in docs: what a snippet imports by its path is where its reader finds it. */
const folderOf = (page: string) =>
  page
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase();

function snippetsOf(page: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  for (const block of blocksOf(page).filter(({ language }) => language === "ts")) {
    const last = snippets.at(-1);
    const runs = !block.words.includes("no-run");
    if (block.words.includes("continued") && last !== undefined) {
      snippets[snippets.length - 1] = { ...last, runs, text: `${last.text}\n${block.text}` };
    } else {
      const name = valueOfWord(block, "file") ?? `line-${block.line}.ts`;
      const file = `${folderOf(page)}/${name}`;
      snippets.push({ page, line: block.line, runs, file, text: block.text });
    }
  }
  return snippets;
}

/** The tests of some pages. @param compiles false: only those that run are tried, and not their types */
export function snippetsHold(pages: readonly string[], compiles = true): void {
  const folder = mkdtempSync(join(import.meta.dirname, ".snippets-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const snippets = pages.flatMap(snippetsOf);

  beforeAll(() => {
    // From a page's folder here, as from docs, the examples are next door.
    symlinkSync(join(ROOT, "examples"), join(folder, "examples"));
    for (const { page, file, text } of snippets) {
      mkdirSync(join(folder, folderOf(page)), { recursive: true });
      // A module, also where it imports and exports nothing.
      writeFileSync(join(folder, file), `${text}export {};\n`);
    }
  });

  test("there are snippets", () => {
    expect(snippets.length).toBeGreaterThan(1);
  });

  if (compiles) {
    test("every snippet compiles under the project's own rules", () => {
      const tsconfig = {
        extends: "../../../tsconfig.json",
        compilerOptions: { noUnusedLocals: false },
        files: snippets.map(({ file }) => file),
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
      // What somebody is just writing in src is for `npm run typecheck` to report.
      const ours = tsc("7", folder, "-p", ".").filter((line) => !line.startsWith("../../../src/"));
      expect(ours).toEqual([]);
    });
  }

  describe("snippets run", () => {
    const cwd = process.cwd();
    afterAll(() => process.chdir(cwd));

    test.each(
      snippets.filter(({ runs }) => runs).map((each) => [`${each.page}:${each.line}`, each]),
    )("%s", async (_place, { page, file, text }) => {
      const said: string[] = [];
      const log = vi.spyOn(console, "log").mockImplementation((...values) => {
        said.push(format(...values));
      });
      // Files that it writes go where the page's commands look for them.
      process.chdir(join(folder, folderOf(page)));
      try {
        await import(/* @vite-ignore */ join(folder, file));
      } finally {
        log.mockRestore();
        process.chdir(cwd);
      }
      const promised = [...text.matchAll(/\/\/ => (.+)$/gm)].map((match) => match[1]);
      if (promised.length > 0) expect(said).toEqual(promised);
    });
  });

  describe("commands run", () => {
    const commands = pages.flatMap((page) =>
      blocksOf(page)
        .filter(({ language, words }) => language === "sh" && !words.includes("no-run"))
        .flatMap(({ line, text }) =>
          text
            .split("\n")
            .map((command, i) => ({ page, line: line + 1 + i, command }))
            .filter(({ command }) => command.startsWith("npx --no reckoner ")),
        ),
    );

    test.each(commands.map((each) => [`${each.page}:${each.line}`, each]))(
      "%s",
      (_place, { page, command }) => {
        const [words = "", comment = ""] = command
          .slice("npx --no reckoner ".length)
          .split(/\s+# /);
        const wanted = Number(/exit code (\d)/.exec(comment)?.[1] ?? 0);
        const { status, stderr, stdout } = spawnSync(
          process.execPath,
          [join(ROOT, "dist/cli/main.js"), ...wordsOf(words)],
          { cwd: join(folder, folderOf(page)), encoding: "utf8" },
        );
        expect(status, `${command}\n${stdout}${stderr}`).toBe(wanted);
      },
    );
  });

  describe("examples", () => {
    const shown = pages.flatMap(blocksOf).filter((block) => valueOfWord(block, "example"));

    test.each(shown.map((block): [string, Block] => [`${block.page}:${block.line}`, block]))(
      "%s is the example, word for word",
      (_place, block) => {
        const example = readFileSync(join(ROOT, valueOfWord(block, "example") ?? ""), "utf8");
        expect(block.text).toBe(example.replace(/^\/\*\*[\s\S]*?\*\/\n/, ""));
      },
    );
  });

  test("every npm script that is named is there", () => {
    const { scripts } = JSON.parse(textOfPage("package.json"));
    for (const page of pages) {
      for (const [, name = ""] of textOfPage(page).matchAll(/npm run (?:-s )?([\w:]+)/g)) {
        expect(Object.keys(scripts), `npm run ${name} in ${page}`).toContain(name);
      }
    }
  });
}

/** The words of a command line, quotes taken off. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
}
