/** Checks and writes the reports that the flags `--junit` and `--markdown` name. */
import { resolve } from "node:path";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { products, refuseOverwrite } from "./refuse-overwrite.js";
import { writeOut } from "./write-out.js";

/** The files of a command. */
export interface ReportFlags {
  readonly junit?: string;
  readonly markdown?: string;
  readonly baseline?: string;
}

const KINDS = ["junit", "markdown"] as const;

/** Refuses files that may not be written, before the work: findings that took minutes must not be lost to a name. */
export function checkReports(io: Io, flags: ReportFlags): void {
  const seen = new Map<string, string>();
  for (const flag of [...KINDS, "baseline"] as const) {
    const file = flags[flag];
    if (file === undefined) continue;
    const path = resolve(io.cwd, file);
    const other = seen.get(path);
    if (other !== undefined) {
      throw usageError(`--${other} and --${flag} name the same file, ${file}; name two.`);
    }
    seen.set(path, flag);
    if (flag !== "baseline") refuseOverwrite(io, `--${flag}`, file, products[flag]);
  }
}

/** Writes the reports that flags name. */
export function writeReports(
  io: Io,
  flags: ReportFlags,
  texts: { readonly junit: () => string; readonly markdown: () => string },
): void {
  for (const kind of KINDS) {
    const file = flags[kind];
    if (file !== undefined) writeOut(io, `--${kind}`, file, texts[kind](), products[kind]);
  }
}
