/**
 * Strips a model's text of what is not its answer: a byte order mark, and the thinking that some models
 * write in front (`<think>…</think>`) where their server does not separate the two.
 */

const OPENING = /^<(think|thinking|thought|reasoning)>/i;
/** A template may have written the opening tag, so that the answer has only the closing one. */
const CLOSING = "</think>";

/**
 * A text from where the answer begins. Of thinking that never ends nothing is left. The time is linear
 * in the text's length.
 */
export function spokenText(text: string): string {
  const start = startOf(text, 0);
  let from = start;
  for (let tag = tagAt(text, from); tag !== undefined; tag = tagAt(text, from)) {
    const end = text.indexOf(`</${tag}>`, from);
    if (end < 0) return "";
    from = startOf(text, end + tag.length + 3);
  }
  const closed = from === start ? text.indexOf(CLOSING) : -1;
  const rest = closed < 0 ? text.length : startOf(text, closed + CLOSING.length);
  return text.slice(rest < text.length ? rest : from);
}

function tagAt(text: string, at: number): string | undefined {
  return text.charAt(at) === "<" ? OPENING.exec(text.slice(at, at + 12))?.[1] : undefined;
}

/** The index of the first character that is no space and no byte order mark. */
function startOf(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
}
