/**
 * The unfinished answers of models, which an interrupt keeps. Unredacted: the interrupt event that
 * contains them is redacted as a whole. (For observers see `streaming-messages.ts`.)
 */
import type { AssistantPart, Effect, PartialAnswer } from "../../core/kernel/index.js";
import { MAX_RESULT_LENGTH } from "../effects/result-length.js";
import type { Delta } from "../ports.js";

interface WrittenPart {
  readonly type: "text" | "reasoning";
  text: string;
}

/** One answer that is being written. */
interface Written {
  readonly attempt: number;
  readonly parts: WrittenPart[];
  /** Characters that are kept, and how many came when there were too many. */
  kept: number;
  truncate: number;
}

/** Characters of JSON around a part's text. */
const AROUND_PART = 40;

/** The answers of one run that are being written. */
export class Partials {
  readonly #written = new Map<string, Written>();

  /** An attempt begins: what an earlier one wrote is void. */
  begin(id: string, attempt: number): void {
    this.#written.set(id, { attempt, parts: [], kept: 0, truncate: 0 });
  }

  take(id: string, attempt: number, { type, text }: Delta): void {
    const written = this.#written.get(id);
    // A call is taken whole or not at all.
    if (written?.attempt !== attempt || type === "tool-input") return;
    const room = written.truncate > 0 ? 0 : MAX_RESULT_LENGTH - written.kept;
    const piece = text.length <= room ? text : cut(text, room);
    written.kept += piece.length;
    written.truncate += text.length - piece.length;
    if (piece === "") return;
    const last = written.parts.at(-1);
    if (last?.type === type) last.text += piece;
    else written.parts.push({ type, text: piece });
  }

  /** The answer is there, or nobody wants it any more. */
  drop(id: string): void {
    this.#written.delete(id);
  }

  /**
   * What there is of the answers among what is owed, by id, and how often each was asked for. Together
   * they are as large as one answer may be; what is cut of one is said at its end.
   */
  among(owed: readonly Effect[]): { readonly [id: string]: PartialAnswer } {
    const ids = idsOfModelCalls(owed);
    const said = ids.filter((id) => (this.#written.get(id)?.kept ?? 0) > 0).length;
    const share = Math.floor(MAX_RESULT_LENGTH / Math.max(1, said));
    return Object.fromEntries(
      ids.map((id) => {
        const written = this.#written.get(id);
        const content = written === undefined ? [] : contentOf(written, share);
        return [id, { content, usage: { requests: written?.attempt ?? 0 } }];
      }),
    );
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

/** What was written, in at most so many characters of JSON, and a note on what is left out. */
function contentOf({ parts, kept, truncate }: Written, most: number): AssistantPart[] {
  const content: AssistantPart[] = [];
  let room = most;
  let left = kept + truncate;
  for (const { type, text } of parts) {
    const piece = fitting(text, room - AROUND_PART);
    if (piece !== "") content.push({ type, text: piece });
    left -= piece.length;
    if (piece.length < text.length) break;
    room -= AROUND_PART + JSON.stringify(piece).length;
  }
  if (left > 0) content.push({ type: "text", text: `[cut: ${left} more characters]` });
  return content;
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
