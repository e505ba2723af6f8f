/**
 * Opens the sealed texts of a directive for the port that carries it out. The journal, the state and the machine hold
 * them sealed: whoever throws a key away has removed what was sealed with it from every copy.
 */
import type { FailedAttempt } from "../../core/driver/live.js";
import {
  asJson,
  isList,
  type Json,
  type JsonObject,
  type List,
  toArray,
} from "../../core/kernel/index.js";
import type { Unseal } from "../ports.js";
import type { PortDirective } from "./attempt.js";
import { errorOf } from "./error-of.js";

/** With what a sealed text begins; a redaction hook seals, and whatever stands behind is its own. */
const SEALED = "sealed:";

/**
 * Returns a directive with its sealed texts opened.
 * @returns the failure of its attempt, where one cannot be
 */
export async function openedFor<Directive extends PortDirective>(
  directive: Directive,
  unseal: Unseal,
): Promise<Directive | FailedAttempt> {
  try {
    return (await opened(asJson(directive), unseal)) as unknown as Directive;
  } catch (thrown) {
    return { error: errorOf(thrown, "port.failed"), refused: true };
  }
}

/** Returns true if a directive has a text to open. */
export function isSealedIn(value: Json): boolean {
  if (typeof value === "string") return value.startsWith(SEALED);
  if (typeof value !== "object" || value === null) return false;
  return itemsOf(value).some(isSealedIn);
}

function itemsOf(value: JsonObject | readonly Json[]): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isList(value as Json) ? toArray(value as unknown as List<Json>) : Object.values(value);
}

async function opened(value: Json, unseal: Unseal): Promise<Json> {
  if (!isSealedIn(value)) return value;
  if (typeof value === "string") {
    const text: unknown = await unseal(value);
    if (typeof text === "string") return text;
    throw new TypeError("unseal did not return a text");
  }
  const object = value as JsonObject | readonly Json[];
  const items = await Promise.all(itemsOf(object).map((each) => opened(each, unseal)));
  if (Array.isArray(object) || isList(object as Json)) return items;
  return Object.fromEntries(Object.keys(object).map((key, i) => [key, items[i] as Json]));
}
