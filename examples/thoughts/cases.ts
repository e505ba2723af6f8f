/** Cases: the paper's rows, where its CSV files are there, and cases that a seed generates. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Counting, countingCase } from "./keywords.js";
import type { Merging } from "./merging.js";
import { type Sets, setCase } from "./sets.js";
import { type Sorting, sortingCase } from "./sorting.js";

/** Where the paper's CSV files lie; RECKONER_THOUGHTS_DATA says otherwise. */
export const dataFolder: string =
  process.env.RECKONER_THOUGHTS_DATA ??
  fileURLToPath(new URL("../../../shared/data/thoughts", import.meta.url));

/** The rows of a CSV text (RFC 4180), each by the header's names. */
export function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[at++];
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "," || letter === "\n") {
      row.push(cell);
      cell = "";
      if (letter === "\n") {
        rows.push(row);
        row = [];
      }
    } else if (letter !== "\r") cell += letter;
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell]);
  const [header = [], ...body] = rows;
  return body.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""])));
}

/** The rows of one of the paper's files; `undefined` where it is not there. */
export function rowsOf(file: string): Record<string, string>[] | undefined {
  const path = `${dataFolder}/${file}`;
  return existsSync(path) ? parseCsv(readFileSync(path, "utf8")) : undefined;
}

const padded = (size: number) => String(size).padStart(3, "0");

/** The paper's lists of a size. */
export function sortingRows(size: number): Sorting[] | undefined {
  return rowsOf(`sorting_${padded(size)}.csv`)?.map(({ Unsorted = "[]" }) => ({
    list: JSON.parse(Unsorted),
  }));
}

/** The paper's pairs of sets of a size. */
export function setRows(size: number): Sets[] | undefined {
  return rowsOf(`set_intersection_${padded(size)}.csv`)?.map(({ SET1 = "[]", SET2 = "[]" }) => ({
    set1: JSON.parse(SET1),
    set2: JSON.parse(SET2),
  }));
}

/** The paper's texts with their countries. */
export function countingRows(): Counting[] | undefined {
  return rowsOf("keyword_counting.csv")?.map(({ Text = "", Countries = "" }) => ({
    text: Text,
    countries: Countries.replace(/^\[|\]$/g, "")
      .split(",")
      .map((name) => name.trim().replace(/^['"]|['"]$/g, ""))
      .filter((name) => name !== ""),
  }));
}

/** The paper's documents. */
export function mergingRows(): Merging[] | undefined {
  return rowsOf("doc_merge.csv")?.map((row) => ({
    documents: [1, 2, 3, 4].map((i) => row[`document${i}`] ?? ""),
  }));
}

/** A case by its task: the paper's row of that number, else one from a seed. */
export function caseOf(task: string, size: number, row: number | undefined, seed: string): object {
  const rows = {
    sorting: () => sortingRows(size),
    sets: () => setRows(size),
    keywords: countingRows,
    merging: mergingRows,
  };
  const made = {
    sorting: () => sortingCase(seed, size),
    sets: () => setCase(seed, size),
    keywords: () => countingCase(seed, size),
  };
  if (row === undefined && task in made) return made[task as keyof typeof made]();
  const found = rows[task as keyof typeof rows]?.()?.[row ?? 0];
  if (found !== undefined) return found;
  throw new Error(`There is no row ${row ?? 0} of ${task} ${size} in ${dataFolder}.`);
}
