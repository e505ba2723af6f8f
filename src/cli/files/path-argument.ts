/** Checks arguments that name journals and folders before anything is loaded. */
import { isStoreAddress, storeAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";

/** The scheme of a word that is an address, and no path. One letter alone is a drive. */
export function schemeOf(word: string): string | undefined {
  return /^([a-z][a-z\d+.-]+):\//i.exec(word)?.[1];
}

/**
 * A word that is to name a journal or a folder. An address is no path: it would be missing, and printed
 * with the password in it.
 * @throws ReckonerError `cli.usage`
 */
export function pathArgument(word: string): string {
  const scheme = schemeOf(word);
  // It is opened with the command; one with a password is refused before anything is printed of it.
  if (isStoreAddress(word)) storeAddress(word);
  else if (scheme !== undefined) {
    throw usageError(
      `${scheme}: begins an address of no store; name a file, a folder, sqlite:FILE or postgres://HOST/DATABASE.`,
    );
  }
  return word;
}

/** The same of one word of several. */
export function pathArguments(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, pathArgument(word)];
}

/** A word that names journals, or a host of runs. @throws ReckonerError `cli.usage` */
export function shownArgument(word: string): string {
  return /^https?:\/\//i.test(word) ? word : pathArgument(word);
}
