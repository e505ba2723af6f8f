/**
 * Assembles a streamed answer: the same content as without streaming, in the order in which its
 * parts began. Deltas are passed to observers as they arrive.
 */

import { type Delta, MAX_RESULT_LENGTH, type ModelCall } from "../../runtime/for-adapters.js";
import { checkedPart } from "./check-answer.js";
import type { Answer, Content, Metadata, ResponseInfo, StreamPart } from "./specification.js";
import { endless, lostPieces, truncated } from "./to-model-error.js";
import type { Wire } from "./wire.js";

/**
 * It ends where the provider says that it has finished, and the stream is closed then.
 * @throws what the stream reports as its error; a transient failure where it ends before the model
 * said why it stopped and the provider that it is done; the signal's reason when aborted
 */
export async function collectStream(
  stream: ReadableStream<StreamPart>,
  call: ModelCall,
  wire: Wire,
): Promise<Answer> {
  const answer = new Assembly((delta) => call.onDelta(delta));
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  call.signal.addEventListener("abort", cancel, { once: true });
  try {
    // It may have been aborted before the stream was there.
    call.signal.throwIfAborted();
    for (;;) {
      const { done, value } = await reader.read();
      call.signal.throwIfAborted();
      if (done) return answer.finished(wire);
      answer.take(checkedPart(value));
      // A provider may leave the stream open after it has finished.
      if (answer.isFinished(wire)) return answer.finished(wire);
    }
  } finally {
    call.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** A text or a reasoning that is still being written. */
interface Open {
  readonly type: "text" | "reasoning";
  text: string;
  citations?: readonly unknown[];
  providerMetadata?: Metadata;
}

type Described = { readonly id: string; readonly providerMetadata?: Metadata | undefined };

class Assembly {
  readonly #content: (Content | Open)[] = [];
  /** By the stream's ids. */
  readonly #open = new Map<string, Open>();
  /** Names of the tools whose input is being written. */
  readonly #tools = new Map<string, string>();
  readonly #tell: (delta: Delta) => void;
  #finish: Omit<Answer, "content" | "response" | "warnings"> | undefined;
  #response: ResponseInfo = {};
  #warnings: readonly unknown[] = [];
  /** Characters that have come in. */
  #length = 0;
  /** The client reported at the end that there was no finish reason. */
  #unsaid = false;

  constructor(tell: (delta: Delta) => void) {
    this.#tell = tell;
  }

  /** @throws ModelError where the answer is larger than any may be: it is not waited for to end */
  take(part: StreamPart): void {
    this.#length += lengthOf(part);
    if (this.#length > MAX_RESULT_LENGTH) throw endless();
    switch (part.type) {
      case "stream-start":
        this.#warnings = part.warnings;
        break;
      case "response-metadata":
        this.#response = { ...this.#response, ...part };
        break;
      case "text-start":
        this.#start("text", part);
        break;
      case "reasoning-start":
        this.#start("reasoning", part);
        break;
      case "text-delta":
        this.#append("text", part);
        break;
      case "reasoning-delta":
        this.#append("reasoning", part);
        break;
      case "text-end":
        this.#describe("text", part, part.citations);
        break;
      case "reasoning-end":
        this.#describe("reasoning", part);
        break;
      case "tool-input-start":
        this.#tools.set(part.id, part.toolName);
        break;
      case "tool-input-delta":
        this.#toolInput(part);
        break;
      case "tool-call":
      case "tool-result":
      case "tool-approval-request":
      case "file":
      case "reasoning-file":
      case "source":
        this.#content.push(part);
        break;
      case "custom":
        // Anthropic's client says with it what the answer's own fields say: its id, model and usage.
        if (part.kind !== "anthropic.message_start") this.#content.push(part);
        break;
      case "finish":
        this.#finish = part;
        break;
      case "error":
        if (!isUnsaid(part.error)) throw part.error;
        this.#unsaid = true;
        break;
      // Ignored: pieces of a tool's input (the whole comes with the call), raw chunks, pings, and
      // types of later versions.
      default:
    }
  }

  /**
   * Returns true when the answer is complete, so that it need not be checked whether the stream broke
   * off.
   */
  isFinished({ done }: Wire): boolean {
    if (this.#finish === undefined) return false;
    return done || !(this.#unsaid || this.#isInDoubt(this.#finish.finishReason));
  }

  finished(wire: Wire): Answer {
    const { done } = wire;
    if (this.#finish === undefined || (this.#unsaid && !done)) throw truncated();
    return {
      ...this.#finish,
      finishReason: this.#reason(this.#finish.finishReason, done),
      content: wholeCalls(this.#content, wire),
      response: this.#response,
      warnings: this.#warnings,
    };
  }

  /** Returns the reason why the model stopped; some servers never say it, and say that they are done. */
  #reason(reason: Answer["finishReason"], done: boolean): Answer["finishReason"] {
    if (!this.#isInDoubt(reason)) return reason;
    if (!done) throw truncated();
    // It may be cut off behind a call's name: then nobody knows that its arguments are missing.
    if (this.#content.some((part) => part.type === "tool-call" && isBlank(part.input)))
      throw truncated();
    return { unified: "unknown" };
  }

  /** Returns true when the stream may have broken off where it seems to end. */
  #isInDoubt(reason: Answer["finishReason"]): boolean {
    // A client may omit it, whatever its types say.
    if (typeof reason !== "object" || reason?.raw != null) return false;
    // The error that the SDK's providers report if a stream broke off between two events.
    const unified: string | undefined = (reason as typeof reason | null)?.unified;
    return this.#unsaid || unified === "interrupted" || unified === "other";
  }

  #start(type: Open["type"], part: Described): void {
    const open: Open = { type, text: "" };
    this.#content.push(open);
    this.#open.set(`${type} ${part.id}`, open);
    this.#describe(type, part);
  }

  #append(type: Open["type"], part: Described & { readonly delta: string }): void {
    // A piece without a text says nothing.
    if (typeof part.delta !== "string") return;
    if (!this.#open.has(`${type} ${part.id}`)) this.#start(type, part);
    this.#describe(type, part);
    const open = this.#open.get(`${type} ${part.id}`);
    if (open !== undefined) open.text += part.delta;
    if (part.delta !== "") this.#tell({ type, text: part.delta });
  }

  /** Metadata may come with any piece: a signature with the last, say. Of one name the later counts. */
  #describe(
    type: Open["type"],
    { id, providerMetadata }: Described,
    citations?: readonly unknown[],
  ): void {
    const open = this.#open.get(`${type} ${id}`);
    if (open === undefined) return;
    if (citations !== undefined) open.citations = citations;
    if (providerMetadata == null) return;
    const merged = { ...open.providerMetadata };
    for (const [provider, described] of Object.entries(providerMetadata)) {
      merged[provider] = { ...merged[provider], ...described };
    }
    open.providerMetadata = merged;
  }

  #toolInput({ id, delta }: { readonly id: string; readonly delta: string }): void {
    if (typeof delta !== "string" || delta === "") return;
    const toolName = this.#tools.get(id);
    this.#tell({
      type: "tool-input",
      text: delta,
      toolCallId: id,
      ...(toolName === undefined ? {} : { toolName }),
    });
  }
}

const isBlank = (input: unknown) => typeof input !== "string" || input.trim() === "";

/**
 * The parts of an answer, in which each call is there once and whole, as far as the wire tells.
 * @throws ModelError where the client has left out pieces that it could not assign to a call
 */
function wholeCalls(
  content: readonly Content[],
  { argumentLength = 0, callIds = new Set() }: Wire,
): readonly Content[] {
  const calls = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const taken = calls.reduce((sum, { input }) => sum + String(input).length, 0);
  if (argumentLength > taken) throw lostPieces();
  // A server repeats a call whole; the client takes it for another one, under an id that it made.
  const isRepeated = (part: Content) =>
    part.type === "tool-call" &&
    !callIds.has(part.toolCallId) &&
    calls.some(
      ({ toolCallId, toolName, input }) =>
        callIds.has(toolCallId) && toolName === part.toolName && input === part.input,
    );
  return content.some(isRepeated) ? content.filter((part) => !isRepeated(part)) : content;
}

/** Characters that a piece of a stream adds to the answer at least. */
function lengthOf(part: StreamPart): number {
  if ("delta" in part && typeof part.delta === "string") return part.delta.length;
  if (part.type === "tool-call" && typeof part.input === "string") return part.input.length;
  if ("data" in part && typeof part.data === "string") return part.data.length;
  return 1;
}

/**
 * Returns true when an error is that of a client which misses the reason at the end, as
 * `openai-compatible` does: it is about no data, while whatever else is invalid is shown with it.
 */
function isUnsaid(error: unknown): boolean {
  const { name, data, message } = (error ?? {}) as { [name: string]: unknown };
  return (
    name === "AI_InvalidResponseDataError" &&
    data === undefined &&
    /finish reason/i.test(String(message))
  );
}
