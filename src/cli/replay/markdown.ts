/** Writes the results of `replay` and `redrive` as Markdown, for a comment on a pull request. */
import { linesOf, type Regression } from "./regressions.js";

/** The first line of each such file: by it one is known, and may be overwritten. */
export const MARKDOWN_MARK = "<!-- reckoner -->";

/** Groups beyond these are counted. */
const MAX_GROUPS = 20;

/** Returns the Markdown of a command: its sum, what differs, and a table of runs where it has one. */
export function markdownOf(
  title: string,
  sum: string,
  groups: readonly Regression[],
  table: readonly (readonly string[])[] = [],
): string {
  const shown = groups.slice(0, MAX_GROUPS).flatMap((group) => {
    const [first = "", ...rest] = linesOf(group);
    return [`- ${escaped(first)}`, ...rest.map((line) => `  - ${escaped(line.trim())}`)];
  });
  const more = groups.length > MAX_GROUPS ? [`- … and ${groups.length - MAX_GROUPS} more`] : [];
  const [head = [], ...rows] = table;
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escaped(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  const lines =
    rows.length === 0 ? [] : ["", row(head), row(head.map(() => "---")), ...rows.map(row)];
  return [
    MARKDOWN_MARK,
    "",
    `### ${title}`,
    "",
    escaped(sum),
    "",
    ...shown,
    ...more,
    ...lines,
    "",
  ].join("\n");
}

/** A text on one line, in which nothing is a tag. */
function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
