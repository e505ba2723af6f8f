/** Sources with all their mutants in them, each behind a switch: Stryker's own instrumenter. */
import { readFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import ts from "typescript";

const quiet = { debug() {}, info() {}, isDebugEnabled: () => false };

/** @returns the instrumented sources by path, and the mutants */
export async function instrument(paths) {
  const files = paths.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, "utf8"),
  }));
  // What prints for people changes no behaviour that matters.
  const options = { excludedMutations: ["StringLiteral"], ignorers: [], plugins: null };
  const { files: made, mutants } = await new Instrumenter(quiet).instrument(files, options);
  return {
    sources: Object.fromEntries(made.map(({ name, content }) => [name, content])),
    mutants: mutants
      .filter(({ status }) => status !== "Ignored")
      .map((mutant) => Object.assign(mutant, { isTop: isTop(mutant) })),
  };
}

const trees = new Map();

/**
 * Whether a mutant stands outside of all functions: what is made there (a pattern, a table) is made
 * when its module is loaded, before any mutant is on, so that no test could tell.
 */
function isTop({ fileName, location: { start } }) {
  const tree =
    trees.get(fileName) ??
    ts.createSourceFile(fileName, readFileSync(fileName, "utf8"), ts.ScriptTarget.Latest, true);
  trees.set(fileName, tree);
  const place = tree.getPositionOfLineAndCharacter(start.line, start.column);
  let inside = false;
  const visit = (node) => {
    if (place < node.pos || place >= node.end) return;
    // The function itself is made where it stands; what is in it, later.
    if (ts.isFunctionLike(node) && place > node.getStart()) inside = true;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return !inside;
}
