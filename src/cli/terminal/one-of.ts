/** Checks that the word of a flag is one of those that it takes. */
import { usageError } from "./failure.js";

/** The word of a flag; the first of those that there are where none was given. @throws ReckonerError `cli.usage` */
export function oneOf<Word extends string>(
  flag: string,
  word: string | undefined,
  words: readonly Word[],
): Word {
  const found = words.find((each) => each === (word ?? words[0]));
  if (found !== undefined) return found;
  throw usageError(`${flag} ${word} is not one of ${words.join(", ")}.`);
}
