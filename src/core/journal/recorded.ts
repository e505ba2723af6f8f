/** The values behind a journal's hashes, for showing a difference with both of its sides. */
import { asJson, hashOf, type Json, type JsonObject } from "../kernel/index.js";
import type { DirectiveRecord, EventLine, HeaderLine, Line, ListPart } from "./line.js";

/** What stands for a value that no line of the journal holds. */
export type Unresolved = { readonly "@hash": string };

/** Finds recorded values by their hash; made only where a difference is to be shown. */
export class RecordedValues {
  readonly #values = new Map<string, Json>();
  readonly #lists = new Map<string, readonly string[]>();

  constructor(lines: Iterable<Line>) {
    for (const line of lines) {
      if (line.type === "header") this.#hold((line as HeaderLine).input);
      if (line.type === "event") this.#event(line);
    }
  }

  /** The value behind a part's hash; for a List, its items as an array. */
  part(record: DirectiveRecord, name: string): Json | undefined {
    const part = record.parts[name];
    if (part === undefined) return undefined;
    if (typeof part === "string") return this.value(part);
    if ("is" in part) return part.is;
    const items = this.#lists.get(`${record.type}.${name}@${part.list}`) ?? part.items;
    return items.map((hash) => this.value(hash));
  }

  /** The value with a hash. */
  value(hash: string): Json {
    const value = this.#values.get(hash);
    return value === undefined ? { "@hash": hash } : this.#expand(value);
  }

  /** A stored value with what it refers to in its place. */
  #expand(value: Json): Json {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#expand(item));
    const object = value as JsonObject;
    const reference = object["@hash"];
    if (typeof reference === "string" && Object.keys(object).length === 1) {
      return this.#values.get(reference) ?? value;
    }
    return Object.fromEntries(
      Object.entries(object).map(([key, child]) => [key, this.#expand(child)]),
    );
  }

  #event(line: EventLine): void {
    this.#hold(asJson(line.event));
    for (const [hash, value] of Object.entries(line.values ?? {})) this.#values.set(hash, value);
    for (const record of line.directives ?? []) {
      for (const [name, part] of Object.entries(record.parts)) {
        if (typeof part === "object" && "list" in part) this.#list(`${record.type}.${name}`, part);
      }
    }
  }

  #list(key: string, part: ListPart): void {
    const items = [...(this.#lists.get(key) ?? []).slice(0, part.from), ...part.items];
    this.#lists.set(key, items);
    this.#lists.set(`${key}@${part.list}`, items);
  }

  #hold(value: Json): void {
    this.#values.set(hashOf(value), value);
    if (typeof value !== "object" || value === null) return;
    for (const child of Array.isArray(value) ? value : Object.values(value as JsonObject)) {
      this.#hold(child);
    }
  }
}
