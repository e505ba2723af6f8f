/** Reads a model's verdict: valid or not. */
import type { JsonObject } from "../../kernel/index.js";
import { jsonIn } from "./json-in.js";

const words = /\b(not valid|invalid|incorrect|valid|correct|yes|no|true|false)\b/gi;
const positive: ReadonlySet<string> = new Set(["valid", "correct", "yes", "true"]);

/** The last word that says it; `{"valid": true}` wins. `undefined` where nothing does. */
export function parseVerdict(text: string): boolean | undefined {
  for (const value of jsonIn(text).reverse()) {
    const valid = (value as JsonObject | null)?.valid;
    if (typeof valid === "boolean") return valid;
  }
  const last = [...text.slice(-20_000).matchAll(words)].at(-1)?.[1];
  return last === undefined ? undefined : positive.has(last.toLowerCase());
}
