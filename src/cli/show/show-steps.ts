/**
 * Prints a run's steps for a person: times since the start, each call beside its result. The beginning
 * that a request shares with the one before is not repeated.
 */

import { printStateValue } from "../../core/kernel/machine/index.js";
import {
  asJson,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../core/kernel/values/index.js";
import { countOf, isSettlement, textOf } from "../../core/kernel/vocabulary/index.js";
import type { RecordedStep, ShownDirective } from "../../studio/model/index.js";
import { isoTime } from "../../trace/pure/index.js";
import { styles } from "../terminal/io.js";
import { paragraph, printSpan, type Setting, textOfValue } from "../terminal/paragraph.js";
import { inLine } from "../terminal/visible.js";

/** An effect that was asked for. */
interface Asked {
  readonly at: number;
  /** The effect in a few words: `read_file {"path":"a.txt"}`. */
  readonly what: string;
}

/** New items of a List, as a recorded directive names them. */
interface Growth {
  readonly size: number;
  readonly from: number;
  readonly items: readonly Json[];
}

const BODY = "    ";

/** Prints the steps of one run, one after the other. */
export class StepPrinter {
  readonly #setting: Setting;
  readonly #begun: number;
  readonly #asked = new Map<string, Asked>();
  /** The texts of the parts of the last directive of each type. */
  readonly #parts = new Map<string, ReadonlyMap<string, string>>();
  /** The texts printed since the last request, which would stand in the next one again. */
  #shown = new Set<string>();
  #value = "";
  #answer: string | undefined;
  #lines: string[] = [];

  /**
   * @param begun when the run began, in milliseconds since 1970
   * @param input what it began with, which is shown already
   */
  constructor(begun: number, input: Json, setting: Setting) {
    this.#begun = begun;
    this.#setting = setting;
    this.#shown.add(textOfValue(input));
  }

  /** The next step's lines. */
  print(step: RecordedStep): string {
    this.#lines = [];
    const event = asJson(step.event);
    this.#event(step, event);
    if (step.ignored !== undefined) this.#body("ignored:", step.ignored);
    const answered = event.type === "llm.succeeded" ? (event.content as readonly Json[]) : [];
    this.#calls(answered, step.directives);
    for (const directive of step.directives) this.#directive(directive, event.at as number);
    if (step.end !== undefined) this.#end(step.end);
    return this.#lines.join("\n");
  }

  #body(label: string, text: string, indent = BODY): void {
    // There may be more of them than a call takes arguments.
    for (const line of paragraph(label, text, indent, this.#setting)) this.#lines.push(line);
  }

  #event(step: RecordedStep, event: JsonObject): void {
    const at = event.at as number;
    const asked = typeof event.id === "string" ? this.#asked.get(event.id) : undefined;
    const value = printStateValue(step.value);
    const moved = value === this.#value ? "" : ` → ${value}`;
    this.#value = value;
    const when = `+${printSpan(Math.max(0, at - this.#begun))}`.padEnd(8);
    const took = asked === undefined ? "" : ` in ${printSpan(Math.max(0, at - asked.at))}`;
    const id = typeof event.id === "string" ? ` ${event.id}` : "";
    this.#lines.push(
      `${styles.dim(when)} #${step.seq} ${step.run === undefined ? "" : `${styles.dim(inLine(step.run))} `}${styles.bold(`${textOfValue(event.type)}${id}`)}${took}${spent(event)}${styles.green(moved)}`,
    );
    if (asked !== undefined && event.type !== "llm.succeeded") {
      const [first = "", ...more] = paragraph("", asked.what, BODY, this.#setting);
      this.#lines.push(more.length === 0 ? first : `${first}…`);
    }
    for (const [name, part] of Object.entries(event)) {
      if (!HEAD.has(name) && part !== undefined) this.#part(event, name, part);
    }
    if (typeof event.id === "string") this.#asked.delete(event.id);
  }

  /** A part of an event. */
  #part(event: JsonObject, name: string, part: Json): void {
    const { full } = this.#setting;
    if (event.type === "llm.succeeded" && name === "content") this.#words(part as readonly Json[]);
    else if (event.type === "message" && name === "content") {
      this.#shown.add(textOfValue(part));
      this.#body("user:", textOf({ role: "user", content: part as never }) || textOfValue(part));
    } else if (name === "output" || (name === "value" && isSettlement(event as never))) {
      this.#shown.add(textOfValue(part));
      this.#body("→", textOfValue(part));
    } else if (name === "error" && isJsonObject(part)) {
      const { code, message, ...rest } = part;
      this.#body(styledError(code), textOfValue(message));
      if (full && Object.keys(rest).length > 0) this.#body("error:", textOfValue(rest));
    } else if (full || !QUIET.has(name)) this.#body(`${name}:`, fieldText(name, part));
  }

  /** Prints a model's words; its calls are told of with their outcomes. */
  #words(content: readonly Json[]): void {
    this.#shown.add(JSON.stringify(content));
    const text = textOf({ role: "assistant", content: content as never });
    this.#answer = text;
    for (const part of content as readonly JsonObject[]) {
      if (part.type === "tool-call") continue;
      if (part.type === "text" || part.type === "reasoning") {
        const label = part.type === "text" ? "" : "reasoning:";
        if (part.text !== "") this.#body(label, textOfValue(part.text));
        if (this.#setting.full) this.#rest(part, ["type", "text"]);
      } else this.#body(`${textOfValue(part.type)}:`, textOfValue(part));
    }
  }

  #rest(part: JsonObject, without: readonly string[]): void {
    for (const [name, value] of Object.entries(part)) {
      if (!without.includes(name)) this.#body(`${name}:`, fieldText(name, value), `${BODY}  `);
    }
  }

  /** The calls of an answer that no directive of its step carries out as they stand. */
  #calls(content: readonly Json[], directives: readonly ShownDirective[]): void {
    const issued = directives.map(({ parts }) => callOf(parts));
    for (const part of content as readonly JsonObject[]) {
      if (part.type !== "tool-call") continue;
      const call = `${textOfValue(part.toolName)} ${textOfValue(part.input)}`;
      if (this.#setting.full || !issued.includes(call)) this.#body("calls", call);
    }
  }

  #directive(directive: ShownDirective, at: number): void {
    const { type, id, parts } = directive;
    const what = whatOf(directive, at);
    if (id !== undefined) this.#asked.set(id, { at, what });
    this.#body(`${VERBS.get(type) ?? type}${id === undefined ? "" : ` ${id}`}`, what, "  ");
    const last = this.#parts.get(type);
    const now = new Map<string, string>();
    for (const [name, part] of Object.entries(parts)) {
      const text = fieldText(name, part);
      now.set(name, text);
      if (isGrowth(part)) this.#messages(part);
      else if (this.#setting.full) this.#body(`${name}:`, text);
      else if (!(TOLD.get(type) ?? []).includes(name) && last?.get(name) !== text) {
        this.#body(`${name}:`, name === "tools" ? namesOf(part) : text);
      }
    }
    this.#parts.set(type, now);
    if (type === "llm") this.#shown = new Set();
  }

  /** The messages that came to a request since the last one. */
  #messages({ size, from, items }: Growth): void {
    if (this.#setting.full) this.#body("messages:", `${size}, of which ${size - from} are new`);
    for (const item of items) {
      const { role, content } = isJsonObject(item) ? item : ({} as JsonObject);
      if (!this.#setting.full && this.#isShown(content)) continue;
      if (typeof content === "string" || !Array.isArray(content)) {
        this.#body(`${textOfValue(role ?? "item")}:`, textOfValue(content ?? item));
        continue;
      }
      for (const part of content) {
        if (!this.#setting.full && this.#isShown(resultIn(part))) continue;
        this.#body(...messagePart(textOfValue(role), part));
      }
    }
  }

  #isShown(content: Json | undefined): boolean {
    if (content === undefined) return false;
    return this.#shown.has(typeof content === "string" ? content : JSON.stringify(content));
  }

  #end(end: NonNullable<RecordedStep["end"]>): void {
    const { status, output, ...rest } = end;
    const same = !this.#setting.full && output !== undefined && output === this.#answer;
    const words = output === undefined || same ? "" : textOfValue(output);
    this.#lines.push(
      ...paragraph(`${textOfValue(status)}${words === "" ? "" : ":"}`, words, "", this.#setting),
    );
    for (const [name, value] of Object.entries(rest))
      this.#body(`${name}:`, fieldText(name, value));
  }
}

