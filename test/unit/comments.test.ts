// The counts of lines and of sentences look at the comments of a text, or at the prose of a page, and at nothing
// else.
import { expect, it } from "vitest";
// @ts-expect-error a plain script, so that it runs without a build
import { commentsOf, withoutComments } from "../../scripts/comments.mjs";
// @ts-expect-error a plain script, so that it runs without a build
import { paragraphsOf } from "../../scripts/prose.mjs";
// @ts-expect-error a plain script, so that it runs without a build
import { isNounClause, sentencesOf } from "../../scripts/sentences.mjs";

const TEXT = `/** A banner. */
const url = "https://a/*b*/"; // behind
const pattern = /\\/*x*\\//;
call(/* inside */ \`// not one \${a /* one */}\`);
`;

it("finds comments, and none in strings, patterns and templates", () => {
  const found = commentsOf(TEXT).map(({ start, end }: { start: number; end: number }) =>
    TEXT.slice(start, end),
  );
  expect(found).toEqual(["/** A banner. */", "// behind", "/* inside */", "/* one */"]);
  expect(
    withoutComments(TEXT)
      .split("\n")
      .filter((line: string) => line.trim() !== ""),
  ).toEqual([
    'const url = "https://a/*b*/"; ',
    "const pattern = /\\/*x*\\//;",
    `call( \`// not one \${a }\`);`,
  ]);
});

it("takes a comment apart into sentences, each with its line", () => {
  const comment = `/**
 * Makes one, e.g. this one. What it is
 * made of does not matter
 *
 * @param a whether it is so
 * @returns \`true\`. Where not, \`false\`.
 */`;
  expect(sentencesOf(comment, 7)).toEqual([
    { sentence: "Makes one, e.g. this one.", line: 8 },
    { sentence: "What it is made of does not matter", line: 8 },
    { sentence: "a whether it is so", line: 11 },
    { sentence: "`true`.", line: 12 },
    { sentence: "Where not, `false`.", line: 12 },
  ]);
});

it("finds the prose of a page, and not its code, tables, headings and lists of links", () => {
  const page = [
    "# What it is",
    "",
    "**What** it [is](a.md#is),",
    "and _why_ `a_b`.",
    "- What it costs. Nothing.",
    "  At all.",
    "1. [What](#what)",
    "| what | why |",
    "",
    "```ts",
    "What();",
    "```",
    "> Whose?",
  ];
  expect(paragraphsOf(page.join("\n"))).toEqual([
    { text: "What it is,\nand why `a_b`.", line: 3 },
    { text: "What it costs. Nothing.\nAt all.", line: 5 },
    { text: "Whose?", line: 13 },
  ]);
});

it.each([
  ["What a store lacks is refused.", true],
  ["Whether it waits.", true],
  ["Where the run waits.", true],
  ["Where a run waits, it may be resumed.", false],
  ["How often it is asked.", true],
  ["What is this?", false],
  ["However it ends.", false],
  ["Returns what a store lacks.", false],
])("%s", (sentence, is) => {
  expect(isNounClause(sentence)).toBe(is);
});
