/**
 * Finds out from the code of a tool's `execute` if it takes the services of its context. `tool` asks it for
 * tools that do not say which services they need, so that a run without any is refused before it begins.
 */

/** Characters of a function that are looked at, from its beginning. */
const HEAD = 4_000;

/**
 * Returns true if the second parameter takes `services` apart, `(input, { services }) => …`, or has a name by which
 * the body reads them: `context.services`. A name of one or two letters proves nothing: code that is minified
 * gives it to many things.
 */
export function takesServices(execute: unknown): boolean {
  if (typeof execute !== "function") return false;
  const code = Function.prototype.toString.call(execute).slice(0, HEAD).replaceAll(COMMENTS, "$1");
  // One bare parameter: the first bracket is of the body.
  if (/^(?:async\s+)?[^\s()[\]{}'"`]+\s*=>/.test(code)) return false;
  const context = partsOf(code, "(")[1] ?? "";
  if (context.startsWith("{")) return partsOf(context, "{").some(isServices);
  const name = /^[a-zA-Z]{3,}/.exec(context)?.[0];
  return name !== undefined && reading(name).test(code.replaceAll(TEXT, ""));
}

/** Code that reads services of what has this name: `name.services`, `{ services } = name`. */
function reading(name: string): RegExp {
  const member = `(?<![\\w$.])${name}\\s*\\??\\.\\s*services(?!\\s*=[^=]|[\\w$])`;
  const pattern = `\\{[^{}]*(?<![\\w$.])services(?![\\w$])[^{}]*\\}\\s*=\\s*${name}(?![\\w$.])`;
  return new RegExp(`${member}|${pattern}`);
}

/** A part of a pattern: `services`, `services: { db }`, `services = none`. */
const isServices = (part: string) => /^(["']?)services\1\s*(?:[:=]|$)/.test(part);

const TEXTS = `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|\`(?:\\\\.|[^\`\\\\])*\``;
const TEXT: RegExp = /* @__PURE__ */ new RegExp(TEXTS, "g");
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
