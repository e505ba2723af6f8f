/** Finds the reasoners that `run` directives name. */

import { type AnyReasoner, childNamed, redacted } from "../../core/driver/live.js";
import { hashOf, type RunDirective, type RunEvent, toJson } from "../../core/kernel/index.js";
import type { HostOptions } from "../running/options.js";

/** The digest of a child's input, by which its header is checked. */
export function inputDigest({ input }: RunDirective, options: Pick<HostOptions, "redact">): string {
  const start = { type: "start" as const, at: 0, input: toJson(input, "input") };
  return hashOf((redacted(options, start as RunEvent & typeof start) as typeof start).input);
}

/** The children with a name, of several versions of one reasoner. */
export function childrenNamed(
  family: readonly AnyReasoner[],
  name: string,
): readonly AnyReasoner[] {
  return family.flatMap((each) => childNamed(each, name) ?? []);
}
