/** Writes files and folders that a flag names; a failure to write is reported as a wrong flag. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../../core/kernel/values/index.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { type Product, refuseOverwrite } from "./refuse-overwrite.js";

/** Writes a file, over one of its kind alone. @throws ReckonerError `cli.usage` */
export function writeOut(io: Io, flag: string, path: string, text: string, product: Product): void {
  refuseOverwrite(io, flag, path, product);
  named(flag, path, () => writeFileSync(resolve(io.cwd, path), text));
}

/** Makes a folder where there is none. @throws ReckonerError `cli.usage` */
export function makeFolder(io: Io, flag: string, path: string): void {
  named(flag, path, () => {
    // One by one: `recursive` never comes back where a folder, in /proc say, takes none.
    const missing: string[] = [];
    for (let at = resolve(io.cwd, path); !existsSync(at); at = dirname(at)) missing.push(at);
    for (const folder of missing.reverse()) mkdirSync(folder);
    // An existing place may be a file.
    if (missing.length === 0) mkdirSync(resolve(io.cwd, path), { recursive: true });
  });
}

function named(flag: string, path: string, write: () => void): void {
  try {
    write();
  } catch (thrown) {
    throw usageError(`${flag} ${path} cannot be written: ${messageOf(thrown)}.`);
  }
}
