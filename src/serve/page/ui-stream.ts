/**
 * Converts the events of a page to chunks of the AI SDK's UI message stream, which versions 6 and 7 of the
 * SDK read alike.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { PageEvent, TextKind } from "./page-event.js";

/** A chunk of a UI message stream. */
export type UiChunk =
  | { readonly type: "start"; readonly messageId: string }
  | { readonly type: "start-step" | "finish-step" | "finish" }
  | {
      readonly type: `${TextKind}-start`;
      readonly id: string;
      readonly providerMetadata: TextMetadata;
    }
  | { readonly type: `${TextKind}-delta`; readonly id: string; readonly delta: string }
  | { readonly type: `${TextKind}-end`; readonly id: string }
  | { readonly type: "tool-input-start"; readonly toolCallId: string; readonly toolName: string }
  | {
      readonly type: "tool-input-delta";
      readonly toolCallId: string;
      readonly inputTextDelta: string;
    }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: Json;
    }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
    }
  | { readonly type: "tool-output-available"; readonly toolCallId: string; readonly output: Json }
  | { readonly type: "tool-output-error"; readonly toolCallId: string; readonly errorText: string }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | {
      readonly type: `data-reckoner-${"again" | "withdrawn" | "waiting" | "progress" | "late" | "failed"}`;
      readonly id?: string;
      readonly data: Json;
    };

/** The id of a text, as a part of a message carries it. */
export interface TextMetadata {
  readonly reckoner: { readonly id: string };
}

/** The place of a text in its message: its id without the attempt that streamed it. */
export function placeOf(id: string): string {
  return id.replace(/~[^~]*$/, "");
}

/** The error of a call that came to nothing before it was whole: `shown` leaves it out. */
export const WITHDRAWN_CALL = "withdrawn";

/** See the banner: one message. */
export class UiStream {
  readonly #has: ReadonlySet<string>;
  readonly #isReplay: boolean;
  readonly #open = new Map<string, TextKind>();
  /** The calls whose input streams in. */
  readonly #inputs = new Set<string>();
  #isInStep = false;
  #isStepDue = false;
  #hasCalls = false;

  /**
   * @param has the places of texts, and the ids of calls, that the page has already
   * @param isReplay the message comes from its beginning, and the page may have some of it: not every chat forgets that
   */
  constructor(has: ReadonlySet<string> = new Set(), isReplay = false) {
    this.#has = has;
    this.#isReplay = isReplay;
  }

  /** The chunks of an event. */
  take(event: PageEvent): readonly UiChunk[] {
    switch (event.type) {
      case "user":
        return [];
      case "begin":
        return [
          { type: "start", messageId: event.id },
          ...(this.#isReplay ? [{ type: "data-reckoner-again", data: {} } as const] : []),
        ];
      case "step":
        this.#isStepDue = true;
        return [];
      case "text":
        return this.#text(event);
      case "text.end": {
        const { id, kind } = event;
        return this.#open.delete(id) ? [{ type: `${kind}-end`, id }] : [];
      }
      case "input":
        return this.#input(event);
      case "withdrawn":
        return this.#withdraw(event);
      case "call": {
        const { call: toolCallId, name: toolName, input } = event;
        this.#inputs.delete(toolCallId);
        if (this.#has.has(toolCallId)) return [];
        const begun = this.#step();
        this.#hasCalls = true;
        return [...begun, { type: "tool-input-available", toolCallId, toolName, input }];
      }
      case "approval": {
        if (event.ask !== undefined || this.#has.has(event.call)) return [];
        const { id: approvalId, call: toolCallId } = event;
        return [{ type: "tool-approval-request", approvalId, toolCallId }];
      }
      case "approved": {
        const { call: toolCallId, name: toolName, input } = event;
        return [{ type: "tool-input-available", toolCallId, toolName, input }];
      }
      case "waiting": {
        const { type: _type, id, ...data } = event;
        return [{ type: "data-reckoner-waiting", id, data }];
      }
      case "progress": {
        const { call, data } = event;
        return [{ type: "data-reckoner-progress", id: call, data: { toolCallId: call, data } }];
      }
      case "outcome":
        return [outcomeChunk(event)];
      case "late": {
        const { call, outcome } = event;
        const data = { toolCallId: call, ...(outcome as object) };
        return [{ type: "data-reckoner-late", id: call, data }];
      }
      case "failed": {
        const { code, message } = event;
        return [{ type: "data-reckoner-failed", data: { code, message } }];
      }
      case "end":
        return this.end(true);
      default:
        throw new Error(`No chunk for ${JSON.stringify(event satisfies never)}`);
    }
  }

  /**
   * The end of the stream. @param isWhole the message is over: behind its last calls an empty step tells pages that
   * answer calls by themselves that there is nothing to answer
   */
  end(isWhole: boolean): readonly UiChunk[] {
    const empty: readonly UiChunk[] =
      isWhole && this.#hasCalls ? [{ type: "finish-step" }, { type: "start-step" }] : [];
    const isOpen = this.#isInStep || empty.length > 0;
    this.#isInStep = false;
    return [...empty, ...(isOpen ? [{ type: "finish-step" } as const] : []), { type: "finish" }];
  }

  #step(): readonly UiChunk[] {
    if (!this.#isStepDue) return [];
    this.#isStepDue = false;
    this.#hasCalls = false;
    const before: readonly UiChunk[] = this.#isInStep ? [{ type: "finish-step" }] : [];
    this.#isInStep = true;
    return [...before, { type: "start-step" }];
  }

  #input({ call, name, text }: Extract<PageEvent, { type: "input" }>): readonly UiChunk[] {
    if (this.#has.has(call)) return [];
    const delta: UiChunk = { type: "tool-input-delta", toolCallId: call, inputTextDelta: text };
    if (this.#inputs.has(call)) return [delta];
    this.#inputs.add(call);
    const begun = this.#step();
    this.#hasCalls = true;
    return [...begun, { type: "tool-input-start", toolCallId: call, toolName: name }, delta];
  }

  /** A call that is never whole would keep pages waiting that answer calls by themselves: it ends as an error. */
  #withdraw({ ids, calls }: Extract<PageEvent, { type: "withdrawn" }>): readonly UiChunk[] {
    const ends = calls.flatMap((toolCallId): readonly UiChunk[] =>
      this.#inputs.delete(toolCallId)
        ? [{ type: "tool-output-error", toolCallId, errorText: WITHDRAWN_CALL }]
        : [],
    );
    const withdrawn: UiChunk = { type: "data-reckoner-withdrawn", data: { ids: [...ids] } };
    return ids.length === 0 ? ends : [...ends, withdrawn];
  }

  #text({ id, kind, text }: Extract<PageEvent, { type: "text" }>): readonly UiChunk[] {
    const delta: UiChunk = { type: `${kind}-delta`, id, delta: text };
    if (this.#open.has(id)) return [delta];
    if (this.#has.has(placeOf(id))) return [];
    this.#open.set(id, kind);
    const providerMetadata = { reckoner: { id } };
    return [...this.#step(), { type: `${kind}-start`, id, providerMetadata }, delta];
  }
}

function outcomeChunk({ call, outcome }: Extract<PageEvent, { type: "outcome" }>): UiChunk {
  const toolCallId = call;
  if (outcome.type === "output") {
    return { type: "tool-output-available", toolCallId, output: outcome.output };
  }
  if (outcome.type === "denied") return { type: "tool-output-denied", toolCallId };
  return { type: "tool-output-error", toolCallId, errorText: outcome.message };
}
