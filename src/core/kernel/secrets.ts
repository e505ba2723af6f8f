/** Keys that look like secrets: warned of in `deps`, and left out where a context is serialised. */
import { childPath } from "./json.js";

/** Word-parts, and runs of word-parts, that name a secret; from the Nous agent context's list. */
const secretWords: ReadonlySet<string> = new Set([
  "apikey",
  "token",
  "secret",
  "password",
  "passwd",
  "authorization",
  "credential",
  "credentials",
  "privatekey",
  "accesskey",
  "authtoken",
  "bearer",
]);

/** The word-parts of a key: `apiToken`, `api_token` and `API-TOKEN` are `api`, `token`. */
function wordParts(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
}

/** Whether a key names a secret, by whole word-parts: `apiToken` does, `maxTokens` does not. */
export function isSecretKey(key: string): boolean {
  const words = wordParts(key);
  return words.some(
    (word, i) => secretWords.has(word) || secretWords.has(`${word}${words[i + 1] ?? ""}`),
  );
}

/** The paths of all keys in a value that look like secrets. */
export function secretPaths(value: unknown, path = "$"): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => secretPaths(item, `${path}[${i}]`));
  return Object.entries(value).flatMap(([key, child]) =>
    isSecretKey(key) ? [childPath(path, key)] : secretPaths(child, childPath(path, key)),
  );
}
