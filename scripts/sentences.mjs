// The sentences of a comment, and which of them begin with a noun clause.
const NOUN_CLAUSE = /^(?:What|Whatever|Whether|Who|Whoever|Whom|Whose|Which|How|Why)\b/;
/** "Where a run waits, it …" is a condition, "Where a run waits." a noun clause. */
const WHERE = /^Where(?:ver)?\b[^,]*$/;

/** The sentences of a comment, each with its line. */
export function sentencesOf(text, firstLine) {
  const found = [];
  let [open, openLine] = ["", firstLine];
  const end = () => {
    const sentence = open.replace(/\s+/g, " ").trim();
    if (/\p{L}/u.test(sentence)) found.push({ sentence, line: openLine });
    open = "";
  };
  for (const [i, raw] of text.split("\n").entries()) {
    const line = raw.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)\s?/, "").replace(/\*\/\s*$/, "");
    // A blank line and a tag end what is open; a tag's own name is no part of the sentence.
    const tag = /^\s*@\w+\s*/.exec(line);
    if (line.trim() === "" || tag !== null) end();
    const rest = tag === null ? line : line.slice(tag[0].length);
    if (/^\s*(?:biome-ignore|@ts-)/.test(rest)) continue;
    for (const part of rest.split(/(?<=[.?!])\s+(?=["`A-Z{])/)) {
      if (open.trim() === "") openLine = firstLine + i;
      open += `${part} `;
      if (/[.?!]["`)]?$/.test(part.trim())) end();
    }
  }
  end();
  return found;
}

/** Tells whether a sentence begins with a noun clause; a question does not count. */
export const isNounClause = (sentence) =>
  !sentence.endsWith("?") && (NOUN_CLAUSE.test(sentence) || WHERE.test(sentence));
