/** Masks the values of names that carry credentials: `password: x`, `"token":"x"`, `Pwd={x};`. */
import { isReasonAt } from "./reason-words.js";
import { isSecretKey } from "./secrets.js";

/** The text in place of a credential. */
export const MASKED = "[masked]";

/** Names of headers and parameters that carry credentials, beside those that look like secrets. */
const CARRIERS =
  /^(?:(?:set-)?cookie2?|x-amz-(?:signature|security-token)|sig|signature|sessionid)$/i;
/** Their values hold spaces and `=`, and end with the line. */
const WHOLE_LINE = /^(?:(?:set-)?cookie2?|(?:proxy-)?authorization)$/i;
const COOKIE = /^(?:set-)?cookie2?$/i;

/** `name:`, `"name":`, `name=`, also where quotes are escaped. */
const NAME = /(?<![\w.-])-{0,2}([A-Za-z][\w.-]{0,63})(?:\\{0,4}["'])?\s{0,8}([:=])\s{0,8}/g;
/** The quote that begins a value, with the backslashes that escape it. */
const OPENING = /(\\{0,4})(["'])/y;
const WORD = /(?:(?:Bearer|Basic|Digest|Token|ApiKey)\s{1,8})?[^\s,;&"'\\{}[\]()<>]+/iy;
const LINE = /[^\r\n"'\\]+/y;
/** A value of a connection string: it may hold spaces, and in braces anything. */
const PAIR = /[^\r\n;"'\\]{1,256}/y;
const BRACED = /\{(?:[^}\r\n]|\}\}){0,512}\}/y;
/** Another value of the connection string. */
const NEXT_PAIR = /;\s?[A-Za-z][\w ]{0,40}=/y;
/** The words of a parser for the text that it came upon; a token is a piece of a text there. */
const PARSING = /\b(?:unexpected|unrecogni[sz]ed|illegal|expected|stray)\s{1,4}$/i;
/** `tokens: 4096`, `token=null`: nothing to hide. */
const COUNT = /^(?:-?[\d.]+|null|true|false|undefined)$/;
/** A pair in a cookie's line that is its value, and not one of its attributes. */
const COOKIE_VALUE =
  /(?:^|[;,\s])(?!(?:SameSite|Path|Domain|Max-Age|Expires|Priority|Partitioned)=)[^\s=;,]{1,256}=/i;

/** Returns true if a name carries a credential. */
export function carriesCredential(name: string): boolean {
  return CARRIERS.test(name) || isSecretKey(name);
}

/** A text without the values of names that carry credentials. */
export function maskAssigned(text: string): string {
  let masked = "";
  let done = 0;
  const name = new RegExp(NAME);
  for (let found = name.exec(text); found !== null; found = name.exec(text)) {
    const [, carrier = "", sign] = found;
    if (!carriesCredential(carrier)) continue;
    const begin = name.lastIndex;
    const value = valueAt(text, begin, carrier, sign === "=", found.index);
    if (value === undefined) continue;
    const { from, to, isKept = false } = value;
    name.lastIndex = to;
    if (isKept || from === to) continue;
    masked += `${text.slice(done, from)}${MASKED}`;
    done = to;
  }
  return masked + text.slice(done);
}

/** The place of a value in a text; it is kept if it is a reason and no secret. */
interface Value {
  readonly from: number;
  readonly to: number;
  readonly isKept?: boolean;
}

/** The value at a place; `undefined` where there is none that has to be masked. */
function valueAt(
  text: string,
  begin: number,
  carrier: string,
  isPair: boolean,
  index: number,
): Value | undefined {
  OPENING.lastIndex = begin;
  const [opening = "", slashes = "", quote] = OPENING.exec(text) ?? [];
  const from = begin + opening.length;
  // `name=word` is a value, whatever word it is.
  if (!(isPair && from === index + carrier.length + 1) && isReasonAt(text, from)) return undefined;
  if (/^tokens?$/i.test(carrier) && PARSING.test(text.slice(Math.max(0, index - 24), index))) {
    return undefined;
  }
  if (quote !== undefined) return { from, to: closing(text, from, quote, slashes.length) };
  const to = WHOLE_LINE.test(carrier)
    ? endOf(LINE, text, begin)
    : ((isPair ? pairEnd(text, begin, index) : undefined) ?? endOf(WORD, text, begin));
  if (to === undefined || COUNT.test(text.slice(begin, to))) return undefined;
  const isKept = COOKIE.test(carrier) && isAboutCookies(text.slice(begin, to));
  return { from: begin, to, isKept };
}

/** Returns the end of a quoted value: before its quote, or with the line. A quote in it has more backslashes. */
function closing(text: string, from: number, quote: string, slashes: number): number {
  const turn = 2 * slashes + 2;
  let run = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\n" || letter === "\r") return at;
    if (letter === quote && run % turn < turn - 1) return Math.max(from, at - slashes);
    run = letter === "\\" ? run + 1 : 0;
  }
  return text.length;
}

/** Returns the end of a connection string's value, which may hold spaces; `undefined` where it is none. */
function pairEnd(text: string, begin: number, index: number): number | undefined {
  const braced = endOf(BRACED, text, begin);
  if (braced !== undefined) return braced;
  const end = endOf(PAIR, text, begin);
  if (end === undefined) return undefined;
  const isInside = text[index - 1] === ";" || (text[end] === ";" && endOf(NEXT_PAIR, text, end));
  return isInside ? end : undefined;
}

/** Returns true if a line tells of cookies and has none: "SameSite=None needs Secure". */
function isAboutCookies(line: string): boolean {
  return /\w=\w/.test(line) && !COOKIE_VALUE.test(line);
}

/** Returns the end of a sticky pattern's match at a place. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : at + found[0].length;
}
