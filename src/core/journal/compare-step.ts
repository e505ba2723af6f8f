/**
 * Finds the differences between the step that a journal's line recorded and the step that a reasoner computes
 * now, each with both values, for replays and for runs that go on from a journal.
 */

import type { Reasoner, RunState, Step } from "../kernel/machine/index.js";
import {
  asJson,
  childPath,
  firstDifference,
  isJsonObject,
  isReference,
  type Json,
  refOf,
  TABLE_KEY,
  type Table,
  tableGet,
  type ValueDifference,
} from "../kernel/values/index.js";
import type { Directive } from "../kernel/vocabulary/index.js";
import { callChanges } from "./call-changes.js";
import { differenceAt } from "./difference-cause.js";
import type { EventLine, Node, StepProof } from "./line.js";
import { refText, tagOf } from "./node-text.js";
import type { RecordedDirective } from "./recorded-parts.js";
import { isUnresolved, type RecordedValues } from "./recorded-values.js";
import type { Difference } from "./replay-difference.js";
import { openedOf, plainOf } from "./state-changes.js";
import { namesIn } from "./state-text.js";

/** The sides between which a difference is looked for. */
export interface Compared<Context> {
  readonly reasoner: Reasoner<never, unknown, Context>;
  readonly line: EventLine;
  readonly step: Step<Context>;
  /** The proof of the step, as the line would say it. */
  readonly proof: StepProof;
  /** The state before the step; absent at the start. */
  readonly before: RunState<Context> | undefined;
  /** The values of the lines up to the compared one, and that line's directives. */
  readonly values: RecordedValues;
  readonly recorded: readonly RecordedDirective[];
  /** The context at that line or a later one, from a snapshot. */
  readonly later: unknown;
}

/**
 * Finds what differs, at least one difference: those that others follow from come first. The cheap
 * ones too, so that whoever wants one alone takes the first.
 */
export function* differencesOf<Context>(compared: Compared<Context>): Generator<Difference> {
  const { line, proof, before, reasoner } = compared;
  const place = {
    reasoner: reasoner.id,
    seq: line.seq,
    event: line.event.type,
    from: before?.value,
  };
  let none = true;
  for (const found of valuesThatDiffer(compared)) {
    const calls = none ? callChanges(compared) : [];
    none = false;
    yield { ...differenceAt(place, found), ...(calls.length === 0 ? {} : { calls }) };
  }
  if (none) yield differenceAt(place, { path: "state", left: line.state, right: proof.state });
}

/** Returns the first difference; there is one, since the texts differ. */
export function firstDifferenceOf<Context>(compared: Compared<Context>): Difference {
  return differencesOf(compared).next().value as Difference;
}

function* valuesThatDiffer<Context>(compared: Compared<Context>): Generator<ValueDifference> {
  const { line, step } = compared;
  const value = firstDifference(line.value as Json, step.state.value as Json, "value");
  if (value !== undefined) yield value;
  const ignored = firstDifference(line.ignored, step.ignored?.reason, "ignored");
  if (ignored !== undefined) yield ignored;
  const asked = [...directives(compared)];
  yield* asked;
  const end = ends(compared);
  if (end !== undefined) yield end;
  for (const each of contextDifferences(compared)) {
    // A part of a request that the context keeps (the system prompt, say) is the same difference.
    if (!asked.some((one) => sameValues(one, each))) yield each;
  }
}

/** Returns true if a request and its parts in the context differ by the same values. */
function sameValues({ left, right }: ValueDifference, kept: ValueDifference): boolean {
  if (JSON.stringify(right) !== JSON.stringify(kept.right)) return false;
  if (isUnresolved(kept.left))
    return left !== undefined && tagOf(refOf(left)) === kept.left["@ref"];
  return JSON.stringify(left) === JSON.stringify(kept.left);
}

function* directives<Context>({
  recorded,
  step,
  values,
}: Compared<Context>): Generator<ValueDifference> {
  const named = ({ type, id }: { readonly type: string; readonly id?: string | undefined }) =>
    `${type} ${id ?? ""}`.trim();
  const [left, right] = [recorded.map(named), step.directives.map(named)];
  if (left.join("\n") !== right.join("\n")) {
    yield { path: "directives", left, right };
    return;
  }
  for (const [i, { parts }] of recorded.entries()) {
    const { type: _type, id: _id, ...rest } = asJson(step.directives[i] as Directive);
    for (const name of new Set([...parts.keys(), ...Object.keys(rest)])) {
      const node = parts.get(name);
      const value = Object.hasOwn(rest, name) ? rest[name] : undefined;
      if (node === undefined ? value === undefined : value !== undefined && sameNode(node, value))
        continue;
      const was = node === undefined ? undefined : values.value(node);
      yield differing(`directives[${i}].${name}`, was, value);
    }
  }
}

