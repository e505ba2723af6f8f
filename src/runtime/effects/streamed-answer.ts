/** What a model has streamed of an answer that is not there yet. Unredacted. */
import type { AssistantPart, PartialAnswer } from "../../core/kernel/index.js";
import type { Delta } from "../ports.js";
import { MAX_RESULT_LENGTH } from "./result-length.js";

interface StreamedPart {
  readonly type: "text" | "reasoning";
  text: string;
}

/** Characters of JSON around a part's text. */
const AROUND_PART = 40;

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

  /** Whether nothing was said. */
  get isEmpty(): boolean {
    return this.#kept === 0;
  }

  take({ type, text }: Delta): void {
    // A call is taken whole or not at all.
    if (type === "tool-input") return;
    const room = this.#cut > 0 ? 0 : MAX_RESULT_LENGTH - this.#kept;
    const piece = text.length <= room ? text : cut(text, room);
    this.#kept += piece.length;
    this.#cut += text.length - piece.length;
    if (piece === "") return;
    const last = this.#parts.at(-1);
    if (last?.type === type) last.text += piece;
    else this.#parts.push({ type, text: piece });
  }

  /**
   * What there is of the answer, and a note on what is left out.
   * @param most characters of JSON
   */
  partial(most: number = MAX_RESULT_LENGTH): PartialAnswer {
    return { content: this.#content(most), usage: { requests: this.#attempt } };
  }

  #content(most: number): AssistantPart[] {
    const content: AssistantPart[] = [];
    let room = most;
    let left = this.#kept + this.#cut;
    for (const { type, text } of this.#parts) {
      const piece = fitting(text, room - AROUND_PART);
      if (piece !== "") content.push({ type, text: piece });
      left -= piece.length;
      if (piece.length < text.length) break;
      room -= AROUND_PART + JSON.stringify(piece).length;
    }
    if (left > 0) content.push({ type: "text", text: `[cut: ${left} more characters]` });
    return content;
  }
}

/** The longest beginning of a text that has at most so many characters of JSON. */
function fitting(text: string, most: number): string {
  if (JSON.stringify(text).length <= most) return text;
  let fits = 0;
  let exceeds = Math.min(text.length, Math.max(1, most));
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (JSON.stringify(text.slice(0, middle)).length <= most) fits = middle;
    else exceeds = middle;
  }
  return cut(text, fits);
}

/** The beginning of a text, of so many characters or one less: half of a surrogate pair is not a string. */
function cut(text: string, most: number): string {
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);
}
