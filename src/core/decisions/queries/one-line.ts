/** A text in one line: what a model wrote cannot pass for a heading or for another node. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