/** Returns true if a node is how a line says a value. */
function sameNode(node: Node, value: Json): boolean {
  const ref = refOf(value);
  if (isReference(ref)) return node === ref;
  // A List within it stands as its reference there.
  return refOf(node) === refOf(JSON.parse(refText(ref, value)) as Json);
}

/** Two values that differ, at the deepest path that says so. @internal */
export function differing(
  path: string,
  was: Json | undefined,
  value: Json | undefined,
): ValueDifference {
  const right = value === undefined ? undefined : plainOf(value);
  if (was === undefined || value === undefined || isUnresolved(was)) {
    // What the journal does not hold has no parts to look into.
    return { path, left: was === undefined ? undefined : plainOf(was), right };
  }
  const left = plainOf(filledFrom(was, value));
  // Equal values under another shape (a List for an array) differ as a whole.
  return firstDifference(left, right, path, isUnresolved) ?? { path, left, right };
}

/** What was recorded, with what the journal does not hold taken from an equal value where it is that. */
function filledFrom(was: Json, value: Json | undefined): Json {
  if (value === undefined || typeof was !== "object" || was === null) return was;
  if (isUnresolved(was)) return refOf(value) === was["@ref"] ? value : was;
  const opened = openedOf(value);
  if (Array.isArray(was)) {
    return Array.isArray(opened) ? was.map((each: Json, i) => filledFrom(each, opened[i])) : was;
  }
  if (!isJsonObject(opened) || !isJsonObject(was)) return was;
  return Object.fromEntries(
    Object.entries(was).map(([key, each]) => [
      key,
      filledFrom(each, Object.hasOwn(opened, key) ? opened[key] : undefined),
    ]),
  );
}

function ends<Context>(compared: Compared<Context>): ValueDifference | undefined {
  const { line, proof, reasoner, step, values } = compared;
  const { output: left, ...recorded } = line.end ?? {};
  const { output: right, ...computed } = proof.end ?? {};
  const found = firstDifference(
    line.end === undefined ? undefined : recorded,
    proof.end === undefined ? undefined : computed,
    "end",
  );
  if (found !== undefined || isSameNode(left, right)) return found;
  const was = left === undefined ? undefined : values.value(left);
  return differing("end.output", was, reasoner.output(step.state) as Json | undefined);
}

/** The fields of the context that differ, in the order of their paths. */
function* contextDifferences<Context>(compared: Compared<Context>): Generator<ValueDifference> {
  const [recorded, computed] = [compared.line.set ?? {}, compared.proof.set ?? {}];
  if (recorded === "*" || computed === "*") return;
  const paths = [...new Set([...Object.keys(recorded), ...Object.keys(computed)])].sort();
  for (const path of paths) {
    const [node, now] = [entryOf(recorded, path), entryOf(computed, path)];
    if (isSameNode(node, now)) continue;
    const names = namesIn(path);
    const old = valueAt(compared.before?.context, names);
    // What a line does not name is what it was before.
    const was = node === undefined ? old : recordedAt(node, names, old, compared);
    const at = names.reduce(childPath, "context");
    yield differing(at, was, valueAt(compared.step.state.context, names));
  }
}

function isSameNode(left: Node | undefined, right: Node | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function entryOf(set: { readonly [path: string]: Node }, path: string): Node | undefined {
  return Object.hasOwn(set, path) ? set[path] : undefined;
}

/** The value at the names of a path; of a Table, an entry's. @internal */
export function valueAt(context: unknown, names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (value, name) => {
      if (!isJsonObject(value)) return undefined;
      if (TABLE_KEY in value) return tableGet(value as unknown as Table<Json>, name);
      return Object.hasOwn(value, name) ? value[name] : undefined;
    },
    context as Json | undefined,
  );
}

/** The value that a line set a path to, as far as it can be had. */
function recordedAt<Context>(
  node: Node,
  names: readonly string[],
  old: Json | undefined,
  { values, later }: Compared<Context>,
): Json | undefined {
  if (node === "#") return undefined;
  const isTag = typeof node === "string" && /^(?:#|[@%]\d+#)/.test(node);
  if (!isTag) return values.value(node);
  const fits = (value: Json | undefined) => value !== undefined && tagOf(refOf(value)) === node;
  if (fits(old)) return old;
  const found = valueAt(later, names);
  if (fits(found)) return found;
  return values.tagged(node) ?? { "@ref": node };
}
