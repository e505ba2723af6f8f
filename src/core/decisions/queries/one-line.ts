/**
 * A text as a single line, so that what a model wrote cannot look like a heading or another node.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
