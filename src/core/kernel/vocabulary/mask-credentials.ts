/**
 * Masks credentials in error texts: a provider's error may repeat the request's headers, and errors
 * are recorded, printed and sent on. Masking too much costs a word in an error; masking too little
 * leaks a key.
 */

import type { Json } from "../values/json.js";
import { checkArguments } from "./check-shape.js";
import { carriesCredential, MASKED, maskAssigned } from "./mask-assigned.js";
import { isReasonAt } from "./reason-words.js";
import { TEXTS } from "./shapes.js";

/** Credentials that are known by their shape. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  // JSON Web Tokens.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  // OpenAI, Anthropic, Stripe and whoever does as they do; providers show some of it between stars.
  /(?<![\w-])(?:sk|rk|pk|csk)[-_][\w*-]{8,}/g,
  /(?<![\w-])(?:gsk|hf|r8|fw|npm|dop_v1|gh[opsur]|github_pat|gl[a-z]{2,6}|xai|pplx|nvapi|tvly|key|voy|jina|lsv2_[ps]t|dckr_[po]at|lin_api|ntn|secret|sbp|pypi|shp[a-z]{2}|pscale_[a-z]{2,5})[-_](?=[\w*-]{0,256}\d)[\w*-]{16,}/g,
  // Some are of letters alone.
  /(?<![\w-])(?:hf|npm|gh[opsur])_[A-Za-z0-9]{30,}/g,
  /(?<![\w-])whsec_[\w+/-]{8,}={0,2}/g,
  // Square's: what an application may do, and what a seller let it do.
  /(?<![\w-])(?:sq0[a-z]{3}-[\w-]{8,}|EAAA[\w-]{56,})/g,
  /(?<![\w-])(?:xox[a-z]|xapp)-[\w-]{8,}/g,
  /(?<![\w-])AGE-SECRET-KEY-1[A-Z0-9]{4,}/g,
  // Vault's and Doppler's.
  /(?<![\w-])(?:hv[sbr]|dp\.[a-z]{2,5}(?:\.\w{1,64})?)\.[\w-]{16,}/g,
  // A Telegram bot's.
  /(?<![\w-])\d{6,12}:[\w-]{30,}/g,
  /(?<![\w-])AIza[\w-]{20,}/g,
  /(?<![\w-])ya29\.[\w-]{8,}/g,
  /(?<![\w-])SG\.[\w-]{8,}\.[\w-]{8,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
];

/** Prose goes on like this after the word; anything else after it is a token. */
const AFTER_BEARER =
  "(?:tokens?|auth\\w*|schemes?|realm|errors?|headers?|keys?|credentials?|access|is|was|are|must|not|or|and|in|of|for|with|the|required|format|type|prefix|value|string|missing|invalid)\\b";
const BEARER = new RegExp(`\\b(Bearer)(\\s{1,8})(?!${AFTER_BEARER})[^\\s"'\\\\,;<>]+`, "gi");
const BASIC = /\b(Basic)(\s{1,8})(?=[A-Za-z]*[\d=+/]|[a-z]+[A-Z])[A-Za-z0-9+/_-]{6,}={0,2}/g;
/** `://user:password@`; what has a port in its place may go on with an `@` in its path. */
const USER_INFO =
  /(:\/\/)[^\s/@:"']{0,256}:(?!\d{1,5}(?:[/?#]|$))(?:[^\s/"']{1,256}@|[^\s"'@]{1,256}@)/g;
/** A person who knows the address of a webhook may post to it. */
const WEBHOOK =
  /(hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g;
/** `--password hunter2`, `--api-key abc`: what follows is the value, unless the text is about the flag. */
const FLAG = new RegExp(
  `(?<![\\w-])--([A-Za-z][\\w-]{0,63})(\\s{1,8})(?!-|${AFTER_BEARER})(?:"[^"\\r\\n]*"|'[^'\\r\\n]*'|[^\\s"']+)`,
  "gi",
);
const USER_FLAG = /(?<![\w-])(-u|--user)(\s{1,8}|=)[^\s:"']{1,256}:[^\s"']+/g;
/** `the password is hunter2`: a value only where it is in quotes, or no word of a language. */
const SAID =
  /\b((?:passwor[dt]|passwd|passphrase|passcode|secret|token|api[ _-]?key|access[ _-]?key)s?\s{1,4}(?:is|was|are)\s{1,4})(?:(["'])[^"'\r\n]{1,256}\2|(?=[^\s"']{0,256}[A-Za-z])(?=[^\s"']{0,256}[\d@#$%^&*_+=~])[^\s"',;]{5,256}(?<![.:!?]))/gi;
/** `api-key abc…`, `Token provided: 0123…`: a value only where it is long, and no word of a language. */
const BESIDE =
  /\b((?:api[ _-]?key|(?:access|secret|auth)[ _-]?(?:key|token)|token|secret|passwor[dt])(?:\s{1,4}(?:provided|given|supplied|used|value))?:?\s{1,4})(?=[\w+/=.~-]{0,256}\d)[\w+/=~-][\w+/=.~-]{14,}[\w+/=~-]/gi;
const QUERY_KEY = /([?&](?:key|code|sig|signature|access_token)=)[^\s&"'\\<>]+/gi;

/**
 * A value without the credentials that it repeats: values of headers and keys that carry some
 * (`authorization`, `x-api-key`, `password` …), bearer tokens, keys of known shapes, and those named.
 * JSON comes back as JSON of the same form; what holds no credential comes back as it is.
 * @param credentials credentials that must not be seen, whatever they look like; under 6 characters none is
 */
export function maskCredentials<T extends Json>(value: T, credentials: readonly string[] = []): T {
  checkArguments("maskCredentials", { credentials }, { credentials: TEXTS });
  // The longest first: one may be the beginning of another.
  const literals = credentials
    .filter((each) => each.length >= 6)
    .sort((one, other) => other.length - one.length);
  return mask(value, literals) as T;
}

function mask(value: Json, literals: readonly string[]): Json {
  if (typeof value === "string") return maskText(value, literals);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => mask(item, literals));
  // From entries: a key `__proto__` must stay a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      maskText(key, literals),
      carriesCredential(key) ? maskAll(item, literals) : mask(item, literals),
    ]),
  );
}

/** Every text below a key that names a credential, but for reasons; numbers are counts. */
function maskAll(value: Json, literals: readonly string[]): Json {
  if (typeof value === "string") {
    if (isReasonAt(value, 0)) return maskText(value, literals);
    return value === "" ? value : MASKED;
  }
  if (Array.isArray(value)) return value.map((item: Json) => maskAll(item, literals));
  return mask(value, literals);
}

function maskText(text: string, literals: readonly string[]): string {
  let masked = text;
  for (const each of literals) masked = masked.replaceAll(each, MASKED);
  masked = maskAssigned(masked);
  masked = masked.replace(BEARER, `$1$2${MASKED}`).replace(BASIC, `$1$2${MASKED}`);
  masked = masked.replace(USER_INFO, `$1${MASKED}@`).replace(QUERY_KEY, `$1${MASKED}`);
  masked = masked.replace(WEBHOOK, `$1${MASKED}`).replace(USER_FLAG, `$1$2${MASKED}`);
  masked = masked.replace(FLAG, (all: string, name: string, space: string) =>
    carriesCredential(name) ? `--${name}${space}${MASKED}` : all,
  );
  masked = masked.replace(SAID, `$1${MASKED}`).replace(BESIDE, `$1${MASKED}`);
  for (const shape of SHAPES) masked = masked.replace(shape, MASKED);
  return masked;
}
