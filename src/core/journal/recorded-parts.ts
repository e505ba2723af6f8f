/**
 * Completes the directives that a line records: it has only the parts that differ from the last directive
 * of the same type, and this adds the others.
 */
import { isReference, type Json } from "../kernel/values/index.js";
import type { DirectiveRecord, Line, Node } from "./line.js";

/** A recorded directive with all its parts, as nodes. */
export interface RecordedDirective {
  readonly type: string;
  readonly id?: string;
  readonly parts: ReadonlyMap<string, Node>;
}

/** The last directive of each type; lines are taken in one by one, in their order. */
export class RecordedParts {
  readonly #last = new Map<string, ReadonlyMap<string, Node>>();

  /** Takes a line in. @returns its directives, each with all its parts */
  take(line: Line): readonly RecordedDirective[] {
    return "event" in line ? (line.do ?? []).map((each) => this.directive(each)) : [];
  }

  /** Takes a directive in. */
  directive({ type, id, "-": gone = [], ...changed }: DirectiveRecord): RecordedDirective {
    const parts = new Map(this.#last.get(type));
    for (const name of gone) parts.delete(name);
    for (const name in changed) parts.set(name, changed[name] as Node);
    this.#last.set(type, parts);
    return { type, ...(id === undefined ? {} : { id }), parts };
  }

  /** The parts of the last directive of each type. */
  get last(): Iterable<ReadonlyMap<string, Node>> {
    return this.#last.values();
  }

  /** The value of a node that is written out; a reference stays one. */
  value(node: Node): Json {
    if (typeof node !== "string") return node;
    if (node.startsWith("=")) return node.slice(1);
    return isReference(node) ? { "@ref": node } : node;
  }
}
