/** All differences between a line and what a reasoner computed, part by part, the cause first. */
import { asJson, type Directive, type Json, refOf } from "../../kernel/index.js";
import {
  at,
  type Compared,
  compareEnd,
  contextDifferences,
  differing,
  type Found,
  sameNode,
} from "../compare.js";
import type { Difference } from "../difference.js";
import { tagOf } from "../node-text.js";
import { isUnresolved, type RecordedDirective } from "../recorded-values.js";

/** What differs, at least one; where the rest of a step follows from the first, the first comes first. */
export function stepDifferences<Context>(compared: Compared<Context>): readonly Difference[] {
  const { line, step, proof } = compared;
  const asked = directives(compared);
  const found = [
    at("value", line.value as Json, step.state.value as Json),
    at("ignored", line.ignored, step.ignored?.reason),
    ...asked,
    compareEnd(compared),
    // What the context keeps of a request (the system prompt, say) is the same difference.
    ...[...contextDifferences(compared)].filter(
      (each) => !asked.some((one) => sameValues(one, each)),
    ),
  ].filter((each) => each !== undefined);
  const all = found.length > 0 ? found : [{ path: "state", left: line.state, right: proof.state }];
  return all.map(({ path, left, right }) => ({
    seq: line.seq,
    event: line.event.type,
    path,
    ...(left === undefined ? {} : { recorded: left }),
    ...(right === undefined ? {} : { computed: right }),
  }));
}

/** Whether a request and what the context keeps of it differ by the same values. */
function sameValues({ left, right }: Found, kept: Found): boolean {
  if (JSON.stringify(right) !== JSON.stringify(kept.right)) return false;
  if (isUnresolved(kept.left))
    return left !== undefined && tagOf(refOf(left)) === kept.left["@ref"];
  return JSON.stringify(left) === JSON.stringify(kept.left);
}

function directives<Context>({ recorded, step, values }: Compared<Context>): readonly Found[] {
  const computed = step.directives;
  const known = recorded.map(({ type, id }) => `${type} ${id ?? ""}`.trim());
  const now = computed.map((each) => `${each.type} ${"id" in each ? each.id : ""}`.trim());
  if (known.join("\n") !== now.join("\n")) {
    return [{ path: "directives", left: known, right: now }];
  }
  const found: Found[] = [];
  for (const [i, record] of recorded.entries()) {
    found.push(...parts(`directives[${i}]`, record, computed[i] as Directive, values));
  }
  return found;
}

function parts(
  path: string,
  { parts: recorded }: RecordedDirective,
  directive: Directive,
  values: Compared<unknown>["values"],
): readonly Found[] {
  const { type: _type, ...rest } = asJson(directive);
  const found: Found[] = [];
  for (const name of new Set([...recorded.keys(), ...Object.keys(rest)])) {
    if (name === "id") continue;
    const node = recorded.get(name);
    const value = Object.hasOwn(rest, name) ? rest[name] : undefined;
    if (node === undefined && value === undefined) continue;
    if (node !== undefined && value !== undefined && sameNode(node, value)) continue;
    const was = node === undefined ? undefined : values.value(node);
    found.push(differing(`${path}.${name}`, was, value));
  }
  return found;
}

/**
 * Whether a difference is one that does not matter.
 * @param ignore names of directives' parts (`system`), or paths without indices (`context.deps.now`)
 */
export function isIgnored({ path }: Difference, ignore: readonly string[]): boolean {
  const part = /^directives\[\d+\]\.([^.[]+)/.exec(path)?.[1];
  const plain = path.replace(/\[\d+\]/g, "");
  return ignore.some((each) => each === part || plain === each || plain.startsWith(`${each}.`));
}
