/** Compares what a reasoner does with what the journal says it did. */
import {
  type Directive,
  firstDifference,
  hashOf,
  isList,
  type Json,
  type List,
  type Reasoner,
  type Step,
  sizeOf,
  toArray,
} from "../kernel/index.js";
import type { DirectiveRecord, EventLine, Line } from "./line.js";
import { endOf, partsOf } from "./record.js";
import { RecordedValues } from "./recorded.js";

/** The first difference between a journal and a reasoner. */
export interface Difference {
  /** Sequence number of the event at which it shows. */
  readonly seq: number;
  /** Type of that event. */
  readonly event: string;
  /** JSON path within the step: `directives[0].system`, `end.status`. */
  readonly path: string;
  /** What the journal holds there; absent where it holds nothing. */
  readonly recorded?: Json;
  /** What the reasoner at hand does there; absent where it does nothing. */
  readonly computed?: Json;
}

/** The first difference of a step from its line; `before` are the lines up to and with it. */
export function compareStep<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  line: EventLine,
  step: Step<Context>,
  before: () => Iterable<Line>,
): Difference | undefined {
  const found =
    compareDirectives(line.directives ?? [], step.directives, before) ??
    at("ignored", line.ignored as Json | undefined, step.ignored as Json | undefined) ??
    at("value", line.value as Json, step.state.value as Json) ??
    compareEnd(reasoner, line, step, before);
  if (found === undefined) return undefined;
  return {
    seq: line.seq,
    event: line.event.type,
    path: found.path,
    ...(found.left === undefined ? {} : { recorded: found.left }),
    ...(found.right === undefined ? {} : { computed: found.right }),
  };
}

type Found = {
  readonly path: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
};

function at(path: string, left: Json | undefined, right: Json | undefined): Found | undefined {
  return firstDifference(left, right, path);
}

function compareDirectives(
  recorded: readonly DirectiveRecord[],
  computed: readonly Directive[],
  before: () => Iterable<Line>,
): Found | undefined {
  for (let i = 0; i < Math.min(recorded.length, computed.length); i++) {
    const record = recorded[i] as DirectiveRecord;
    const directive = computed[i] as Directive;
    const path = `directives[${i}]`;
    const found =
      at(`${path}.type`, record.type, directive.type) ??
      at(`${path}.id`, record.id, "id" in directive ? directive.id : undefined) ??
      compareParts(path, record, directive, before);
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
  record: DirectiveRecord,
  directive: Directive,
  before: () => Iterable<Line>,
): Found | undefined {
  const computed = new Map(partsOf(directive));
  for (const name of new Set([...Object.keys(record.parts), ...computed.keys()])) {
    const part = record.parts[name];
    const value = computed.get(name);
    if (part !== undefined && value !== undefined && samePart(part, value)) continue;
    const left = new RecordedValues(before()).part(record, name);
    const right =
      value !== undefined && isList(value) ? toArray(value as unknown as List<Json>) : value;
    // Equal values under another shape (a List for an array) differ as a whole.
    return (
      firstDifference(left, right, `${path}.${name}`) ?? { path: `${path}.${name}`, left, right }
    );
  }
  return undefined;
}

function samePart(part: DirectiveRecord["parts"][string], value: Json): boolean {
  if (typeof part === "string") return part === hashOf(value);
  if ("is" in part) return hashOf(part.is) === hashOf(value);
  return isList(value) && part.list === value.head && part.size === sizeOf(value);
}

function compareEnd<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  line: EventLine,
  step: Step<Context>,
  before: () => Iterable<Line>,
): Found | undefined {
  const end = endOf(reasoner, step.state);
  const { output: left, ...recorded } = line.end ?? {};
  const { output: right, ...computed } = end ?? {};
  const found = at(
    "end",
    line.end === undefined ? undefined : (recorded as Json),
    end === undefined ? undefined : (computed as Json),
  );
  if (found !== undefined || left === right) return found;
  const was = left === undefined ? undefined : new RecordedValues(before()).value(left);
  const is = reasoner.output(step.state) as Json | undefined;
  return firstDifference(was, is, "end.output") ?? { path: "end.output", left: was, right: is };
}
