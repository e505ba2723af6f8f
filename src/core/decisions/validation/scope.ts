/**
 * Checks scopes, which separate several agents, sessions or tenants in one store. In a store opened
 * with scopes, a missing scope is an error, and never means everything.
 */
import { ReckonerError } from "../../kernel/index.js";
import type { Fields } from "./fields.js";

/** The scope of a query, or of all operations of a transaction. */
export class ScopeCheck {
  readonly #scoped: boolean;
  #scope: string | undefined;

  /** @param scoped whether the store was opened with scopes */
  constructor(scoped: boolean) {
    this.#scoped = scoped;
  }

  /** The scope that was taken; the empty text in a store without scopes. */
  get scope(): string {
    return this.#scope ?? "";
  }

  /** @throws ReckonerError `decisions.scope` where it is missing, must not be, or is another one */
  take(fields: Fields): void {
    const place = `${fields.path}.scope`;
    const refused = (what: string) =>
      new ReckonerError("decisions.scope", `${place} ${what}`, { place });
    if (!fields.has("scope")) {
      if (this.#scoped) {
        throw refused("is missing; the store was opened with scopes, so say whose graph is meant.");
      }
      return;
    }
    const scope = fields.id("scope");
    if (!this.#scoped) {
      throw refused(`is "${scope}", but the store was opened without scopes; open it with them.`);
    }
    if (this.#scope !== undefined && this.#scope !== scope) {
      throw refused(`is "${scope}", not "${this.#scope}"; a transaction has one scope.`);
    }
    this.#scope = scope;
  }
}
