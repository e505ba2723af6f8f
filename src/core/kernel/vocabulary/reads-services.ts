/**
 * Finds out from the code of a tool's `execute` if it reads the services of its context. `tool` asks it for
 * tools that do not say which services they need, so that a run without any is refused before it begins.
 */

/**
 * Returns true if the second parameter takes `services` apart, or the body reads `services` of it. False where
 * another function is handed the context and reads them: the read itself fails then.
 */
export function readsServices(execute: unknown): boolean {
  if (typeof execute !== "function") return false;
  const code = Function.prototype.toString.call(execute).replaceAll(COMMENTS, "$1");
  // One bare parameter: the first bracket is of the body.
  if (/^(?:async\s+)?[\w$]+\s*=>/.test(code)) return false;
  const context = partsOf(code, "(")[1] ?? "";
  if (context.startsWith("{")) return takesServices(context);
  const name = /^[\w$]+/.exec(context)?.[0].replaceAll("$", "\\$");
  if (name === undefined) return false;
  if (new RegExp(`(?<![\\w$.])${name}\\s*(?:\\?\\.|\\.)\\s*services(?![\\w$])`).test(code))
    return true;
  const taken = new RegExp(`(\\{[^{};]*\\})\\s*=\\s*${name}(?![\\w$.])`).exec(code)?.[1];
  return taken !== undefined && takesServices(taken);
}

/** Returns true if a pattern in braces takes a property `services`. */
function takesServices(pattern: string): boolean {
  return partsOf(pattern, "{").some((part) => /^services(?![\w$])/.test(part));
}

const TEXTS = `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|\`(?:\\\\.|[^\`\\\\])*\``;
/** Comments; or a text, in which what looks like one is none. */
const COMMENTS: RegExp = /* @__PURE__ */ new RegExp(`(${TEXTS})|/\\*[\\s\\S]*?\\*/|//.*`, "g");
/** Texts, brackets and commas: what tells where a part of a list in brackets ends. */
const MARKS: RegExp = /* @__PURE__ */ new RegExp(`${TEXTS}|[()[\\]{},]`, "g");

/** Lists the parts between the commas of the first bracket of that kind, without the space around them. */
function partsOf(code: string, open: "(" | "{"): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: mark, index } of code.matchAll(MARKS)) {
    const closes = ")]}".includes(mark);
    if (depth === 1 && (closes || mark === ",")) parts.push(code.slice(from, index).trim());
    if (depth === 1 && closes) return parts;
    if (depth === 0 ? mark === open : depth === 1 && mark === ",") from = index + 1;
    if (depth > 0 || mark === open) depth += Number("([{".includes(mark)) - Number(closes);
  }
  return parts;
}
