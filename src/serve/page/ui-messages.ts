/**
 * Converts the events of a page to whole messages of the AI SDK, equal to those that the SDK makes of the
 * streamed chunks. A chat that is opened gets these.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { PageEvent } from "./page-event.js";
import { type UiChunk, UiStream } from "./ui-stream.js";
import { type UiPart, userParts } from "./user-parts.js";

/** A message, as the AI SDK has it. */
export interface UiMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "system";
  readonly parts: readonly UiPart[];
}

type Part = { type: string; [part: string]: unknown };

/** See the banner: takes the events of a run from its beginning. */
export class UiMessages {
  readonly #messages: { id: string; role: UiMessage["role"]; parts: Part[] }[] = [];
  #stream = new UiStream();
  /** The texts that are open, by their ids. */
  #open = new Map<string, Part>();

  get messages(): readonly UiMessage[] {
    return this.#messages;
  }

  take(event: PageEvent): void {
    if (event.type === "user") {
      const parts = userParts(event.content);
      this.#messages.push({ id: event.id, role: "user", parts });
      return;
    }
    if (event.type === "begin") this.#stream = new UiStream();
    for (const chunk of this.#stream.take(event)) this.#take(chunk);
  }

  #take(chunk: UiChunk): void {
    if (chunk.type === "start") {
      this.#open = new Map();
      this.#messages.push({ id: chunk.messageId, role: "assistant", parts: [] });
      return;
    }
    const parts = this.#messages.at(-1)?.parts ?? [];
    switch (chunk.type) {
      case "start-step":
        parts.push({ type: "step-start" });
        return;
      case "text-start":
      case "reasoning-start": {
        const { providerMetadata } = chunk;
        const type = chunk.type === "text-start" ? "text" : "reasoning";
        const part = { type, text: "", state: "streaming", providerMetadata };
        this.#open.set(chunk.id, part);
        parts.push(part);
        return;
      }
      case "text-delta":
      case "reasoning-delta": {
        const part = this.#open.get(chunk.id);
        if (part !== undefined) part.text = `${part.text}${chunk.delta}`;
        return;
      }
      case "text-end":
      case "reasoning-end": {
        const part = this.#open.get(chunk.id);
        if (part !== undefined) part.state = "done";
        return;
      }
      case "finish-step":
      case "finish":
        return;
      default:
        if (chunk.type.startsWith("data-"))
          takeData(parts, chunk as Extract<UiChunk, { data: Json }>);
        else takeCall(parts, chunk as Extract<UiChunk, { toolCallId: string }>);
    }
  }
}

function takeData(parts: Part[], chunk: Extract<UiChunk, { data: Json }>): void {
  const part = parts.find(({ type, id }) => type === chunk.type && id === chunk.id);
  if (part === undefined || chunk.id === undefined) parts.push({ ...chunk });
  else part.data = chunk.data;
}

function takeCall(parts: Part[], chunk: Extract<UiChunk, { toolCallId: string }>): void {
  const { toolCallId } = chunk;
  const callPart = parts.find((part) => part.toolCallId === toolCallId);
  if (chunk.type === "tool-input-available") {
    const { toolName, input } = chunk;
    const part = { type: `tool-${toolName}`, toolCallId, state: "input-available", input };
    if (callPart === undefined) parts.push(part);
    else Object.assign(callPart, part);
    return;
  }
  if (callPart === undefined) return;
  switch (chunk.type) {
    // Of what streams in lines know nothing.
    case "tool-input-start":
    case "tool-input-delta":
      return;
    case "tool-approval-request":
      Object.assign(callPart, { state: "approval-requested", approval: { id: chunk.approvalId } });
      return;
    case "tool-output-available":
      Object.assign(callPart, { state: "output-available", output: chunk.output });
      return;
    case "tool-output-error":
      Object.assign(callPart, { state: "output-error", errorText: chunk.errorText });
      return;
    case "tool-output-denied":
      callPart.state = "output-denied";
      return;
    default:
      throw new Error(`No part for ${JSON.stringify(chunk satisfies never)}`);
  }
}
