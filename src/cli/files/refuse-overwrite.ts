/**
 * Refuses output files that must not be overwritten. A mistyped name must not destroy a journal or
 * a config: a file is overwritten only if the same option wrote it.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "../../core/kernel/values/index.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { statsOf } from "./journal-files.js";

/** The file that an option writes: a name for people, and the way each file of the kind begins. */
export interface Product {
  readonly name: string;
  readonly begins: RegExp;
}

/** The files that the options write. */
export const products: Readonly<
  Record<"junit" | "markdown" | "picture" | "counterexample" | "baseline" | "page", Product>
> = {
  junit: { name: "JUnit file", begins: /^\uFEFF?(<\?xml[^>]*>\s*)?<testsuite/ },
  markdown: { name: "Markdown report", begins: /^<!-- reckoner -->/ },
  /** As each writer of `pictures` begins: drawings of somebody's own have other first lines. */
  picture: {
    name: "picture",
    begins:
      /^(<svg [^\n>]*class="reckoner-|---\ntitle: .*\n---\nflowchart TD\n|\{\n {2}"kind": "(chart|agent|thoughts|decisions|trace)",\n {2}"title": )/,
  },
  /** A journal of a run that nobody ran: each has this id, this seed and this time. */
  counterexample: {
    name: "counterexample",
    begins: /^\{"type":"header",(?=[^\n]*"runId":"run")(?=[^\n]*"seed":"seed")[^\n]*"at":1000\b/,
  },
  page: {
    name: "page of the studio",
    begins: /^<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>reckoner studio</,
  },
  /** An existing file was read as one before. */
  baseline: { name: "baseline", begins: /^/ },
};

/** So much of a file tells what it is; a header of a counterexample is as long as its input. */
const HEAD = 1_000_000;

/**
 * Returns true when a file may be written, for a command that finds out before its work.
 * @throws ReckonerError `cli.usage`
 */
export function refuseOverwrite(io: Io, flag: string, path: string, product: Product): void {
  // In a folder it would be taken for one ever after.
  const isJournal = /\.jsonl$/i.test(path);
  if (isJournal && product !== products.counterexample) {
    throw usageError(
      `${flag} ${path} has the name of a journal, which a ${product.name} is not; choose another name.`,
    );
  }
  const stats = statsOf(io, path);
  // A place that is no file, such as /dev/stdout, holds nothing; a folder says so when it is written to.
  if (stats?.isFile() !== true || stats.size === 0) return;
  if (product.begins.test(headOf(io, flag, path))) return;
  throw usageError(
    `${flag} ${path} is a file already, and not a ${product.name}; choose another name, or remove it.`,
  );
}

function headOf(io: Io, flag: string, path: string): string {
  const bytes = Buffer.alloc(HEAD);
  try {
    const file = openSync(resolve(io.cwd, path), "r");
    try {
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    throw usageError(`${flag} ${path} cannot be written: ${messageOf(thrown)}.`);
  }
}
