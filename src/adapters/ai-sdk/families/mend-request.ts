/**
 * Fits a request to a provider: each rule of its family that the request breaks is applied, in the order of the
 * rules. The request that was given is left as it is, so the run's state keeps what was said.
 */
import type { AssistantPart } from "../../../core/kernel/vocabulary/index.js";
import { RULES } from "./all-rules.js";
import { markOrigin } from "./bound-parts.js";
import { originOf, type Target } from "./family.js";
import type { Request, Rule } from "./rule.js";

/** A request that its family takes, and the way back for its answer. */
export interface Mended {
  readonly request: Request;
  /** The rules that the request broke, in the order of their mends. */
  readonly rules: readonly Rule[];
  /** Notices of everything that the model does not read now, each once. */
  readonly notices: readonly string[];
  /** An answer's parts in the terms of the request that was given, marked as this model's. */
  back(content: readonly AssistantPart[]): readonly AssistantPart[];
  /** A tool's name as the request that was given has it. */
  nameOf(sent: string): string;
}

/** The rules that a request to a target has to keep. */
export function rulesFor(target: Target): readonly Rule[] {
  return RULES.filter(
    ({ families, only }) => families.includes(target.family) && (only?.(target) ?? true),
  );
}

/** Mends a request for a target. */
export function mendRequest(original: Request, target: Target): Mended {
  let request = original;
  const rules: Rule[] = [];
  const notices = new Set<string>();
  const ways: NonNullable<ReturnType<Rule["mend"]>["back"]>[] = [];
  let names: ReadonlyMap<string, string> = new Map();
  for (const rule of rulesFor(target)) {
    if (rule.fault(request, target) === undefined) continue;
    const mend = rule.mend(request, target);
    request = mend.request;
    rules.push(rule);
    for (const lost of mend.lost ?? []) notices.add(lost);
    if (mend.back !== undefined) ways.unshift(mend.back);
    if (mend.names !== undefined) names = mend.names;
  }
  return {
    request,
    rules,
    notices: [...notices],
    back: (content) =>
      markOrigin(
        ways.reduce((parts, way) => way(parts), content),
        originOf(target),
      ),
    nameOf: (sent) => names.get(sent) ?? sent,
  };
}
