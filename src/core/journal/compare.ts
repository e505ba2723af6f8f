/** The first difference between what a line proves and what a reasoner computed, with both values. */
import {
  type Directive,
  firstDifference,
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  type List,
  type Reasoner,
  type RunState,
  refOf,
  type Step,
  toArray,
} from "../kernel/index.js";
import type { EventLine, Node, StepProof } from "./line.js";
import { tagOf } from "./node-text.js";
import type { RecordedDirective, RecordedValues } from "./recorded-values.js";

/** The first difference between a journal and a reasoner. */
export interface Difference {
  /** Sequence number of the event at which it shows. */
  readonly seq: number;
  /** Type of that event. */
  readonly event: string;
  /** JSON path within the step: `directives[0].system`, `context.deps.limit`, `end.status`. */
  readonly path: string;
  /**
   * What the journal holds there; absent where it holds nothing, `{"@ref": …}` where it holds only
   * the digest.
   */
  readonly recorded?: Json;
  /** What the reasoner at hand does there; absent where it does nothing. */
  readonly computed?: Json;
}

/** What a difference is looked for in. */
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
  /** The context at a later line where nothing has set the field since, from a snapshot. */
  readonly later: (field: string) => Json | undefined;
}

/** @internal */
export type Found = {
  readonly path: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
};

/** The first difference; there is one, since the texts differ. */
export function firstDifferenceOf<Context>(compared: Compared<Context>): Difference {
  const { line, step, proof } = compared;
  const found = at("seq", line.seq, step.state.seq) ??
    compareDirectives(compared) ??
    at("ignored", line.ignored, step.ignored?.reason) ??
    at("value", line.value as Json, step.state.value as Json) ??
    compareEnd(compared) ??
    compareContext(compared) ?? { path: "state", left: line.state, right: proof.state };
  return {
    seq: line.seq,
    event: line.event.type,
    path: found.path,
    ...(found.left === undefined ? {} : { recorded: found.left }),
    ...(found.right === undefined ? {} : { computed: found.right }),
  };
}

/** @internal */
export function at(
  path: string,
  left: Json | undefined,
  right: Json | undefined,
): Found | undefined {
  return firstDifference(left, right, path);
}

function compareDirectives<Context>(compared: Compared<Context>): Found | undefined {
  const { recorded } = compared;
  const computed = compared.step.directives;
  for (let i = 0; i < Math.min(recorded.length, computed.length); i++) {
    const record = recorded[i] as RecordedDirective;
    const directive = computed[i] as Directive;
    const path = `directives[${i}]`;
    const found =
      at(`${path}.type`, record.type, directive.type) ??
      at(`${path}.id`, record.id, "id" in directive ? directive.id : undefined) ??
      compareParts(path, record, directive, compared.values);
    if (found !== undefined) return found;
  }
  if (recorded.length === computed.length) return undefined;
  return {
    path: "directives",
    left: recorded.map(({ type, id }) => `${type} ${id ?? ""}`.trim()),
    right: computed.map((each) => `${each.type} ${"id" in each ? each.id : ""}`.trim()),
  };
}

function compareParts(
  path: string,
  { parts }: RecordedDirective,
  directive: Directive,
  values: RecordedValues,
): Found | undefined {
  const computed = Object.entries(directive).filter(([name]) => name !== "type" && name !== "id");
  const now = new Map(computed as [string, Json][]);
  for (const name of new Set([...parts.keys(), ...now.keys()])) {
    const node = parts.get(name);
    const value = now.get(name);
    if (node !== undefined && value !== undefined && sameNode(node, value, values)) continue;
    return differing(`${path}.${name}`, node === undefined ? undefined : values.value(node), value);
  }
  return undefined;
}

/** @internal */
export function sameNode(node: Node, value: Json, values: RecordedValues): boolean {
  const ref = refOf(value);
  return node === ref || refOf(values.value(node)) === ref;
}

/** Two values that differ, at the deepest path that says so. @internal */
export function differing(path: string, left: Json | undefined, value: Json | undefined): Found {
  const right = value !== undefined && isList(value) ? toArray(value as List<Json>) : value;
  // Equal values under another shape (a List for an array) differ as a whole.
  return firstDifference(left, right, path) ?? { path, left, right };
}

/** @internal */
export function compareEnd<Context>(compared: Compared<Context>): Found | undefined {
  const { line, proof, reasoner, step, values } = compared;
  const { output: left, ...recorded } = line.end ?? {};
  const { output: right, ...computed } = proof.end ?? {};
  const found = at(
    "end",
    line.end === undefined ? undefined : (recorded as Json),
    proof.end === undefined ? undefined : (computed as Json),
  );
  if (found !== undefined || left === right) return found;
  const was = left === undefined ? undefined : values.value(left);
  return differing("end.output", was, reasoner.output(step.state as never) as Json | undefined);
}

function compareContext<Context>(compared: Compared<Context>): Found | undefined {
  const recorded = compared.line.set ?? {};
  const computed = compared.proof.set ?? {};
  const paths = [...new Set([...Object.keys(recorded), ...Object.keys(computed)])].sort();
  for (const path of paths) {
    if (JSON.stringify(recorded[path]) === JSON.stringify(computed[path])) continue;
    const [field = "", ...rest] = path.split("/");
    const key = rest.join("/");
    const within = (value: Json | undefined): Json | undefined =>
      key === "" ? value : isJsonObject(value) ? value[key] : undefined;
    const now = within((compared.step.state.context as JsonObject | undefined)?.[field]);
    const old = within((compared.before?.context as JsonObject | undefined)?.[field]);
    const was = path in recorded ? recordedAt(recorded[path] as Node, field, old, compared) : old;
    return differing(key === "" ? `context.${field}` : `context.${field}.${key}`, was, now);
  }
  return undefined;
}

/** What a line says that a field was set to, as far as it can be had. @internal */
export function recordedAt<Context>(
  node: Node,
  field: string,
  old: Json | undefined,
  { values, later }: Compared<Context>,
): Json {
  const isTag = typeof node === "string" && /^(?:#|[@%]\d+#)/.test(node);
  if (!isTag) return values.value(node);
  const fits = (value: Json | undefined) => value !== undefined && tagOf(refOf(value)) === node;
  if (fits(old)) return old as Json;
  const found = later(field);
  if (fits(found)) return found as Json;
  return values.tagged(node) ?? { "@ref": node };
}

/** A difference in one line, with both values. */
export function describeDifference(difference: Difference, width = 2_000): string {
  const show = (value: Json | undefined) =>
    value === undefined ? "nothing" : JSON.stringify(value).slice(0, width);
  const { seq, event, path, recorded, computed } = difference;
  return `At event ${seq} (${event}), ${path}: recorded ${show(recorded)}, computed ${show(computed)}.`;
}
