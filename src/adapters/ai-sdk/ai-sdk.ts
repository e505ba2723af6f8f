/**
 * A language model of the AI SDK as a model port. Retries, tools and the loop are the interpreter's
 * and the agent's; here one request becomes one answer or one ModelError.
 *
 * `ai` is loaded at the first call, so that this module loads where `ai` is missing and the command
 * line can say what to install.
 */
import type { LanguageModel } from "ai";
import { ReckonerError } from "../../core/kernel/index.js";
import type { ModelPort } from "../../runtime/index.js";
import type { SpecModel } from "./answer.js";
import { type AiSdk, ask } from "./ask.js";
import { toModelError } from "./to-model-error.js";
import { toResponse } from "./to-response.js";

/** Options of {@link aiSdk}. */
export interface AiSdkOptions {
  /**
   * Stream the answer: text, reasoning and tool input go to observers as they come. The answer is
   * the same. Default false.
   */
  readonly stream?: boolean;
  /** What people call the model. Default: the SDK's provider and model id, `openai.chat:gpt-4o`. */
  readonly name?: string;
}

/**
 * Any language model of the AI SDK: `aiSdk(openai("gpt-4o-mini"))`. A string is a model id of the
 * SDK's default provider, the gateway.
 *
 * - Arguments of a tool call that are no JSON come as a call with `malformed: true` and the raw
 *   text; a tool that does not exist is called like any other. Both are for the agent to answer.
 * - A part's `providerOptions` hold what the provider sent with it (signatures, item ids) and go
 *   back with the part. Files that the model made are base64.
 * - What has no place in a message, such as the sources of a web search, is left out.
 * - OpenAI's Responses API keeps conversations and has earlier items referred to by id. A journal
 *   must be able to go on without them, so `providerOptions.openai.store` is false where the
 *   settings do not say otherwise, and whole items are sent.
 *
 * `generate` throws a ModelError with code `llm.failed`, the HTTP status, how long to wait, whether
 * to try again, and the provider's own words as `detail`.
 * @throws ReckonerError `cli.model` where the model is of a version that `ai` 6 does not take
 */
export function aiSdk(model: LanguageModel, options: AiSdkOptions = {}): ModelPort {
  return modelPort(model, options, () => import("ai/internal"));
}

/** {@link aiSdk} with an `ai` of the caller's. @internal */
export function modelPort(
  model: LanguageModel,
  { stream = false, name }: AiSdkOptions,
  load: () => Promise<AiSdk>,
): ModelPort {
  if (typeof model !== "string" && !["v2", "v3"].includes(model.specificationVersion)) {
    const { specificationVersion } = model as { specificationVersion?: unknown };
    throw new ReckonerError(
      "cli.model",
      `The model is of version ${JSON.stringify(specificationVersion)} of the AI SDK's interface; v2 or v3 is needed: install the @ai-sdk package that goes with ai 6.`,
    );
  }
  return {
    name: name ?? (typeof model === "string" ? model : `${model.provider}:${model.modelId}`),
    async generate(request, call) {
      try {
        call.signal.throwIfAborted();
        const spec = typeof model === "string" ? await ofDefaultProvider(model) : model;
        return toResponse(await ask(await load(), spec, request, stream, call));
      } catch (thrown) {
        throw toModelError(thrown, call.signal);
      }
    },
  };
}

/** The model that a string stands for, found where the SDK itself looks. */
async function ofDefaultProvider(id: string): Promise<SpecModel> {
  const provider = globalThis.AI_SDK_DEFAULT_PROVIDER ?? (await import("ai")).gateway;
  return provider.languageModel(id);
}
