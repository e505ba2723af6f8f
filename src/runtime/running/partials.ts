/**
 * The unfinished answers of models, which an interrupt keeps. Unredacted: the interrupt event that
 * contains them is redacted as a whole. (For observers see `streaming-messages.ts`.)
 */
import type { Effect, PartialAnswer } from "../../core/kernel/index.js";
import { MAX_RESULT_LENGTH } from "../effects/result-length.js";
import type { StreamedAnswer } from "../effects/streamed-answer.js";

/** The answers of one run that are being written. */
export class Partials {
  readonly #attempts = new Map<string, number>();
  readonly #streamed = new Map<string, StreamedAnswer>();

  /** An attempt begins: what an earlier one wrote is void. */
  begin(id: string, attempt: number): void {
    this.#attempts.set(id, attempt);
    this.#streamed.delete(id);
  }

  /** Something of an answer is there. */
  take(id: string, streamed: StreamedAnswer): void {
    if (this.#attempts.has(id)) this.#streamed.set(id, streamed);
  }

  /** The answer is there, or nobody wants it any more. */
  drop(id: string): void {
    this.#attempts.delete(id);
    this.#streamed.delete(id);
  }

  /**
   * What there is of the answers among what is owed, by id, and how often each was asked for. Together
   * they are as large as one answer may be; what is cut of one is said at its end.
   */
  among(owed: readonly Effect[]): { readonly [id: string]: PartialAnswer } {
    const ids = idsOfModelCalls(owed);
    const said = ids.filter((id) => this.#streamed.get(id)?.isEmpty === false).length;
    const share = Math.floor(MAX_RESULT_LENGTH / Math.max(1, said));
    return Object.fromEntries(
      ids.map((id) => {
        const nothing = { content: [], usage: { requests: this.#attempts.get(id) ?? 0 } };
        return [id, this.#streamed.get(id)?.partial(share) ?? nothing];
      }),
    );
  }

  /** How many are kept; for tests of the cleanup. */
  get size(): number {
    return this.#attempts.size;
  }
}

/** Which of the effects ask a model. */
export function idsOfModelCalls(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap(({ type, id }) => (type === "llm" ? [id] : []));
}
