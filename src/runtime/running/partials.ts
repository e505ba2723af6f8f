/**
 * What models have written so far of answers that are not there yet: what an interrupt keeps of them.
 * As the model sent it: the event that holds it is redacted whole.
 */
import type { AssistantPart, Effect, PartialAnswer } from "../../core/kernel/index.js";
import type { Delta } from "../ports.js";

/** One answer that is being written. */
interface Written {
  attempt: number;
  parts: { readonly type: "text" | "reasoning"; text: string }[];
}

/** The answers of one run that are being written. */
export class Partials {
  readonly #written = new Map<string, Written>();

  /** An attempt begins: what an earlier one wrote is void. */
  begin(id: string, attempt: number): void {
    this.#written.set(id, { attempt, parts: [] });
  }

  take(id: string, attempt: number, { type, text }: Delta): void {
    const written = this.#written.get(id);
    // A call is taken whole or not at all.
    if (written?.attempt !== attempt || type === "tool-input") return;
    const last = written.parts.at(-1);
    if (last?.type === type) last.text += text;
    else written.parts.push({ type, text });
  }

  /** The answer is there, or nobody wants it any more. */
  drop(id: string): void {
    this.#written.delete(id);
  }

  /** What there is of an answer, and that it was asked for as often as that. */
  of(id: string): PartialAnswer {
    const { attempt = 0, parts = [] } = this.#written.get(id) ?? {};
    const content = parts.map((part): AssistantPart => ({ ...part }));
    return { content, usage: { requests: attempt } };
  }

  /** What there is of the answers among what is owed, by id. */
  among(owed: readonly Effect[]): { readonly [id: string]: PartialAnswer } {
    return Object.fromEntries(idsOfModelCalls(owed).map((id) => [id, this.of(id)]));
  }

  /** How many are kept; for tests of the cleanup. */
  get size(): number {
    return this.#written.size;
  }
}

/** Which of the effects ask a model. */
export function idsOfModelCalls(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap(({ type, id }) => (type === "llm" ? [id] : []));
}
