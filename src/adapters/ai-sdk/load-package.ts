/**
 * Loads a package that the user has installed. The command may be installed globally, so the user's
 * folder is searched first, and our own second.
 *
 * This module is also bundled for browsers, so Node's loader is looked up at run time and not
 * imported.
 */

import { messageOf } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";

/** The exports of a module. */
export type Exports = { readonly [name: string]: unknown };

/**
 * Loads a package by its name, or one of its subpaths.
 * @param cwd the user's folder; default the process's
 * @returns `undefined` where it is installed neither there nor here
 * @throws whatever a package that is there throws while it loads
 */
export async function loadPackage(name: string, cwd?: string): Promise<Exports | undefined> {
  return loadFrom(name, cwd) ?? (await orUndefined(name, () => import(/* @vite-ignore */ name)));
}

function loadFrom(name: string, cwd: string | undefined): Exports | undefined {
  if (typeof process === "undefined" || process.getBuiltinModule === undefined) return undefined;
  const { createRequire } = process.getBuiltinModule("node:module");
  // The name of a file is needed; there is none.
  const require = createRequire(`${cwd ?? process.cwd()}/noop.js`);
  try {
    return require(name) as Exports;
  } catch (error) {
    if (isMissing(error, name)) return undefined;
    throw error;
  }
}

async function orUndefined(
  name: string,
  load: () => Promise<Exports>,
): Promise<Exports | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error, name)) return undefined;
    throw error;
  }
}

/** Returns true when this package is missing, and not one that it needs in turn. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // A package for `import` alone cannot be required; our own import of it may do.
  if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return true;
  if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") return false;
  // Node names what was asked for, or its package.
  const [packageName] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [name];
  return [name, packageName].some((each) => String(message).includes(`'${each}'`));
}

/** Returns the message of an error in one line: Node adds where a module was asked for. */
export function firstLine(thrown: unknown): string {
  return maskCredentials(messageOf(thrown).split("\n", 1)[0] ?? "");
}
