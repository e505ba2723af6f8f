/** What the tests need of a page of documentation: its fenced blocks, its headings, its links. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT: string = resolve(import.meta.dirname, "../..");

/** The pages, by their paths in the project. */
export const pages: readonly string[] = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  // The API reference is made by typedoc.
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !path.startsWith("docs/api/"))
    .sort(),
];

/** A fenced block. */
export interface Block {
  readonly page: string;
  /** Of its opening fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** The words behind the language: `no-run`, `continued`, `file=agent.ts`. */
  readonly words: readonly string[];
  readonly text: string;
}

export function textOfPage(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = textOfPage(page).split("\n");
  for (let i = 0; i < lines.length; i += 1) {
    const opened = /^```(\w+)(.*)$/.exec(lines[i] ?? "");
    if (opened === null) continue;
    const end = lines.indexOf("```", i + 1);
    if (end < 0) throw new Error(`${page}:${i + 1}: the block is not closed`);
    const words = (opened[2] ?? "").trim().split(/\s+/).filter(Boolean);
    const text = `${lines.slice(i + 1, end).join("\n")}\n`;
    blocks.push({ page, line: i + 1, language: opened[1] ?? "", words, text });
    i = end;
  }
  return blocks;
}

/** The value of a word such as `file=agent.ts`. */
export function valueOfWord(block: Block, name: string): string | undefined {
  return block.words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A page without its fenced blocks. */
export function proseOf(page: string): string {
  return textOfPage(page).replace(/^```[\s\S]*?^```$/gm, "");
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(page).matchAll(/^#+ (.+)$/gm)) {
    const plain = heading.replace(/\[(.+?)\]\(.+?\)/g, "$1").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}
