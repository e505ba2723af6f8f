/**
 * Makes the fields of a trace event as text, cut at a length: some from its directive, others from the event
 * that settled it. `RunTrace` calls it.
 */
import type { Json, JsonObject } from "../../../core/kernel/values/index.js";
import {
  type Message,
  type RunEvent,
  type Settlement,
  textOf,
} from "../../../core/kernel/vocabulary/index.js";

/** Fields by their names. */
export type Fields = Readonly<Record<string, string>>;
/** A value as a field holds it. */
export type Cut = (value: Json | undefined) => string;

/** Characters of one field; what is beyond is counted. */
export const MAX_FIELD_LENGTH = 16_384;

/** Writes values as fields, cut at a length. */
export function cutAt(length: number): Cut {
  return (value) => {
    const text = asText(value);
    return text.length <= length ? text : `${beginning(text, length)}… (${text.length} characters)`;
  };
}

/** The beginning of a text, at most so long; a letter of two characters is not cut in two. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, "");
}

function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Fields that say something; a count or a word as text. */
function some(fields: Readonly<Record<string, string | number | undefined>>): Fields {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) texts[name] = String(value);
  }
  return texts;
}

const json = (value: Json | undefined): Json => JSON.stringify(value ?? null);

/** Returns the fields of an event from outside. @param input of a start, the run's */
export function inputFields(event: RunEvent, input: Json, cut: Cut): Fields {
  const { type, at: _at, ...rest } = event as JsonObject & { readonly type: string };
  if (type === "start") {
    const task = taskOf(input);
    return {
      kind: type,
      content: cut(task),
      ...(task === input ? {} : { input: cut(json(input)) }),
    };
  }
  if (type === "message") return { kind: type, content: cut(wordsOf(rest.content as Json)) };
  const content = "reason" in rest ? rest.reason : Object.keys(rest).length > 0 ? rest : "";
  return { kind: type, content: cut(content) };
}

/** Returns a user's words, as text where they are text alone. */
function wordsOf(content: Json): Json {
  if (!Array.isArray(content)) return content;
  const texts = content.every((part) => (part as JsonObject).type === "text");
  return texts ? textOf({ role: "user", content } as unknown as Message) : content;
}

/**
 * Returns the fields of a directive.
 * @param child of a child run its parent's reasoner, and the run id
 */
export function askedFields(
  { type, parts = {} }: { readonly type: string; readonly parts?: JsonObject },
  cut: Cut,
  child?: { readonly parentId: string; readonly runId: string },
): Fields {
  switch (type) {
    case "llm":
      return some({ model: parts.model === undefined ? undefined : cut(parts.model) });
    case "tool":
      return { toolName: cut(parts.name), input: cut(json(parts.input)) };
    case "read":
      return { store: cut(parts.store), query: cut(json(parts.query)) };
    case "write":
      return { store: cut(parts.store), operations: cut(json(parts.operations)) };
    case "approval":
      return { title: cut(parts.title), subject: cut(json(parts.subject)) };
    case "timer":
      return { until: cut(parts.until) };
    case "run":
      return {
        ...child,
        childId: cut(parts.reasoner),
        task: cut(taskOf(parts.input)),
      };
    default:
      return {};
  }
}

/** A child's input: its prompt where it has one. */
function taskOf(input: Json | undefined): Json | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const { prompt } = input as JsonObject;
  return typeof prompt === "string" ? prompt : input;
}

/** Returns the fields of a directive's settlement. */
export function settledFields(event: Settlement, cut: Cut): Fields {
  const { attempts } = event;
  switch (event.type) {
    case "llm.succeeded": {
      const { usage, model, finishReason, content } = event;
      const text = textOf({ role: "assistant", content } as Message);
      return some({
        model: model === undefined ? undefined : cut(model),
        ...tokens(usage),
        finishReason,
        output: text === "" ? undefined : cut(text),
        attempts,
      });
    }
    case "llm.failed":
      return some({ ...tokens(event.usage ?? {}), attempts });
    case "tool.succeeded":
      return some({ output: cut(json(event.output)), attempts });
    case "tool.failed":
      return some({ reason: event.reason, attempts });
    case "read.succeeded":
    case "write.succeeded":
      return some({ value: cut(json(event.value)), attempts });
    case "approval.decided": {
      const { approve, reason, by, input } = event;
      return some({
        decision: approve === true ? "approved" : "rejected",
        reason: reason === undefined ? undefined : cut(reason),
        by: by === undefined ? undefined : cut(by),
        input: input === undefined ? undefined : cut(json(input)),
      });
    }
    case "run.succeeded":
      return { output: cut(json(event.output)) };
    default:
      return some({ attempts });
  }
}

/** Tokens in and out; their sum is the total, whatever the provider adds up. */
function tokens(usage: JsonObject): Readonly<Record<string, number | undefined>> {
  const { inputTokens, outputTokens } = usage;
  if (typeof inputTokens !== "number" && typeof outputTokens !== "number") return {};
  const promptTokens = Number(inputTokens ?? 0);
  const completionTokens = Number(outputTokens ?? 0);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
