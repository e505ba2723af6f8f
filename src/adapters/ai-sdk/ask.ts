/**
 * Sends one request to a model, through the provider interface. The SDK's `generateText` and
 * `streamText` are not used: they print warnings to the console, replace malformed arguments by
 * `{}`, answer unknown tools themselves, throw if a required tool was not called, and leave
 * promises behind.
 */

import type { ModelCall, ModelRequest } from "../../runtime/index.js";
import { checkedAnswer, checkedStream } from "./check-answer.js";
import { collectStream } from "./collect-stream.js";
import { type Mended, mendRequest, type Target, unmarked } from "./families/index.js";
import { type AiInternal, fetchFiles } from "./fetch-files.js";
import type { Answer, CallOptions, SpecModel } from "./specification.js";
import { refuseBlobs } from "./to-file-part.js";
import { truncated } from "./to-model-error.js";
import { toPrompt } from "./to-prompt.js";
import { toTools } from "./to-tools.js";
import type { Wire } from "./wire.js";

/** With what and how a model is asked. */
export interface Asking {
  readonly model: SpecModel;
  readonly target: Target;
  readonly wire: Wire;
  readonly stream: boolean;
  load(): Promise<AiInternal>;
}

/**
 * Asks a model once, for what its family takes, and gives its answer as it came, with the way back to
 * the terms of the request.
 * @throws whatever the SDK or the provider throws
 */
export async function ask(
  { model, target, wire, stream, load }: Asking,
  request: ModelRequest,
  call: ModelCall,
): Promise<{ readonly answer: Answer; readonly mended: Mended }> {
  refuseBlobs(request.messages);
  const mended = mendRequest(request, target);
  for (const notice of mended.notices) call.onNotice?.(notice);
  const options = await optionsOf(model, unmarked(mended.request), load, call.signal);
  if (stream) {
    const parts = checkedStream(await model.doStream(options));
    const answer = await collectStream(parts, inTermsOf(mended, call), wire);
    return { answer: checkedAnswer(answer), mended };
  }
  const answer = checkedAnswer(await model.doGenerate(options));
  const { finishReason } = answer;
  if (typeof finishReason === "object" && finishReason.unified === "interrupted") throw truncated();
  return { answer, mended };
}

/** A request in the words of the SDK. */
async function optionsOf(
  model: SpecModel,
  request: Mended["request"],
  load: Asking["load"],
  signal: AbortSignal,
): Promise<CallOptions> {
  const { providerOptions = {}, stopSequences, ...settings } = request.settings ?? {};
  const files = await fetchFiles(request.messages, (await model.supportedUrls) ?? {}, load, signal);
  return {
    ...settings,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    prompt: toPrompt(model.specificationVersion, request, files),
    ...toTools(model, request),
    ...(request.responseFormat === undefined ? {} : { responseFormat: request.responseFormat }),
    providerOptions,
    abortSignal: signal,
  };
}

/** A call whose observers read the names of tools as the request has them. */
function inTermsOf({ nameOf }: Mended, call: ModelCall): ModelCall {
  return {
    ...call,
    onDelta: (delta) =>
      call.onDelta(
        delta.toolName === undefined ? delta : { ...delta, toolName: nameOf(delta.toolName) },
      ),
  };
}
