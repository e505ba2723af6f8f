/** Strips a model's text of Markdown, tags, quotes and full-width letters. */

/** More is prose; what a model concludes stands at the end. */
const MAX_LENGTH = 20_000;

/** The end of a text, decoration and runs of space taken out, one line each. */
export function plainText(text: string): string {
  return (
    text
      .slice(-MAX_LENGTH)
      .replace(/(\d)½/g, "$1.5")
      .normalize("NFKC")
      .replace(/[\u200B-\u200F\u2060]|\u20E3|\uFE0F/g, "")
      .replace(/\p{Extended_Pictographic}/gu, " ")
      .replace(/[’‘]/g, "'")
      // Minus signs and hyphens that NFKC leaves apart.
      .replace(/[‐‑‒−]/g, "-")
      // <score>7</score>, \boxed{7}
      .replace(/<\/\w{1,20}>/g, " ")
      .replace(/<([a-z]\w{0,20})>/gi, "$1: ")
      .replace(/\\boxed\b/g, " ")
      .replace(/<([^<>\n]{1,20})>/g, "$1")
      .replace(/[*_`"“”[\]{}|#~]/g, " ")
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?(?:\n ?)+/g, "\n")
      .trim()
  );
}
