/**
 * Resolves the name of a node: its id, or a prefix that only one id has. A complete id wins over
 * others that begin with it.
 */
import { ReckonerError } from "../../kernel/index.js";

/** How many candidates an error lists. */
export const MOST_CANDIDATES = 10;

/**
 * The id that a prefix stands for.
 * @param candidates ids that begin with it, by bytes: at least one more than an error lists, where
 * there are as many
 * @param place the path of the field that has the prefix
 * @throws ReckonerError `decisions.missing`, `decisions.ambiguous` (with the candidates)
 */
export function idOfPrefix(prefix: string, candidates: readonly string[], place: string): string {
  const [only, second] = candidates;
  if (only === undefined) {
    throw new ReckonerError(
      "decisions.missing",
      `${place} names "${prefix}", but no node has that id or begins with it; add the node first.`,
      { place },
    );
  }
  if (second === undefined) return only;
  const listed = candidates.slice(0, MOST_CANDIDATES).join(", ");
  const more = candidates.length > MOST_CANDIDATES ? " and more" : "";
  throw new ReckonerError(
    "decisions.ambiguous",
    `${place} names "${prefix}", with which several ids begin: ${listed}${more}; give more of it.`,
    { place },
  );
}
