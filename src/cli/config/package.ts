/** Finds this package's version, and the place of its code. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// By its own name, which holds for the source and for the build.
const manifest = createRequire(import.meta.url).resolve("reckoner/package.json");
const folders = ["src", "dist"].map((name) => join(dirname(manifest), name));

/** The package's version. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/** Returns true when a file is the package's own code. */
export function isOwnCode(file: string): boolean {
  return folders.some((folder) => file.startsWith(folder));
}

/** A built file of the package, by its path within `dist`. */
export function builtFile(path: string): string {
  return join(dirname(manifest), "dist", path);
}
