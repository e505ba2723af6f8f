/**
 * Converts the events of a page (`page-event.ts`) to events of AG-UI 1.0, and keeps the messages that a
 * client has after them.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { UserPart } from "../../core/kernel/vocabulary/index.js";
import type { CallOutcome, PageEvent, TextKind } from "./page-event.js";
import { placeOf } from "./ui-stream.js";

/** A message, as AG-UI has it. */
export interface AgUiMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool" | "reasoning";
  content?: Json;
  readonly toolCallId?: string;
  toolCalls?: readonly ToolCall[];
}

/** A call, as AG-UI has it. */
interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; arguments: string };
}

/** Something that the run waits for, as AG-UI has it. */
export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly toolCallId: string;
  readonly responseSchema: Json;
}

/** An event, as AG-UI has it. */
export interface AgUiEvent {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** The answer to an approval. */
const DECISION: Json = {
  type: "object",
  properties: { approve: { type: "boolean" }, reason: { type: "string" }, input: {} },
  required: ["approve"],
};

/** See the banner: takes the events of a run from its beginning. */
export class AgUiStream {
  #messages: AgUiMessage[] = [];
  readonly #interrupts = new Map<string, AgUiInterrupt>();
  readonly #open = new Set<string>();
  /** The calls whose input streams in. */
  readonly #inputs = new Map<string, ToolCall>();
  /** The message of the present step, to which its calls belong. */
  #parent: string | undefined;
  /** The wait for a model that is down. */
  #waits: { readonly code: string; readonly message: string } | undefined;
  /** The failure of the turn. */
  #failure: { readonly code: string; readonly message: string } | undefined;

  /** The number of characters of all messages. */
  get length(): number {
    return JSON.stringify(this.#messages).length;
  }

  /** The events for a client that comes now: all messages so far, and why nothing goes on. */
  soFar(): readonly AgUiEvent[] {
    const value = this.#waits;
    const waits = value === undefined ? [] : [{ type: "CUSTOM", name: "reckoner.waiting", value }];
    return [this.snapshot(), ...waits];
  }

  /** All messages so far, for a client that has others. */
  snapshot(): AgUiEvent {
    return { type: "MESSAGES_SNAPSHOT", messages: structuredClone(this.#messages) };
  }

  /**
   * The last events of a run: those of the failure of its last turn too, also for a client that comes later. Where
   * approvals wait it is told beside them, since a run that ends as an error has none to answer.
   * @param waits the ids of the approvals that wait
   */
  finished(threadId: string, runId: string, waits: readonly string[]): readonly AgUiEvent[] {
    const failure = this.#failure;
    const interrupts = waits.flatMap((id) => this.#interrupts.get(id) ?? []);
    if (failure !== undefined && interrupts.length === 0) {
      return [{ type: "RUN_ERROR", ...failure }];
    }
    const failures: readonly AgUiEvent[] =
      failure === undefined ? [] : [{ type: "CUSTOM", name: "reckoner.failed", value: failure }];
    const outcome =
      interrupts.length === 0 ? { type: "success" } : { type: "interrupt", interrupts };
    return [...failures, { type: "RUN_FINISHED", threadId, runId, outcome }];
  }

  /** The events of an event. */
  take(event: PageEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case "user":
        this.#messages.push({ id: event.id, role: "user", content: contentOf(event.content) });
        return [this.snapshot()];
      case "begin":
      case "end":
        this.#parent = undefined;
        return [];
      case "step":
        this.#parent = undefined;
        this.#failure = undefined;
        return [];
      case "text":
        return this.#text(event);
      case "text.end":
        return this.#end(event);
      case "withdrawn":
        return this.#withdraw(event.ids.flatMap(messagesOf), event.calls);
      case "input":
        return this.#input(event);
      case "call":
        return this.#call(event);
      case "approval": {
        const { id, call: toolCallId, title, ask } = event;
        const reason = ask === undefined ? "approval" : "question";
        const responseSchema = ask ?? DECISION;
        this.#interrupts.set(id, { id, reason, message: title, toolCallId, responseSchema });
        return [];
      }
      case "approved":
        return [];
      case "waiting": {
        const { type: _type, id: _id, ...value } = event;
        this.#waits = value.isOver ? undefined : value;
        return [{ type: "CUSTOM", name: "reckoner.waiting", value }];
      }
      case "progress": {
        const value = { toolCallId: event.call, data: event.data };
        return [{ type: "CUSTOM", name: "reckoner.progress", value }];
      }
      case "outcome":
        return this.#result(event.call, event.outcome);
      case "late": {
        const value = { toolCallId: event.call, ...event.outcome };
        return [{ type: "CUSTOM", name: "reckoner.late", value }];
      }
      case "failed":
        this.#failure = { code: event.code, message: event.message };
        return [];
      default:
        throw new Error(`No event for ${JSON.stringify(event satisfies never)}`);
    }
  }

  #text({ id, kind, text }: Extract<PageEvent, { type: "text" }>): readonly AgUiEvent[] {
    const messageId = messageOf(kind, id);
    const role = kind === "text" ? "assistant" : "reasoning";
    const content: AgUiEvent = { type: eventOf(kind, "CONTENT"), messageId, delta: text };
    const existing = this.#messages.find((message) => message.id === messageId);
    if (existing === undefined) this.#messages.push({ id: messageId, role, content: text });
    else existing.content = `${existing.content ?? ""}${text}`;
    if (kind === "text") this.#parent ??= messageId;
    if (this.#open.has(messageId)) return [content];
    this.#open.add(messageId);
    return [{ type: eventOf(kind, "START"), messageId, role }, content];
  }

  #end({ id, kind }: Extract<PageEvent, { type: "text.end" }>): readonly AgUiEvent[] {
    const messageId = messageOf(kind, id);
    return this.#open.delete(messageId) ? [{ type: eventOf(kind, "END"), messageId }] : [];
  }

  /** A client keeps reasoning that a snapshot does not name: what was withdrawn of it is empty there. */
  #withdraw(ids: readonly string[], calls: readonly string[]): readonly AgUiEvent[] {
    const gone = calls.filter((call) => this.#inputs.delete(call));
    const ends = gone.map((toolCallId) => ({ type: "TOOL_CALL_END", toolCallId }));
    for (const message of this.#messages) {
      const left = message.toolCalls?.filter(({ id }) => !gone.includes(id));
      if (left !== undefined) message.toolCalls = left;
    }
    const isEmpty = ({ content, toolCalls }: AgUiMessage) =>
      content === undefined && toolCalls?.length === 0;
    this.#messages = this.#messages.filter((message) => !isEmpty(message));
    const emptied = this.#messages.filter(
      ({ id, role }) => role === "reasoning" && ids.includes(id),
    );
    this.#messages = this.#messages.filter(({ id }) => !ids.includes(id));
    this.#parent = undefined;
    const messages = [
      ...structuredClone(this.#messages),
      ...emptied.map(({ id, role }) => ({ id, role, content: "" })),
    ];
    return [...ends, { type: "MESSAGES_SNAPSHOT", messages }];
  }

  /** A piece of a call's input; the first one begins it. */
  #input({ call, name, text }: Extract<PageEvent, { type: "input" }>): readonly AgUiEvent[] {
    const found = this.#inputs.get(call);
    const begun = found === undefined ? this.#begin(call, name) : [];
    const toolCall = found ?? (this.#inputs.get(call) as ToolCall);
    toolCall.function.arguments += text;
    return [...begun, { type: "TOOL_CALL_ARGS", toolCallId: call, delta: text }];
  }

  #begin(call: string, name: string): readonly AgUiEvent[] {
    const parentMessageId = this.#parent ?? `calls-${call}`;
    this.#parent = parentMessageId;
    const toolCall: ToolCall = { id: call, type: "function", function: { name, arguments: "" } };
    this.#inputs.set(call, toolCall);
    const parent = this.#messages.find(({ id }) => id === parentMessageId);
    if (parent === undefined) {
      this.#messages.push({ id: parentMessageId, role: "assistant", toolCalls: [toolCall] });
    } else parent.toolCalls = [...(parent.toolCalls ?? []), toolCall];
    return [{ type: "TOOL_CALL_START", toolCallId: call, toolCallName: name, parentMessageId }];
  }

  /** The call is whole: as its line has it, however its input was written. */
  #call({ call, name, input }: Extract<PageEvent, { type: "call" }>): readonly AgUiEvent[] {
    const begun = this.#inputs.has(call) ? [] : this.#begin(call, name);
    const toolCall = this.#inputs.get(call) as ToolCall;
    this.#inputs.delete(call);
    const args = JSON.stringify(input);
    const before = toolCall.function.arguments;
    toolCall.function.arguments = args;
    const rest = args.startsWith(before) ? args.slice(before.length) : "";
    const end: AgUiEvent = { type: "TOOL_CALL_END", toolCallId: call };
    return [
      ...begun,
      ...(rest === "" ? [] : [{ type: "TOOL_CALL_ARGS", toolCallId: call, delta: rest }]),
      end,
      ...(before + rest === args ? [] : [this.snapshot()]),
    ];
  }

