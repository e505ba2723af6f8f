/**
 * Remembers from which files configs were loaded, and unloads them all when one was edited, so that a studio
 * which is running loads them anew.
 */
import { statSync } from "node:fs";
import { isOwnCode } from "./package.js";

/** Modules by their files, as Node keeps them. */
interface ModuleCache {
  [file: string]: unknown;
}

const stamps = new Map<string, string>();

/** Forgets all modules of configs where a file of one has changed: each is loaded with the others that it imports. */
export function forgetChanged(cache: ModuleCache): void {
  if ([...stamps].every(([file, stamp]) => stampOf(file) === stamp)) return;
  for (const file of stamps.keys()) delete cache[file];
  stamps.clear();
}

/** Notes the files that were loaded. Libraries are not edited. */
export function noteLoaded(cache: ModuleCache): void {
  for (const file of Object.keys(cache)) {
    const isLibrary = /[\\/]node_modules[\\/]/.test(file) || isOwnCode(file);
    if (!isLibrary && !stamps.has(file)) stamps.set(file, stampOf(file));
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.mtimeMs} ${stats?.size}`;
}
