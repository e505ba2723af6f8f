/**
 * Checks the context that a user's migration returned for an agent or a Graph of Thoughts: each part that
 * the machine itself needs must be there, and of its kind. Called when a run is upgraded.
 */
import { collectionKey, LIST_KEY, TABLE_KEY, VECTOR_KEY } from "../values/json.js";
import { upgradeRefused } from "./migrate.js";

/**
 * A migration must return all parts of the machine's own context, each of the kind that it has.
 * @param name the reasoner's name
 * @param fresh a context of a run that begins; a part that is `null` there may be of any kind
 * @throws ReckonerError `upgrade.refused`
 */
export function checkCarried<Context extends object>(
  name: string,
  context: Context,
  fresh: Context,
): void {
  for (const [part, own] of Object.entries(fresh)) {
    const value: unknown = context[part as keyof Context];
    if (value !== undefined && (own === null || kindOf(value) === kindOf(own))) continue;
    const what = value === undefined ? "is missing" : `is ${kindOf(value)} and not ${kindOf(own)}`;
    const maker = MAKERS[kindOf(own)];
    const remedy = maker === undefined ? "" : `, and ${maker} where it changes ${kindOf(own)}`;
    throw upgradeRefused(
      `of ${name}'s migrated context ${part} ${what}; have the migration return { ...context, … }${remedy}`,
    );
  }
}

/** The function that makes each kind of collection. */
const MAKERS: { readonly [kind: string]: string } = {
  "a List": "lists.of(array)",
  "a Vector": "vectors.of(array)",
  "a Table": "tables.set(table, key, value)",
};

const KINDS: { readonly [key: string]: string } = {
  [LIST_KEY]: "a List",
  [VECTOR_KEY]: "a Vector",
  [TABLE_KEY]: "a Table",
};

function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return value === null ? "null" : `of type ${typeof value}`;
  }
  if (Array.isArray(value)) return "an array";
  return KINDS[collectionKey(value) ?? ""] ?? "of type object";
}
