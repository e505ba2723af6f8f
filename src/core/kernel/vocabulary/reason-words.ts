/**
 * Tells a reason from a secret when error texts are masked: `password: expired` says what is wrong and stays,
 * `password: hunter2` is masked. A reason begins with one of a list of words.
 */

/** Words with which a reason begins. None of them is an article: "the quick brown fox" may be a secret. */
const REASONS: ReadonlySet<string> = new Set(
  (
    "must mustn't should shouldn't shall may might can can't cannot could couldn't would will won't is " +
    "isn't was wasn't are aren't has hasn't have haven't had does doesn't did didn't do don't needs " +
    "need required requires missing malformed invalid invalidated expired expires expiring unexpected " +
    "expected unknown undefined unset unsupported unspecified not no none null empty blank too wrong " +
    "incorrect bad mismatch mismatched rejected refused denied revoked disabled locked blocked " +
    "forbidden unauthorized unauthorised unauthenticated failed failure fails failing error errors " +
    "exceeded exceeds already never unable unreadable unparsable unparseable corrupt corrupted only " +
    "please ask provide enter check contact found absent optional ignored illegal truncated " +
    "insufficient inactive unverified unconfirmed deprecated unrecognized unrecognised insecure weak " +
    "nothing cannot contains lacks consists contained ended ends differs does exists obsolete outdated " +
    "stale reused removed deleted unavailable untrusted"
  ).split(" "),
);

/** The subject of a reason, in a code: `invalid_grant`, `token-not-found`. */
const SUBJECTS: ReadonlySet<string> = new Set(
  (
    "grant token tokens request client scope credentials credential user password key secret access " +
    "signature session account header value format argument parameter in for of by to a an the"
  ).split(" "),
);

/** A word, or words joined as in a code, and nothing else behind it but the sign that ends it. */
const WORD =
  /[A-Za-z]{1,20}(?:['’][a-z]{1,2})?(?:[_-][A-Za-z]{1,20}){0,6}(?=[,.;:!?)\]}]{0,3}(?:[\s"'\\]|$))/y;

/** Returns true if what begins at a place in a text says what is wrong, and is not what was to be kept secret. */
export function isReasonAt(text: string, at: number): boolean {
  WORD.lastIndex = at;
  const found = WORD.exec(text)?.[0].toLowerCase().replace("’", "'");
  if (found === undefined) return false;
  if (REASONS.has(found)) return true;
  const parts = found.split(/[_-]/);
  return (
    parts.length > 1 &&
    parts.some((part) => REASONS.has(part)) &&
    parts.every((part) => REASONS.has(part) || SUBJECTS.has(part))
  );
}
