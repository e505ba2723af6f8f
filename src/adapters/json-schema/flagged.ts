/**
 * Rewrites a regular expression of a JSON Schema (`pattern`) so that it means the same under the flag `u`, which
 * the validator sets. Without the flag any letter may be escaped, and a brace or a bracket stands for itself
 * where it begins nothing; with it neither may.
 */

/** Letters that may be escaped with the flag. */
const ESCAPABLE = /[\^$\\.*+?()[\]{}|/]/;

const compiles = (pattern: string, flags: string): boolean => {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
};

/**
 * The pattern for the flag `u`, with the same meaning; as it is where it needs no change, or where no
 * engine takes it.
 */
export function flagged(pattern: string): string {
  if (compiles(pattern, "u") || !compiles(pattern, "")) return pattern;
  const written = [...tokens(pattern)].join("");
  return compiles(written, "u") ? written : pattern;
}

/** The pattern's letters, escapes and quantifiers, each as the flag takes it. */
function* tokens(pattern: string): Generator<string> {
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern[i] as string;
    if (letter === "\\") {
      const next = pattern[++i] ?? "";
      yield escaped(next, inClass);
    } else if (inClass) {
      if (letter === "]") inClass = false;
      yield letter;
    } else if (letter === "[") {
      inClass = true;
      yield letter;
    } else if (letter === "{" || letter === "}" || letter === "]") {
      const quantifier =
        letter === "{" ? /^\{\d+(?:,\d*)?\}/.exec(pattern.slice(i))?.[0] : undefined;
      i += (quantifier?.length ?? 1) - 1;
      yield quantifier ?? `\\${letter}`;
    } else yield letter;
  }
}

/** An escape; of a letter that needs none, the letter. */
function escaped(letter: string, inClass: boolean): string {
  const valid = ESCAPABLE.test(letter) || /[\da-zA-Z]/.test(letter) || (inClass && letter === "-");
  return valid ? `\\${letter}` : letter;
}
