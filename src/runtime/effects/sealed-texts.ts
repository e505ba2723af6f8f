/**
 * Opens the sealed texts of a directive (those that the user's redaction has encrypted) for the port that
 * carries it out. Journal, state and machine hold them sealed: whoever throws a key away has removed what was
 * sealed with it from every copy.
 */
import type { FailedAttempt } from "../../core/driver/for-live-runs.js";
import {
  asJson,
  isList,
  type Json,
  type JsonObject,
  type List,
  toArray,
} from "../../core/kernel/values/index.js";
import type { Unseal } from "../ports/ports.js";
import type { PortDirective } from "./call-port.js";
import { thrownByPort } from "./error-of.js";

/** The beginning of a sealed text; a redaction hook seals, and whatever stands behind is its own. */
const SEALED = "sealed:";

/** Returns the sealed texts of a directive, each once. */
export function sealedIn(directive: PortDirective): ReadonlySet<string> {
  const texts = new Set<string>();
  collect(asJson(directive), texts);
  return texts;
}

/**
 * Returns a directive with its sealed texts opened.
 * @param texts those of the directive
 * @returns the failure of its attempt, where one cannot be
 */
export async function openedFor<Directive extends PortDirective>(
  directive: Directive,
  texts: ReadonlySet<string>,
  unseal: Unseal,
): Promise<Directive | FailedAttempt> {
  try {
    const open = [...texts].map(async (sealed) => [sealed, await opened(sealed, unseal)] as const);
    return replaced(asJson(directive), new Map(await Promise.all(open))) as never;
  } catch (thrown) {
    return { error: thrownByPort(thrown, "port.failed"), refused: true };
  }
}

async function opened(sealed: string, unseal: Unseal): Promise<string> {
  const text: unknown = await unseal(sealed);
  if (typeof text === "string") return text;
  throw new Error("unseal did not return a text");
}

function itemsOf(value: JsonObject | readonly Json[]): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isList(value) ? toArray(value as unknown as List<Json>) : Object.values(value);
}

function collect(value: Json, texts: Set<string>): void {
  if (typeof value === "string") {
    if (value.startsWith(SEALED)) texts.add(value);
  } else if (typeof value === "object" && value !== null) {
    for (const item of itemsOf(value)) collect(item, texts);
  }
}

function replaced(value: Json, open: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return open.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  const items = itemsOf(value).map((each) => replaced(each, open));
  if (Array.isArray(value) || isList(value)) return items;
  return Object.fromEntries(Object.keys(value).map((key, i) => [key, items[i] as Json]));
}