/** Parts of an event that its first line tells. */
const HEAD: ReadonlySet<string> = new Set(["type", "id", "at", "attempts", "usage"]);
/** Parts that a person seldom asks for. */
const QUIET = new Set(["finishReason", "responseId", "model", "port", "runId"]);
/** Parts of a directive that its first line tells. */
const TOLD: ReadonlyMap<string, readonly string[]> = byType({
  tool: ["name", "input", "toolCallId"],
  approval: ["title", "toolCallId"],
  run: ["reasoner", "input", "toolCallId"],
  read: ["store", "query"],
  write: ["store", "operations"],
  notify: ["topic", "data"],
  timer: ["until"],
  cancel: ["target"],
});
const VERBS: ReadonlyMap<string, string> = byType({
  llm: "asks",
  tool: "calls",
  approval: "asks a person",
  run: "starts",
  read: "reads",
  write: "writes",
  timer: "waits",
  notify: "tells",
  cancel: "cancels",
});

/** By the types of directives, and by nothing else that objects have. */
function byType<T>(byTypeName: { readonly [type: string]: T }): ReadonlyMap<string, T> {
  return new Map(Object.entries(byTypeName));
}

function whatOf({ type, parts }: ShownDirective, at: number): string {
  switch (type) {
    case "tool":
      return callOf(parts);
    case "approval":
      return textOfValue(parts.title);
    case "run":
      return `${textOfValue(parts.reasoner)} ${textOfValue(parts.input)}`;
    case "read":
      return `${textOfValue(parts.store)} ${textOfValue(parts.query)}`;
    case "write":
      return `${textOfValue(parts.store)} ${textOfValue(parts.operations)}`;
    case "notify":
      return `${textOfValue(parts.topic)}${parts.data === undefined ? "" : ` ${textOfValue(parts.data)}`}`;
    case "timer":
      return untilText(parts.until, at);
    case "cancel":
      return textOfValue(parts.target);
    default:
      return "";
  }
}

