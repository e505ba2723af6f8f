/** `laws`: the laws of every reasoner, as data for any test runner. */
import { checkLawOptions } from "./check-plan.js";
import { damageLaws } from "./damage-laws.js";
import { journalRunLaws } from "./journal-run-laws.js";
import type { LawOptions, PropertyLaw, Subject } from "./property-law.js";
import { stepLaws } from "./step-laws.js";

/**
 * The laws of every reasoner.
 * @param subject a reasoner, or an arbitrary of reasoners
 * @example
 * for (const law of laws(mine, { input: fc.string() })) {
 *   test(law.name, () => fc.assert(law.property));
 * }
 */
export function laws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): readonly PropertyLaw[] {
  checkLawOptions("laws", subject, options);
  return [
    ...stepLaws(subject, options),
    ...journalRunLaws(subject, options),
    ...damageLaws(subject, options),
  ];
}
