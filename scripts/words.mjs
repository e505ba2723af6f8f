// Sentences that begin with a noun clause ("Whether …", "What …"), in comments of src and in the prose of
// README.md, SECURITY.md and docs: a doc comment begins with a verb in the third person, or with a noun and
// its article, and a sentence of a page with the thing that it is about. And values, functions and types
// that are named by what was done to them (`told`, `said`, `given`, `known`), and not by their kind.
//
//   node scripts/words.mjs           prints them by file, and their share
//   node scripts/words.mjs --check   fails where there are more than the ceiling in scripts/ceilings.json
//   node scripts/words.mjs --lower   lowers the ceiling to today's count; it raises none
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { holdToCeilings } from "./ceilings.mjs";
import { commentsOf } from "./comments.mjs";
import { paragraphsOf } from "./prose.mjs";
import { isNounClause, sentencesOf } from "./sentences.mjs";

const ROOT = resolve(import.meta.dirname, "..");

const VAGUE = new Set(["told", "said", "given", "known"]);
/** In the name of a function or a type each of its words counts, but for what is written into journals. */
const WORD = /(?:^(?:told|said|given|known)|Told|Said|Given|Known)(?=[A-Z]|$)/;
const STORED = new Set(["SaidOutcome"]);

/** The vague names that a file declares, with their lines. */
function vagueNames(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isPropertyDeclaration(node);
    const isNamed =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    const name = isDeclared || isNamed ? node.name?.text?.replace(/^#/, "") : undefined;
    if (VAGUE.has(name) || (isNamed && WORD.test(name) && !STORED.has(name))) {
      found.push({ path, line: file.getLineAndCharacterOfPosition(node.pos).line + 1, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

let all = 0;
const clauses = [];
const vague = [];
for (const path of readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).sort()) {
  if (!/\.tsx?$/.test(path)) continue;
  const text = readFileSync(join(ROOT, "src", path), "utf8");
  vague.push(...vagueNames(`src/${path}`, text));
  // Line comments that follow each other are one text.
  const merged = [];
  for (const { start, end } of commentsOf(text)) {
    const last = merged.at(-1);
    const between = last === undefined ? "x" : text.slice(last.end, start);
    const isLine = text.startsWith("//", start);
    if (last?.isLine && isLine && /^\s*$/.test(between) && !/\n\s*\n/.test(between)) last.end = end;
    else merged.push({ start, end, isLine });
  }
  for (const { start, end } of merged) {
    const line = text.slice(0, start).split("\n").length;
    const sentences = sentencesOf(text.slice(start, end), line);
    all += sentences.length;
    for (const each of sentences) {
      if (isNounClause(each.sentence)) clauses.push({ path: `src/${path}`, ...each });
    }
  }
}

const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .map((name) => `docs/${name.replaceAll("\\", "/")}`)
  // The API reference is made of the comments.
  .filter((path) => path.endsWith(".md") && !path.startsWith("docs/api/"));
const prose = ["README.md", "SECURITY.md", ...pages.sort()].flatMap((path) =>
  paragraphsOf(readFileSync(join(ROOT, path), "utf8")).flatMap(({ text, line }) =>
    sentencesOf(text, line).map((each) => ({ path, ...each })),
  ),
);
const proseClauses = prose.filter(({ sentence }) => isNounClause(sentence));

if (!process.argv.includes("--check")) {
  for (const { path, line, sentence } of [...clauses, ...proseClauses])
    console.log(`${path}:${line}: ${sentence}`);
  for (const { path, line, name } of vague) console.log(`${path}:${line}: the name ${name}`);
}
const share = (count, of) => `${count} of ${of} sentences (${((100 * count) / of).toFixed(1)} %)`;
const shares = `${share(clauses.length, all)} of comments, and ${share(proseClauses.length, prose.length)} of prose`;
console.log(`${shares} begin with a noun clause; aim 2 %.`);
console.log(`${vague.length} names say told, said, given or known, and not a kind.`);

holdToCeilings("words", {
  "sentences that begin with a noun clause": clauses.length,
  "sentences of README, SECURITY and docs that do": proseClauses.length,
  "names that say told, said, given or known": vague.length,
});
