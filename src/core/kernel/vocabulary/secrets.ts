/**
 * Recognises keys of objects that look like secrets (`apiKey`, `password`): observers get a notice of one
 * in `deps`, serialized contexts leave it out, and its values in error texts are masked.
 */
import { childPath } from "../values/refusal.js";

/** Words that name a secret wherever they stand in a key; their plurals as well. */
const secretWords: ReadonlySet<string> = new Set(
  (
    "password passwd passphrase passcode pwd secret credential cred bearer authorization jwt " +
    "mnemonic dsn apikey privatekey accesskey authtoken accesstoken refreshtoken connectionstring " +
    "clientsecret otp totp cvv cvc"
  ).split(" "),
);

/** Of one word without a sign of where its parts begin: how it ends. */
const secretEndings =
  /(?:passwords?|passwd|passphrases?|secrets?|credentials?|(?:api|private|access|secret|auth|signing|encryption|master|openai|anthropic|stripe|aws|azure)keys?|(?:api|auth|access|refresh|session|bearer|csrf|bot)tokens?|(?:db|smtp|ftp|mail|user|admin|root)pass|connectionstrings?|jwts?|(?<=.)cookies?)$/;

/** The words that make of `key`, and of the plural of `token`, something that opens a door. */
const doors: ReadonlySet<string> = new Set(
  (
    "api private access secret auth oauth master signing encryption decryption hmac ssh gpg pgp " +
    "deploy service account storage subscription webhook session refresh bearer csrf xsrf security " +
    "client bot personal device login user admin root jwt id openai anthropic claude gemini google " +
    "gcp mistral cohere groq deepseek openrouter huggingface hf replicate stripe paypal aws azure " +
    "github gitlab bitbucket npm slack discord telegram twilio sendgrid mailgun pinecone datadog " +
    "sentry supabase firebase cloudflare digitalocean vercel algolia"
  ).split(" "),
);

/** The words that make of a key one of a table, a cache or a pair: nothing that opens a door. */
const plainKeys: ReadonlySet<string> = new Set(
  "public primary foreign partition sort cache idempotency index hot map unique row".split(" "),
);

/** The words that make a password of `pass`. */
const logins: ReadonlySet<string> = new Set(
  "db database sql mysql postgres pg mongo redis smtp imap mail email ftp sftp ldap proxy user admin root login".split(
    " ",
  ),
);

/** The words that make of `code` something that opens a door once. */
const once: ReadonlySet<string> = new Set(
  "mfa 2fa otp totp pin recovery backup security verification".split(" "),
);

/** Behind a secret's name: what is said of a secret, and is none. */
const describing: ReadonlySet<string> = new Set(
  (
    "policy policies rule rules expiry expires expired expiration lifetime ttl rotation length size " +
    "count limit min max minimum maximum strength issuer audience algorithm alg type kind name names " +
    "arn version versions format field label placeholder provider manager required enabled changed " +
    "updated created"
  ).split(" "),
);

/** Before a secret's name: whether there is one, or is to be one. */
const asking: ReadonlySet<string> = new Set(
  "has is needs need requires require required show hide allow no without".split(" "),
);

/** Around `token`: what counts tokens, or tells of one without being it. */
const counting: ReadonlySet<string> = new Set(
  (
    "max min maximum minimum input output total prompt completion cached reasoning context per num " +
    "number budget count counts counter limit limits usage used left size length window price cost " +
    "rate estimate type kind name expiry expires expiration ttl url uri endpoint"
  ).split(" "),
);

/** Where a database lies, with the password in it: `DATABASE_URL`, `mongoUri`. */
const addresses =
  /^(?:database|db|mongo|mongodb|redis|postgres|postgresql|mysql|amqp|jdbc|connection)$/;

/** Between two words of a key. The lookarounds are of a fixed length, so that long keys cost their length. */
const BETWEEN = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** The word-parts of a key: `apiToken`, `api_token` and `API-TOKEN` are `api`, `token`. */
function wordParts(key: string): string[] {
  return key
    .split(BETWEEN)
    .map((part) => part.toLowerCase().replace(/(?<=[a-z])\d+$/, ""))
    .filter((part) => part !== "");
}

/**
 * Returns true when a key names a secret, by whole words, in the singular and the plural: `apiToken`,
 * `OPENAI_KEY`, `passwords`, `clientsecret`, `dbPass`, `pin`, `cookie` do; `maxTokens`, `tokenBudget`,
 * `public_key` do not, nor what only tells of a secret: `passwordPolicy`, `jwtExpiry`, `hasPassword`.
 */
export function isSecretKey(key: string): boolean {
  const words = wordParts(key);
  // The names of environment variables: what is called KEY there is one, but for a few.
  const constant = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key);
  const lastDescribing = words.findLastIndex((word) => describing.has(word));
  return words.some((word, i) => {
    const before = words[i - 1];
    const after = words[i + 1];
    const isSecret =
      isSecretWord(word) ||
      (after !== undefined && isSecretWord(`${word}${after}`)) ||
      isSecretPart(singular(word), word, before, after, constant);
    if (!isSecret || (i <= 1 && asking.has(words[0] as string))) return false;
    return lastDescribing <= i;
  });
}

function isSecretWord(word: string): boolean {
  // Authorizations in the plural are what somebody may do.
  if (word === "authorizations") return false;
  return secretWords.has(word) || secretWords.has(singular(word)) || secretEndings.test(word);
}

/** Words that name a secret only beside others. */
function isSecretPart(
  stem: string,
  word: string,
  before: string | undefined,
  after: string | undefined,
  constant: boolean,
): boolean {
  const opens = before !== undefined && doors.has(before);
  switch (stem) {
    case "token":
      if (counting.has(before ?? "") || counting.has(after ?? "")) return false;
      return word === "token" || opens;
    case "key":
      if (after !== undefined) return false;
      return opens || (constant && !plainKeys.has(before ?? ""));
    case "pin":
      return word === "pin";
    case "pass":
      return after === undefined && before !== undefined && logins.has(before);
    case "code":
      return before !== undefined && once.has(before);
    case "cookie":
      return after === undefined || after === "header" || after === "value" || after === "jar";
    case "url":
    case "uri":
      return before !== undefined && addresses.test(before);
    default:
      return false;
  }
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

/** The paths of all keys in a value that look like secrets. */
export function secretPaths(value: unknown, path = "$"): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => secretPaths(item, `${path}[${i}]`));
  return Object.entries(value).flatMap(([key, child]) =>
    isSecretKey(key) ? [childPath(path, key)] : secretPaths(child, childPath(path, key)),
  );
}
