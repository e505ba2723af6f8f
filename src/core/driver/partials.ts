/**
 * Collects, for the `interrupt` event, the text that models had streamed of answers that the interrupt cuts
 * off, and cuts it to the size that an event may have.
 */

import { owedBy, type RunState } from "../kernel/machine/index.js";
import { beginningOf } from "../kernel/values/index.js";
import type { AssistantPart, PartialAnswer } from "../kernel/vocabulary/index.js";
import type { Outcome, Streamed } from "./arrived.js";
import type { Live } from "./effects.js";

/** Characters of JSON that unfinished answers may have together. */
const MAX_PARTIAL = 5 * 1024 * 1024;

/** Characters of JSON around a part's text. */
const AROUND_PART = 40;

/**
 * Returns what a model call that was told to stop had said. A whole answer that comes all the same came after
 * the turn was over: it counts as what had streamed.
 */
export function unfinished(outcome: Outcome): Streamed | undefined {
  if (outcome.type === "stopped") return outcome.partial;
  if (outcome.type === "failed" || outcome.settlement.type !== "llm.succeeded") return undefined;
  const { content, usage } = outcome.settlement;
  const isText = ({ type }: AssistantPart) => type === "text" || type === "reasoning";
  return { content: content.filter(isText), usage };
}

/** Returns what each model call that is owed had said, as the event that ends a turn has it. */
export function partialsOf(
  state: RunState<unknown>,
  liveOf: (id: string) => Live | undefined,
): { readonly [id: string]: PartialAnswer } {
  const partials = owedBy(state).flatMap((effect): (readonly [string, Streamed])[] => {
    if (effect.type !== "llm") return [];
    const { partial, attempt = 0 } = liveOf(effect.id) ?? {};
    return [[effect.id, partial ?? { content: [], usage: { requests: attempt } }]];
  });
  return fittingPartials(Object.fromEntries(partials), MAX_PARTIAL);
}

/**
 * Cuts unfinished answers, so that together they are as large as one answer may be. A note at
 * the end of one says how much of it was cut.
 * @param most characters of JSON of all of them
 */
export function fittingPartials(
  partials: { readonly [id: string]: Streamed },
  most: number,
): { readonly [id: string]: PartialAnswer } {
  const count = Object.values(partials).filter(({ content }) => content.length > 0).length;
  const share = Math.floor(most / Math.max(1, count));
  return Object.fromEntries(
    Object.entries(partials).map(([id, { content, cut = 0, ...rest }]) => [
      id,
      { content: fittingContent(content, share, cut), ...rest },
    ]),
  );
}

/** Parts of text in at most so many characters of JSON, and a note on what is left out. */
function fittingContent(
  parts: readonly AssistantPart[],
  most: number,
  cut: number,
): AssistantPart[] {
  const content: AssistantPart[] = [];
  let room = most;
  let left = parts.reduce((sum, part) => sum + textOf(part).length, cut);
  for (const part of parts) {
    const text = textOf(part);
    const piece = fitting(text, room - AROUND_PART);
    if (piece !== "") content.push({ ...part, text: piece } as AssistantPart);
    left -= piece.length;
    if (piece.length < text.length) break;
    room -= AROUND_PART + JSON.stringify(piece).length;
  }
  if (left > 0) content.push({ type: "text", text: `[cut: ${left} more characters]` });
  return content;
}

const textOf = (part: AssistantPart) => ("text" in part ? part.text : "");

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
  return beginningOf(text, fits);
}
