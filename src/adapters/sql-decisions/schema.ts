/** The tables of one graph, with names that are safe in a statement. */
import { ReckonerError } from "../../core/kernel/index.js";
import type { TableName } from "./tables.js";

/** Where the numbers of the migrations stand that were carried out. */
export const MIGRATIONS_TABLE = "decision_migrations";

/** See the banner. */
export class Schema {
  readonly name: string;

  /** @throws ReckonerError `store.config` where the name cannot stand in a statement */
  constructor(name: string) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name)) {
      throw new ReckonerError(
        "store.config",
        `schema is ${JSON.stringify(name)}; give a name of 1 to 63 letters, digits and underscores that does not begin with a digit.`,
        { place: "schema" },
      );
    }
    this.name = name;
  }

  /** The name, quoted. */
  get quoted(): string {
    return `"${this.name}"`;
  }

  /** The name of a table within it, quoted. */
  table(name: TableName | typeof MIGRATIONS_TABLE): string {
    return `${this.quoted}.${name}`;
  }
}
