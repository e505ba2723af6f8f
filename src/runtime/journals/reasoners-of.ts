/**
 * Checks the code that a caller passes for a journal, one reasoner or a list of its versions, and returns it as
 * a list, the newest first. `resume` and `replay` take it.
 */
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { checkIsReasoner } from "../ports/check-options.js";

/**
 * The code at hand: one reasoner, or the newest and earlier ones of the same id behind it. Its types
 * are the newest's. (A compiler infers nothing through the `&`: of a literal array it would take them
 * from any of its versions.)
 */
export type ReasonerVersions<Input, Output, Context> =
  | Reasoner<Input, Output, Context>
  | readonly [Reasoner<Input, Output, Context>, ...Reasoner<never, unknown, unknown>[]]
  | (readonly Reasoner<Input, Output, Context>[] & readonly unknown[]);

/**
 * The reasoners at hand, the newest first.
 * @throws ReckonerError `journal.reasoner` where there is none, `option.invalid` where one is none
 */
export function reasonersOf<Input, Output, Context>(
  versions: ReasonerVersions<Input, Output, Context>,
): readonly Reasoner<Input, Output, Context>[] {
  const all = Array.isArray(versions) ? versions : [versions];
  for (const each of all) checkIsReasoner(each);
  if (all.length > 0) return all;
  throw new ReckonerError("journal.reasoner", "No reasoner was given; pass at least one.");
}
