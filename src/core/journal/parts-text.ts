/**
 * Writes the parts of the last directive of each type for the text whose digest proves a state
 * (`state-text.ts`).
 */
import { quoted } from "../kernel/values/index.js";
import type { JournalMemory } from "./memory.js";

type Parts = JournalMemory["parts"][string];

/** The text of the last directives' parts for the state digest, updated step by step: only what changed is written again. */
export class PartsText {
  readonly #types = new Map<string, TypeText>();
  #order: readonly string[] = [];
  #parts: JournalMemory["parts"] | undefined;
  #text = "";

  of(parts: JournalMemory["parts"]): string {
    if (parts !== this.#parts) this.#text = this.#textOf(parts);
    this.#parts = parts;
    return this.#text;
  }

  #textOf(parts: JournalMemory["parts"]): string {
    for (const type in parts) {
      if (!this.#types.has(type)) this.#order = [...this.#order, type].sort();
      const found = this.#types.get(type);
      if (found === undefined) this.#types.set(type, new TypeText(type, parts[type] as Parts));
      else found.take(parts[type] as Parts);
    }
    let text = "";
    for (let i = 0; i < this.#order.length; i++) {
      text += this.#types.get(this.#order[i] as string)?.text;
    }
    return text;
  }
}

/** The text of the last directive of a type. */
class TypeText {
  readonly #type: string;
  #parts: Parts | undefined;
  /** Its parts' names as it has them, and in order, each as it begins its part. */
  #names: readonly string[] = [];
  #sorted: readonly (readonly [name: string, beginning: string])[] = [];
  text = "";

  constructor(type: string, parts: Parts) {
    this.#type = `\n${quoted(type)}`;
    this.take(parts);
  }

  take(parts: Parts): void {
    if (parts === this.#parts) return;
    this.#parts = parts;
    if (!hasNames(parts, this.#names)) {
      this.#names = Object.keys(parts);
      this.#sorted = [...this.#names].sort().map((name) => [name, `${quoted(name)}:`] as const);
    }
    // Each with its length: a snapshot may claim any text as a ref, what stands behind one too.
    let text = "";
    for (const [name, beginning] of this.#sorted) {
      const ref = parts[name] as string;
      text += `${beginning}${ref.length}:${ref},`;
    }
    this.text = `${this.#type}{${text}}`;
  }
}

/** Returns true if parts have just these names, in this order. */
function hasNames(parts: Parts, names: readonly string[]): boolean {
  let at = 0;
  for (const name in parts) {
    if (name !== names[at]) return false;
    at += 1;
  }
  return at === names.length;
}
