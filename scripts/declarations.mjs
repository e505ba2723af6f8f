// Marks as types, in the bundled declarations, what the JavaScript beside them does not export: the
// bundler of declarations forgets the `type` of `export type *`, and an import of such a value would
// compile and fail when it runs.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
// At the start of a line: a namespace within has a list of its own.
const EXPORTED = /^export \{([^}]*)\}/gm;
/** The name of an export list under which others import it. */
const outside = (name) => name.split(" as ").at(-1).trim();
const listed = (list) => list.split(",").map((name) => name.trim());

/** The values that a bundled module exports. @param text JavaScript as esbuild writes it */
export function valuesOf(text) {
  const lists = [...text.matchAll(EXPORTED)].flatMap(([, list]) => listed(list));
  return new Set(lists.filter((name) => name !== "").map(outside));
}

/** Declarations that export as values what `values` has, and the rest as types. */
export function asTypes(text, values) {
  return text.replace(EXPORTED, (_, list) => {
    const names = listed(list).map((name) =>
      name.startsWith("type ") || values.has(outside(name)) ? name : `type ${name}`,
    );
    return `export { ${names.join(", ")} }`;
  });
}

/** The declarations of each entry with its JavaScript, by the entry's name, as absolute paths. */
export function entryFiles() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === "object" && typeof target.types === "string"
      ? [{ entry, types: join(ROOT, target.types), script: join(ROOT, target.default) }]
      : [],
  );
}

if (process.argv[1] === import.meta.filename) {
  for (const { types, script } of entryFiles()) {
    const text = readFileSync(types, "utf8");
    const marked = asTypes(text, valuesOf(readFileSync(script, "utf8")));
    if (marked !== text) writeFileSync(types, marked);
  }
}
