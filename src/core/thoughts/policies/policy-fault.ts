/** The error of a policy of thoughts, which ends the run. @internal */

/** Thrown within a step, and caught by the machine. */
export class PolicyFault extends Error {
  override readonly name = "PolicyFault";
}
