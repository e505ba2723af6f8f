/**
 * Builds the WHERE part of a statement, with its parameters. It always begins with the scope;
 * column names come from here, and what a user says is always a parameter.
 */
import type { NodeFilter } from "../../core/decisions/index.js";
import type { SqlValue } from "./session.js";

/** The ids in a list of texts are of an alphabet without commas: one parameter holds any number. */
export function listOf(texts: readonly string[]): string {
  return texts.join(",");
}

/** See the banner. */
export class Where {
  readonly parameters: SqlValue[] = [];
  readonly #conditions: string[] = [];

  constructor(scope: string) {
    this.#conditions.push(`scope = ${this.add(scope)}`);
  }

  /** Adds a parameter and gives its placeholder. */
  add(value: SqlValue): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  and(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** A condition that a column holds one of these ids or known words. */
  isOneOf(column: string, texts: readonly string[]): string {
    if (texts.length === 0) return "1 = 0";
    if (texts.length === 1) return `${column} = ${this.add(texts[0] as string)}`;
    const list = this.add(listOf(texts));
    return `${column} IN (SELECT unnest(string_to_array(${list}, ',')))`;
  }

  /** The same among the conditions. */
  oneOf(column: string, texts: readonly string[]): this {
    return this.and(this.isOneOf(column, texts));
  }

  /** What a filter of nodes says. */
  filter(filter: NodeFilter): this {
    const { ids, types, statuses, text, createdFrom, createdBefore } = filter;
    if (ids !== undefined) this.oneOf("id", ids);
    if (types !== undefined) this.oneOf("type", types);
    if (statuses !== undefined) this.oneOf("status", statuses);
    if (createdFrom !== undefined) this.and(`created_at >= ${this.add(createdFrom)}`);
    if (createdBefore !== undefined) this.and(`created_at < ${this.add(createdBefore)}`);
    if (text !== undefined && text !== "") {
      const part = this.add(text);
      this.and(`(strpos(label, ${part}) > 0 OR strpos(rationale, ${part}) > 0)`);
    }
    return this;
  }

  toString(): string {
    return `WHERE ${this.#conditions.join(" AND ")}`;
  }
}