  #result(toolCallId: string, outcome: CallOutcome): readonly AgUiEvent[] {
    const message = {
      ...{ id: `result-${toolCallId}`, role: "tool" as const, toolCallId },
      content: resultText(outcome),
    };
    const isOwner = ({ toolCalls }: AgUiMessage) =>
      toolCalls?.some(({ id }) => id === toolCallId) === true;
    let at = this.#messages.findIndex(isOwner) + 1;
    while (at < this.#messages.length && this.#messages[at]?.role === "tool") at += 1;
    this.#messages.splice(at, 0, message);
    const { id: messageId, role, content } = message;
    return [{ type: "TOOL_CALL_RESULT", messageId, toolCallId, role, content }];
  }
}

/** A client keeps a message in the role in which it began: what is reasoning in one attempt may be text in the next. */
function messageOf(kind: TextKind, id: string): string {
  return kind === "text" ? placeOf(id) : `${placeOf(id)}/reasoning`;
}

/** The messages that a text of an attempt may be. */
function messagesOf(id: string): readonly string[] {
  return [messageOf("text", id), messageOf("reasoning", id)];
}

function eventOf(kind: TextKind, what: "START" | "CONTENT" | "END"): string {
  return `${kind === "text" ? "TEXT" : "REASONING"}_MESSAGE_${what}`;
}

function resultText(outcome: CallOutcome): string {
  if (outcome.type === "error") return outcome.message;
  if (outcome.type === "denied") return `Denied${outcome.reason ? `: ${outcome.reason}` : "."}`;
  return typeof outcome.output === "string" ? outcome.output : JSON.stringify(outcome.output);
}

/** A user's words, and the parts that AG-UI has a shape for. */
function contentOf(content: string | readonly UserPart[]): Json {
  if (typeof content === "string") return content;
  return content.flatMap((part): Json[] =>
    part.type === "text" ? [{ type: "text", text: part.text }] : [],
  );
}
