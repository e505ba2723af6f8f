/**
 * A journal's steps as they are recorded, without the reasoner that wrote them: events, and the parts
 * of directives by their values where the journal holds them. Of a list, only what is new is shown.
 */
import {
  type EventLine,
  type Line,
  type PartRecord,
  RecordedValues,
} from "../core/journal/index.js";
import { type Json, printEvent, printStateValue, printValue } from "../core/kernel/index.js";

/** A recorded directive, its parts by value. */
export interface RecordedDirective {
  readonly type: string;
  readonly id?: string;
  readonly parts: { readonly [part: string]: Json };
}

/** A recorded step. */
export interface RecordedStep
  extends Pick<EventLine, "seq" | "event" | "value" | "ignored" | "starts"> {
  readonly directives: readonly RecordedDirective[];
  readonly end?: { readonly [part: string]: Json };
}

/** The steps of a journal's lines. */
export function* recordedSteps(lines: readonly Line[]): Generator<RecordedStep> {
  const values = new RecordedValues(lines);
  for (const line of lines) {
    if (line.type !== "event") continue;
    const { seq, event, value, ignored, starts, directives = [], end } = line;
    yield {
      seq,
      event,
      value,
      ...(ignored === undefined ? {} : { ignored }),
      directives: directives.map(({ type, id, parts }) => ({
        type,
        ...(id === undefined ? {} : { id }),
        parts: Object.fromEntries(
          Object.entries(parts).map(([name, part]) => [name, resolvedPart(part, values)]),
        ),
      })),
      ...(starts === undefined ? {} : { starts }),
      ...(end === undefined
        ? {}
        : {
            end: {
              ...(end as unknown as { readonly [part: string]: Json }),
              ...(end.output === undefined ? {} : { output: values.value(end.output) }),
            },
          }),
    };
  }
}

/** A part's value; a list says how long it is, and which items came to those of the list before. */
function resolvedPart(part: PartRecord, values: RecordedValues): Json {
  if (typeof part === "string") return values.value(part);
  if ("is" in part) return part.is;
  const { size, from, items } = part;
  return { size, from, items: items.map((hash) => values.value(hash)) };
}

/** A recorded step for people. */
export function printRecorded(step: RecordedStep): string {
  const { seq, event, value, ignored, directives, end } = step;
  const status = end === undefined ? "" : `, ${end.status}`;
  const lines = [`#${seq} ${printEvent(event)}`];
  if (ignored !== undefined) lines.push(`  ignored: ${ignored.reason}`);
  lines.push(`  => ${printStateValue(value)}${status}`);
  if (end?.output !== undefined) lines.push(`     output: ${printValue(end.output)}`);
  for (const { type, id, parts } of directives) {
    lines.push(`  -> ${type}${id === undefined ? "" : ` ${id}`}`);
    for (const [name, part] of Object.entries(parts)) {
      lines.push(`       ${name}: ${printValue(part)}`);
    }
  }
  return lines.join("\n");
}
