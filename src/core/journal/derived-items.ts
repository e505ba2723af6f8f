/**
 * The messages that follow from events by the kernel's own rule: a model's answer, a tool's result,
 * a user's message. List items that equal these are not written a second time: the journal refers
 * to the event.
 */
import { asJson, type Json } from "../kernel/values/index.js";
import {
  type Directive,
  type RunEvent,
  type ToolCallPart,
  toolCallsOf,
} from "../kernel/vocabulary/index.js";

/** The part of them that a snapshot holds. */
export interface DerivedContent {
  readonly items: readonly Json[];
  readonly calls: readonly ToolCallPart[];
  readonly tools: readonly string[];
  readonly results: readonly (readonly [string, Json])[];
  readonly said: readonly Json[];
  readonly lost: boolean;
}

/** The messages that follow from the events since a List was last recorded. */
export class DerivedItems {
  #items: Json[] = [];
  /** The calls of the last answer, and the results of the tools that were issued for them. */
  #calls: readonly ToolCallPart[] = [];
  #tools: string[] = [];
  #results = new Map<string, Json>();
  #userMessages: Json[] = [];
  #lost = false;

  /** @param content as a snapshot held it */
  constructor(content?: DerivedContent) {
    if (content === undefined) return;
    this.#items = [...content.items];
    this.#calls = content.calls;
    this.#tools = [...content.tools];
    this.#results = new Map(content.results);
    this.#userMessages = [...content.said];
    this.#lost = content.lost;
  }

  get content(): DerivedContent {
    return {
      items: [...this.#items],
      calls: this.#calls,
      tools: [...this.#tools],
      results: [...this.#results],
      said: [...this.#userMessages],
      lost: this.#lost,
    };
  }

  /** Takes the run's input in: a text is what the user says first. */
  begin(input: Json): void {
    if (typeof input === "string") this.#userMessages.push({ role: "user", content: input });
  }

  /** Forgets all events: nothing is known until the next List. */
  lose(): void {
    this.items();
    this.#lost = true;
  }

  /** Takes an event in, and what was issued upon it. */
  take(event: RunEvent, directives: readonly Directive[]): void {
    if (this.#lost) return;
    if (event.type === "llm.succeeded" && "content" in event) {
      this.#closeCalls();
      const message = { role: "assistant", content: event.content } as const;
      this.#items.push(asJson(message));
      this.#calls = toolCallsOf(message);
    } else if (event.type === "tool.succeeded" && "output" in event && this.#calls.length > 0) {
      this.#results.set(String(event.id), event.output);
    } else if (event.type === "message" && "content" in event) {
      this.#userMessages.push({ role: "user", content: event.content as Json });
    }
    if (this.#calls.length === 0) return;
    for (const each of directives) if (each.type === "tool") this.#tools.push(each.id);
    if (this.#tools.length > this.#calls.length) this.#dropCalls();
  }

  /** True while the calls of an answer are worked on. */
  get isOpen(): boolean {
    return this.#calls.length > 0;
  }

  /** The amount that is held. */
  get size(): number {
    return this.#items.length + this.#userMessages.length + this.#results.size + this.#tools.length;
  }

  /** The results, in the order of their calls. */
  #closeCalls(): void {
    if (this.#tools.length === this.#calls.length) {
      this.#tools.forEach((id, i) => {
        const call = this.#calls[i] as ToolCallPart;
        const output = this.#results.get(id);
        if (output !== undefined) this.#items.push(resultOf(call, output));
      });
    }
    this.#dropCalls();
  }

  /** Nothing follows from tools that no answer called. */
  #dropCalls(): void {
    this.#calls = [];
    this.#tools = [];
    if (this.#results.size > 0) this.#results = new Map();
  }

  /** The messages since the last call, which stay the next ones; `undefined` if they were forgotten. */
  get current(): readonly Json[] | undefined {
    return new DerivedItems(this.content).items();
  }

  /** The messages since the last call; `undefined` if they were forgotten. */
  items(): readonly Json[] | undefined {
    this.#closeCalls();
    // The user's messages of meanwhile come behind the answer and its results.
    const items = this.#lost ? undefined : [...this.#items, ...this.#userMessages];
    this.#items = [];
    this.#userMessages = [];
    this.#lost = false;
    return items;
  }
}

function resultOf({ toolCallId, toolName }: ToolCallPart, value: Json): Json {
  const output = { type: typeof value === "string" ? "text" : "json", value };
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
}
