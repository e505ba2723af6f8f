/**
 * Checks scopes, which separate several agents, sessions or tenants in one decision store. In a store opened
 * with scopes, a missing scope is an error, and never means everything.
 */
import { ReckonerError } from "../../../core/kernel/values/index.js";

/**
 * Gives the scope of a query or an operation; the empty text in a store without scopes.
 * @param isScoped true if the store was opened with scopes
 * @param before the scope of the operation before it
 * @throws ReckonerError `decisions.scope` where it is missing, must not be, or is another one
 */
export function checkScope(
  scope: string | undefined,
  path: string,
  isScoped: boolean,
  before?: string,
): string {
  const place = `${path}.scope`;
  const refused = (what: string) =>
    new ReckonerError("decisions.scope", `${place} ${what}`, { place });
  if (scope === undefined && isScoped) {
    throw refused("is missing; the store was opened with scopes, so say whose graph is meant.");
  }
  if (scope !== undefined && !isScoped) {
    throw refused(`is "${scope}", but the store was opened without scopes; open it with them.`);
  }
  if (before !== undefined && scope !== undefined && before !== scope) {
    throw refused(`is "${scope}", not "${before}"; a transaction has one scope.`);
  }
  return scope ?? "";
}
