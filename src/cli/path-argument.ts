/** Words that are to name journals and folders: looked at before anything is loaded. */
import { usageError } from "./failure.js";

/**
 * A word that is to name a journal or a folder. An address is no path: it would be missing, and printed
 * with the password in it. One letter alone is a drive.
 * @throws ReckonerError `cli.usage`
 */
export function pathArgument(word: string): string {
  const [, scheme] = /^([a-z][a-z\d+.-]+):\//i.exec(word) ?? [];
  if (scheme === undefined) return word;
  throw usageError(
    `${scheme}: begins an address, and journals lie in files; name a file or a folder.`,
  );
}

/** The same of one word of several. */
export function pathArguments(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, pathArgument(word)];
}
