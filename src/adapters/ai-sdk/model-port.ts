/**
 * A language model as a model port. Retries, tools and the loop are the interpreter's and the
 * agent's; here one request becomes one answer or one ModelError.
 */
import type { LanguageModel } from "ai";
import { ReckonerError } from "../../core/kernel/index.js";
import type { ModelPort } from "../../runtime/index.js";
import type { SpecModel } from "./answer.js";
import { type AiSdk, ask } from "./ask.js";
import type { AiSdkOptions } from "./options.js";
import { toModelError } from "./to-model-error.js";
import { toResponse } from "./to-response.js";

/**
 * A model port that asks with the caller's own copy of `ai`, loaded when it is asked.
 * @throws ReckonerError `cli.model` where the model is of a version that `ai` 6 does not take
 */
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
