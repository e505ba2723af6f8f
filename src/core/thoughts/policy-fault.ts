/** A fault of a policy: it ends the run, and says by name what is wrong. @internal */

/** Thrown within a step, and caught by the machine. */
export class PolicyFault extends Error {
  override readonly name = "PolicyFault";
}
