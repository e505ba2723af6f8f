/**
 * Collects the text and reasoning that a model has streamed in one attempt, unredacted, so that the part which
 * is there is kept when the call is stopped.
 */
import type { Streamed } from "../../core/driver/for-live-runs.js";
import { beginningOf } from "../../core/kernel/values/index.js";
import type { Delta } from "../ports/ports.js";
import { MAX_RESULT_LENGTH } from "./result-length.js";

interface StreamedPart {
  readonly type: "text" | "reasoning";
  text: string;
}

/** One answer that is being written, in one attempt; as much of it is kept as an answer may be large. */
export class StreamedAnswer {
  readonly #attempt: number;
  readonly #parts: StreamedPart[] = [];
  /** Characters that are kept, and how many came when there were too many. */
  #kept = 0;
  #cut = 0;

  /** @param attempt how often the answer was asked for, this time included */
  constructor(attempt: number) {
    this.#attempt = attempt;
  }

  take({ type, text }: Delta): void {
    // A call is taken whole or not at all.
    if (type === "tool-input") return;
    const room = this.#cut > 0 ? 0 : MAX_RESULT_LENGTH - this.#kept;
    const piece = text.length <= room ? text : beginningOf(text, room);
    this.#kept += piece.length;
    this.#cut += text.length - piece.length;
    if (piece === "") return;
    const last = this.#parts.at(-1);
    if (last?.type === type) last.text += piece;
    else this.#parts.push({ type, text: piece });
  }

  /** Returns the answer so far. */
  partial(): Streamed {
    const cut = this.#cut === 0 ? {} : { cut: this.#cut };
    // A copy: what streams on is not in it.
    const content = this.#parts.map((part) => ({ ...part }));
    return { content, usage: { requests: this.#attempt }, ...cut };
  }
}
