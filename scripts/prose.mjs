// Finds the prose of a Markdown page: its paragraphs and list items. Code blocks, tables, headings and
// lists of links are none.

const NO_PROSE = /^\s*(?:#{1,6} |\||<|!?\[!?\[|!\[)/;
const LINKS_ALONE = /^(?:[-*·|]|\d+\.)?\s*(?:\[[^\]]*\]\([^)]*\)[\s·,|]*)+$/;
const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;

/** The text of a line without its marks of lists, quotes, links and emphasis. */
const plain = (line) =>
  line
    .replace(ITEM, "")
    .replace(/^\s*>\s?/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*/g, "")
    .replace(/(?<![\w`])_([^_]+)_(?!\w)/g, "$1")
    .trim();

/** The paragraphs and list items of a page, each with its first line. */
export function paragraphsOf(text) {
  const found = [];
  let [isCode, isOpen] = [false, false];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    const isProse = !isCode && !line.trimStart().startsWith("```") && !NO_PROSE.test(line);
    if (!isProse || LINKS_ALONE.test(line.trim()) || line.trim() === "") isOpen = false;
    else if (isOpen && !ITEM.test(line)) found.at(-1).text += `\n${plain(line)}`;
    else {
      found.push({ text: plain(line), line: i + 1 });
      isOpen = true;
    }
  }
  return found;
}
