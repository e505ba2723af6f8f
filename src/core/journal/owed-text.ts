/**
 * Writes the outstanding directives for the text whose digest proves a state (`state-text.ts`). The last
 * directive of each type is only named, since its parts are in the journal's memory, which the digest
 * covers as well.
 */
import {
  asJson,
  isJsonObject,
  type Json,
  quoted,
  refOf,
  type Table,
  tableText,
} from "../kernel/values/index.js";
import type { Effect } from "../kernel/vocabulary/index.js";

/** The refs of a directive's parts. */
type Parts = { readonly [part: string]: string };

/** The texts of what is outstanding in one run, one after the other. */
export class OwedText {
  /** By type, the directive that was issued last, and its parts: what follows from them need not be found. */
  readonly #last = new Map<string, { readonly directive: object; readonly parts: Parts }>();

  /** Takes in that a directive was issued which has these parts. */
  issued(directive: { readonly type: string }, parts: Parts): void {
    this.#last.set(directive.type, { directive, parts });
  }

  /** @param parts of the last directive of each type */
  of(outstanding: Table<Effect>, parts: { readonly [type: string]: Parts }): string {
    return tableText(asJson(outstanding), (value, key) => {
      const directive = value as unknown as Effect;
      if (!isJsonObject(value) || directive.id !== key) return refOf(value);
      const { type } = directive;
      const lastParts = Object.hasOwn(parts, type) ? parts[type] : undefined;
      if (lastParts === undefined) return refOf(value);
      const last = this.#last.get(type);
      const isLast = last?.directive === directive && last.parts === lastParts;
      return isLast || hasParts(directive, lastParts) ? `=${quoted(type)}` : refOf(value);
    });
  }
}

/** Returns true if a directive has just these parts. */
function hasParts(directive: Effect, parts: Parts): boolean {
  let count = 0;
  for (const part in directive) {
    if (part === "type" || part === "id") continue;
    const value = directive[part as keyof Effect] as Json | undefined;
    if (value === undefined) continue;
    if (!Object.hasOwn(parts, part) || parts[part] !== refOf(value)) return false;
    count += 1;
  }
  return count === Object.keys(parts).length;
}
