/**
 * A streamed answer put together again: the same content as a whole one, in the order in which its
 * parts began. Pieces go to observers as they come.
 */
import type {
  LanguageModelV2StreamPart,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import type { Delta, ModelCall } from "../../runtime/index.js";
import type { Answer } from "./answer.js";
import { truncated } from "./to-model-error.js";

type StreamPart = LanguageModelV3StreamPart | LanguageModelV2StreamPart;

/**
 * @throws what the stream reports as its error; a transient failure where it ends before the model
 * said why it stopped; the signal's reason when aborted
 */
export async function collectStream(
  { stream }: LanguageModelV3StreamResult,
  call: ModelCall,
): Promise<Answer> {
  const answer = new Assembly((delta) => call.onDelta(delta));
  const reader = (stream as ReadableStream<StreamPart>).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  call.signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      call.signal.throwIfAborted();
      if (done) return answer.finished();
      answer.take(value);
    }
  } finally {
    call.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

class Assembly {
  readonly #content: LanguageModelV3Content[] = [];
  /** Texts and reasonings that are still being written, by the stream's ids. */
  readonly #open = new Map<string, { text: string; providerMetadata?: SharedV3ProviderMetadata }>();
  /** Names of the tools whose input is being written. */
  readonly #tools = new Map<string, string>();
  readonly #tell: (delta: Delta) => void;
  #finish: Omit<Answer, "content" | "response" | "warnings"> | undefined;
  #response: NonNullable<Answer["response"]> = {};
  #warnings: Answer["warnings"] = [];

  constructor(tell: (delta: Delta) => void) {
    this.#tell = tell;
  }

  take(part: StreamPart): void {
    switch (part.type) {
      case "stream-start":
        this.#warnings = part.warnings as Answer["warnings"];
        break;
      case "response-metadata":
        this.#response = { ...this.#response, ...part };
        break;
      case "text-start":
      case "reasoning-start":
        this.#start(part.type === "text-start" ? "text" : "reasoning", part);
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#append(part.type === "text-delta" ? "text" : "reasoning", part);
        break;
      case "text-end":
      case "reasoning-end":
        this.#describe(part.type === "text-end" ? "text" : "reasoning", part);
        break;
      case "tool-input-start":
        this.#tools.set(part.id, part.toolName);
        break;
      case "tool-input-delta":
        this.#emit("tool-input", part.delta, this.#tools.get(part.id));
        break;
      case "tool-call":
      case "tool-result":
      case "tool-approval-request":
      case "file":
      case "source":
        this.#content.push(part as LanguageModelV3Content);
        break;
      case "finish":
        this.#finish = part;
        break;
      case "error":
        throw part.error;
      // A tool's input comes whole with its call; raw chunks were not asked for; what a later
      // provider adds is none of ours.
      default:
    }
  }

  finished(): Answer {
    const finish = this.#finish;
    if (finish === undefined) throw truncated();
    const { finishReason } = finish;
    // What the SDK's providers say of a stream that broke off between two events.
    if (
      typeof finishReason === "object" &&
      finishReason.unified === "other" &&
      finishReason.raw === undefined
    ) {
      throw truncated();
    }
    return {
      ...finish,
      content: this.#content,
      response: this.#response,
      warnings: this.#warnings,
    };
  }

  #start(
    type: "text" | "reasoning",
    part: { id: string; providerMetadata?: SharedV3ProviderMetadata },
  ): void {
    const open = { type, text: "" };
    this.#content.push(open);
    this.#open.set(`${type} ${part.id}`, open);
    this.#describe(type, part);
  }

  #append(
    type: "text" | "reasoning",
    part: { id: string; delta: string; providerMetadata?: SharedV3ProviderMetadata },
  ): void {
    if (!this.#open.has(`${type} ${part.id}`)) this.#start(type, part);
    this.#describe(type, part);
    const open = this.#open.get(`${type} ${part.id}`);
    if (open !== undefined) open.text += part.delta;
    this.#emit(type, part.delta);
  }

  /** Metadata may come with any piece: a signature with the last, say. The later one counts. */
  #describe(
    type: "text" | "reasoning",
    { id, providerMetadata }: { id: string; providerMetadata?: SharedV3ProviderMetadata },
  ): void {
    const open = this.#open.get(`${type} ${id}`);
    if (open !== undefined && providerMetadata != null) open.providerMetadata = providerMetadata;
  }

  #emit(type: Delta["type"], text: string, toolName?: string): void {
    if (text !== "") this.#tell({ type, text, ...(toolName === undefined ? {} : { toolName }) });
  }
}