function untilText(until: Json | undefined, at: number): string {
  if (typeof until !== "number") return textOfValue(until);
  return `${printSpan(Math.max(0, until - at))}, until ${isoTime(until)}`;
}

function callOf(parts: JsonObject): string {
  return `${textOfValue(parts.name)} ${textOfValue(parts.input)}`;
}

function spent({ usage, attempts }: JsonObject): string {
  const counts = usage !== undefined && isJsonObject(usage) ? usage : {};
  const [inputTokens, outputTokens] = [countOf(counts.inputTokens), countOf(counts.outputTokens)];
  const tokens =
    inputTokens + outputTokens === 0 ? "" : `, ${inputTokens} + ${outputTokens} tokens`;
  return `${tokens}${attempts === undefined ? "" : `, ${textOfValue(attempts)} attempts`}`;
}

function styledError(code: Json | undefined): string {
  return `failed (${textOfValue(code)}):`;
}

function isGrowth(part: Json): part is Json & Growth {
  return isJsonObject(part) && "from" in part && Array.isArray(part.items);
}

/** Returns the text of a tool's result, where the part is one. */
function resultIn(part: Json): Json | undefined {
  if (!isJsonObject(part) || part.type !== "tool-result") return undefined;
  const value = isJsonObject(part.output) ? part.output.value : undefined;
  return value === undefined ? undefined : textOfValue(value);
}

function messagePart(role: string, part: Json): [label: string, text: string] {
  if (!isJsonObject(part)) return [`${role}:`, textOfValue(part)];
  if (part.type === "text") return [`${role}:`, textOfValue(part.text)];
  if (part.type === "tool-call")
    return ["calls", callOf({ name: part.toolName, input: part.input } as JsonObject)];
  const result = resultIn(part);
  if (result !== undefined) return [`${textOfValue(part.toolName)} says:`, textOfValue(result)];
  return [`${role}, ${textOfValue(part.type)}:`, textOfValue(part)];
}

function namesOf(tools: Json): string {
  if (!Array.isArray(tools)) return textOfValue(tools);
  return tools.map((tool: Json) => textOfValue(isJsonObject(tool) ? tool.name : tool)).join(", ");
}

/** Returns the text of a field; an id or a name stays within its line. */
function fieldText(name: string, value: Json | undefined): string {
  const text = textOfValue(value);
  return /(?:^id|Id|^name|Name|^of)$/.test(name) ? inLine(text) : text;
}
