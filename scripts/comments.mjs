// Finds the comments of TypeScript, with the compiler's own scanner.
import ts from "typescript";

/** The comments of a text, each `{ start, end }`, in order. */
export function commentsOf(text) {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest);
  const found = new Map();
  const visit = (node) => {
    const begin = node.getFullStart();
    for (const range of ts.getLeadingCommentRanges(text, begin) ?? []) found.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(text, node.end) ?? [])
      found.set(range.pos, range);
    // Not forEachChild: comments also stand before brackets and braces.
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...found.values()]
    .map(({ pos, end }) => ({ start: pos, end }))
    .sort((a, b) => a.start - b.start);
}

/** The text with its comments taken out. */
export function withoutComments(text) {
  let [code, at] = ["", 0];
  for (const { start, end } of commentsOf(text)) {
    if (start < at) continue;
    code += text.slice(at, start);
    at = end;
  }
  return code + text.slice(at);
}
