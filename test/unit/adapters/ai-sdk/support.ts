// Models that answer what a test says, and the least that a model port must be given.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import { MockLanguageModelV3 } from "ai/test";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import type {
  Delta,
  ModelCall,
  ModelError,
  ModelRequest,
  ModelResponse,
} from "../../../../src/runtime/index.js";

export const noTokens: LanguageModelV3GenerateResult["usage"] = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

export const stopped = { unified: "stop", raw: "stop" } as const;

export const hello: ModelRequest = { messages: [{ role: "user", content: "hello" }] };

/** A model call whose deltas are kept. */
export function aCall(signal: AbortSignal = new AbortController().signal): ModelCall & {
  readonly deltas: Delta[];
} {
  const deltas: Delta[] = [];
  return {
    runId: "r",
    id: "llm/0",
    attempt: 1,
    idempotencyKey: "r:llm/0",
    signal,
    deltas,
    onDelta: (delta) => deltas.push(delta),
  };
}

/** An answer with this content; the rest is as plain as can be. */
export function answer(
  content: LanguageModelV3Content[],
  rest: Partial<LanguageModelV3GenerateResult> = {},
): LanguageModelV3GenerateResult {
  return { content, finishReason: stopped, usage: noTokens, warnings: [], ...rest };
}

/** An answer without the marks of who made its parts; those have a test of their own. */
export function unmarked(response: ModelResponse): ModelResponse {
  const content = response.content.map((part) => {
    const { providerOptions, ...rest } = part as { providerOptions?: Record<string, unknown> };
    const { reckoner: _mark, ...others } = providerOptions ?? {};
    return Object.keys(others).length === 0 ? rest : { ...rest, providerOptions: others };
  });
  return { ...response, content: content as never };
}

/** What the port makes of an answer. */
export async function whole(
  content: LanguageModelV3Content[],
  rest: Partial<LanguageModelV3GenerateResult> = {},
): Promise<ModelResponse> {
  const model = new MockLanguageModelV3({ doGenerate: answer(content, rest) });
  return unmarked(await aiSdk(model).generate(hello, aCall()));
}

/** A stream of these parts. */
export function streamOf(
  parts: readonly LanguageModelV3StreamPart[],
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** What the port makes of a stream. */
export async function streamed(
  parts: readonly LanguageModelV3StreamPart[],
  call: ModelCall = aCall(),
): Promise<ModelResponse> {
  const model = new MockLanguageModelV3({ doStream: { stream: streamOf(parts) } });
  return unmarked(await aiSdk(model, { stream: true }).generate(hello, call));
}

/** What the model was asked, whole, for a request of ours. The request is deeply frozen. */
export async function asked(
  request: ModelRequest,
  provider = "some-provider",
): Promise<LanguageModelV3CallOptions> {
  const model = new MockLanguageModelV3({ provider, doGenerate: answer([]) });
  await aiSdk(model).generate(deepFreeze(structuredClone(request)), aCall());
  return model.doGenerateCalls[0]!;
}

/** The model error that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<ModelError["error"]> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Error) || thrown.name !== "ModelError") {
    throw new Error("the call did not end with a ModelError", { cause: thrown });
  }
  return (thrown as ModelError).error;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFreeze(each);
  }
  return value;
}
