/**
 * Sends one request to a model, through the provider interface. The SDK's `generateText` and
 * `streamText` are not used: they print warnings to the console, replace malformed arguments by
 * `{}`, answer unknown tools themselves, throw if a required tool was not called, and leave
 * promises behind.
 */

import type { ModelCall, ModelRequest } from "../../runtime/index.js";
import { checkedAnswer, checkedStream } from "./check-answer.js";
import { collectStream } from "./collect-stream.js";
import { type AiInternal, fetchFiles } from "./fetch-files.js";
import { type Answer, type CallOptions, dialectOf, type SpecModel } from "./specification.js";
import { truncated } from "./to-model-error.js";
import { toPrompt } from "./to-prompt.js";
import { toProviderOptions } from "./to-provider-options.js";
import { toTools } from "./to-tools.js";
import type { Wire } from "./wire.js";

/** With what and how a model is asked. */
export interface Asking {
  readonly model: SpecModel;
  readonly wire: Wire;
  readonly stream: boolean;
  load(): Promise<AiInternal>;
}

/**
 * Asks a model once and gives its answer as it came.
 * @throws whatever the SDK or the provider throws
 */
export async function ask(
  { model, wire, stream, load }: Asking,
  request: ModelRequest,
  call: ModelCall,
): Promise<Answer> {
  const { messages, system } = request;
  const { providerOptions, stopSequences, ...settings } = request.settings ?? {};
  const files = await fetchFiles(messages, (await model.supportedUrls) ?? {}, load, call.signal);
  const options: CallOptions = {
    ...settings,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    prompt: toPrompt(dialectOf(model), system, messages, files),
    ...toTools(model, request),
    ...(request.responseFormat === undefined ? {} : { responseFormat: request.responseFormat }),
    providerOptions: toProviderOptions(model.provider, providerOptions),
    abortSignal: call.signal,
  };
  if (stream) {
    const parts = checkedStream(await model.doStream(options));
    return checkedAnswer(await collectStream(parts, call, wire));
  }
  const answer = checkedAnswer(await model.doGenerate(options));
  const { finishReason } = answer;
  if (typeof finishReason === "object" && finishReason.unified === "interrupted") throw truncated();
  return answer;
}
