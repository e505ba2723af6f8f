/**
 * Prints steps, states, events and directives as lines for people. Test transcripts, `reckoner show` and
 * error messages all use it; its output depends only on its arguments.
 */

import { asJson, type Json, type JsonObject, LIST_KEY } from "../values/json.js";
import { isList, itemAt, type List, sizeOf } from "../values/list.js";
import { beginningOf } from "../values/size-limits.js";
import { tableValues } from "../values/table.js";
import type { Directive } from "../vocabulary/directive.js";
import type { IncomingEvent } from "../vocabulary/event.js";
import type { RunState, StateValue, Step } from "./state.js";

/** The options of a printed value. */
export interface PrintOptions {
  /** Characters of one value; the rest is counted. Default 160. */
  readonly width?: number | undefined;
}

const DEFAULT_WIDTH = 160;

/** A value in one line of JSON, cut at a width. */
export function printValue(value: Json | undefined, width: number = DEFAULT_WIDTH): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_key, part: unknown) =>
    isList(part) ? { [LIST_KEY]: sizeOf(part) } : part,
  );
  return text.length <= width ? text : `${beginningOf(text, width)}… (${text.length} characters)`;
}

/** A state value: `thinking`, `acting.approving`, `{a: on, b: off}`. */
export function printStateValue(value: StateValue): string {
  if (typeof value === "string") return value;
  const regions = Object.entries(value).filter(([, child]) => child !== undefined);
  if (regions.length === 1) {
    const [name, child] = regions[0] as [string, StateValue];
    return `${name}.${printStateValue(child)}`;
  }
  return `{${regions.map(([name, child]) => `${name}: ${printStateValue(child as StateValue)}`).join(", ")}}`;
}

/** A List by its size and last item, an array of objects item by item, anything else in one line. */
function printPart(name: string, value: Json, width: number): string[] {
  if (isList(value)) {
    const list = value as List<Json>;
    const last = sizeOf(list) === 0 ? "" : `, last ${printValue(itemAt(list, -1), width)}`;
    return [`${name}: ${sizeOf(list)} items${last}`];
  }
  if (Array.isArray(value) && value.length > 0 && typeof value[0] === "object") {
    return [`${name}:`, ...value.map((item: Json) => `  - ${printValue(item, width)}`)];
  }
  return [`${name}: ${printValue(value, width)}`];
}

function printParts(value: JsonObject, without: readonly string[], width: number): string[] {
  return Object.entries(value)
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, part]) => printPart(name, part, width));
}

const indent = (lines: readonly string[], by = "  "): string[] => lines.map((line) => by + line);

/** An event: its type, what it settles and when, then its parts. */
export function printEvent(event: IncomingEvent, options: PrintOptions = {}): string {
  const parts = asJson(event);
  const id = typeof parts.id === "string" ? ` ${parts.id}` : "";
  const lines = printParts(parts, ["type", "id", "at"], options.width ?? DEFAULT_WIDTH);
  return [`${event.type}${id} at ${event.at}`, ...indent(lines)].join("\n");
}

/** A directive: its type and id, then its parts. */
export function printDirective(directive: Directive, options: PrintOptions = {}): string {
  const parts = asJson(directive);
  const id = "id" in directive ? ` ${directive.id}` : "";
  const lines = printParts(parts, ["type", "id"], options.width ?? DEFAULT_WIDTH);
  return [`${directive.type}${id}`, ...indent(lines)].join("\n");
}

/** A step: the event that caused it, the state it led to, and what it asks for. */
export function printStep<Context>(
  event: IncomingEvent,
  step: Step<Context>,
  options: PrintOptions = {},
): string {
  const { state, directives, ignored } = step;
  const lines = [`#${state.seq} ${printEvent(event, options)}`];
  if (ignored !== undefined) lines.push(`  ignored: ${ignored.reason}`);
  lines.push(`  => ${printState(state)}`);
  for (const directive of directives) {
    const [first, ...rest] = printDirective(directive, options).split("\n");
    lines.push(`  -> ${first}`, ...indent(rest, "     "));
  }
  return lines.join("\n");
}

/** A state in one line: its value, its status, what it owes. */
export function printState(state: RunState<unknown>): string {
  const fault = state.fault === undefined ? "" : ` (${state.fault.code}: ${state.fault.place})`;
  const status = state.status === "active" ? "" : `, ${state.status}${fault}`;
  const owed = tableValues(state.outstanding)
    .map(({ id }) => id)
    .join(", ");
  return `${printStateValue(state.value) || "not started"}${status}${owed === "" ? "" : `, owes ${owed}`}`;
}
