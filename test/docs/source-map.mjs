// docs/source-map.md: one line for each file under src, which is the first sentence
// of the file's own banner. `node test/docs/source-map.mjs` writes it anew; a test compares.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/source-map.md");
const BEGIN =
  "<!-- source map: written by test/docs/source-map.mjs from the banners of the files -->\n";
const END = "<!-- end of the source map -->\n";

/** The files under src: those that git knows, or all of them where there is no git. */
function sourceFiles() {
  const { stdout, status } = spawnSync("git", ["ls-files", "src"], { cwd: ROOT, encoding: "utf8" });
  const known = status === 0 ? stdout.split("\n").filter(Boolean) : [];
  if (known.length > 0) return known.sort();
  return readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

/** The first sentence of a file's banner; `undefined` where it does not open with one. */
export function purposeOf(text) {
  const [, banner] = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  if (banner === undefined) return undefined;
  const [paragraph] = banner
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s?/, "").trimEnd())
    .join("\n")
    .trim()
    .split(/\n\n/);
  const line = paragraph.replace(/\s+/g, " ");
  return /^.*?[.?!](?=\s+["`A-Z]|$)/.exec(line)?.[0] ?? line;
}

/** The files that have no banner to take a line from. */
export function filesWithoutBanner() {
  return sourceFiles().filter(
    (path) => purposeOf(readFileSync(join(ROOT, path), "utf8")) === undefined,
  );
}

/** The map as it should be. */
export function sourceMap() {
  const folders = new Map();
  for (const path of sourceFiles()) {
    const folder = dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...folders]
    .map(([folder, paths]) => {
      const lines = paths.map((path) => {
        const purpose = purposeOf(readFileSync(join(ROOT, path), "utf8"));
        return `- \`${path.slice(folder.length + 1)}\`: ${purpose}\n`;
      });
      return `### ${folder}\n\n${lines.join("")}`;
    })
    .join("\n");
}

/** The map as the page has it. */
export function writtenMap() {
  const page = readFileSync(PAGE, "utf8");
  return page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim();
}

if (process.argv[1] === import.meta.filename) {
  const page = readFileSync(PAGE, "utf8");
  const [before, rest] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
  writeFileSync(PAGE, `${before}${BEGIN}\n${sourceMap()}\n${rest}`);
}
