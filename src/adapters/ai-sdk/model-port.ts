/**
 * Implements the model port for a language model of the AI SDK: one request becomes one answer or one
 * ModelError. It neither retries nor calls tools: the interpreter and the agent do.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import { checkAllOptions, checkArgument, type ModelPort } from "../../runtime/for-adapters.js";
import { ask } from "./ask.js";
import { readAnswer } from "./check-answer.js";
import { FAMILIES, targetOf } from "./families/index.js";
import type { AiInternal } from "./fetch-files.js";
import { firstLine } from "./load-package.js";
import type { AiSdkOptions } from "./options.js";
import {
  type AiSdkModel,
  type LanguageModelObject,
  type SpecModel,
  versions,
} from "./specification.js";
import { toModelError } from "./to-model-error.js";
import { tapped } from "./wire.js";

/** The imports of the modules of `ai`, made where they are needed. */
export interface Loader {
  /** For files that the provider does not fetch itself. */
  internal(): Promise<AiInternal>;
  /** For a model that is named and not made. */
  ai(): Promise<{ readonly gateway: { languageModel(id: string): LanguageModelObject } }>;
}

const MODEL: shapes.Shape = [
  (value) => (typeof value === "string" ? value !== "" : shapes.OBJECT[0](value)),
  'a model of the AI SDK, openai("…") say, or its name',
];
const OPTIONS: shapes.Shapes<AiSdkOptions> = {
  stream: shapes.FLAG,
  name: shapes.TEXT,
  isRejectedCall: shapes.FUNCTION,
  maskCredentials: shapes.FLAG,
  family: shapes.oneOf(...FAMILIES),
};

/**
 * A model port that asks with the caller's own copy of `ai`, loaded where it is needed.
 * @throws ReckonerError `cli.model` where the model is of a specification that is not known,
 * `option.invalid` where it, or an option, is none
 */
export function modelPort(model: AiSdkModel, options: AiSdkOptions, loader: Loader): ModelPort {
  checkArgument("The model of aiSdk", model, MODEL);
  const { stream = false, name, family } = checkAllOptions("aiSdk", options, OPTIONS);
  if (typeof model !== "string") checkAsked(specModel(model), stream ? "doStream" : "doGenerate");
  const found = async () =>
    specModel(typeof model === "string" ? await ofDefaultProvider(model, loader) : model);
  return {
    name: name ?? (typeof model === "string" ? model : `${model.provider}:${model.modelId}`),
    async ready() {
      try {
        await headersOf(await found());
        return undefined;
      } catch (thrown) {
        return isMissing(thrown) ? firstLine(thrown) : undefined;
      }
    },
    async generate(request, call) {
      const { signal } = call;
      let wire = { done: false, error: undefined, credentials: [] } as ReturnType<
        typeof tapped
      >["wire"];
      try {
        signal.throwIfAborted();
        const spec = await found();
        const tap = tapped(spec);
        wire = tap.wire;
        const load = () => loader.internal();
        const target = targetOf(spec, family);
        const { answer, mended } = await ask({ ...tap, target, stream, load }, request, call);
        const response = readAnswer(answer);
        return { ...response, content: mended.back(response.content) };
      } catch (thrown) {
        throw toModelError(thrown, { signal, wire, options });
      }
    },
  };
}

/**
 * Makes the headers of a request, as far as a provider's client shows how it does that.
 * @throws what the client throws, for a key that is missing say
 */
async function headersOf(model: SpecModel): Promise<void> {
  const { config } = model as { readonly config?: { readonly headers?: unknown } };
  if (typeof config?.headers === "function") await config.headers();
}

/** Returns true for a package, a key or a setting that is not there; anything else a request may overcome. */
function isMissing(thrown: unknown): boolean {
  return isReckonerError(thrown) || (thrown instanceof Error && thrown.name.startsWith("AI_Load"));
}

/** @throws ReckonerError `option.invalid` where a model cannot be asked */
function checkAsked(model: SpecModel, method: "doGenerate" | "doStream"): void {
  checkArgument("The model of aiSdk", model, [
    shapes.hasMethods(method),
    `a model of the AI SDK, with ${method}()`,
  ]);
}

/** A model whose specification is known; the cast is what that check is worth. */
function specModel(model: LanguageModelObject): SpecModel {
  const { specificationVersion: version } = model;
  if (Object.hasOwn(versions, version)) return model as LanguageModelObject & SpecModel;
  throw new ReckonerError(
    "cli.model",
    `The model is of specification ${JSON.stringify(version)} of the AI SDK, and ${Object.keys(versions).join(", ")} are known: install an @ai-sdk package of this time, such as @ai-sdk/openai@4 with ai@7 or @ai-sdk/openai@3 with ai@6.`,
  );
}

/** The model that a string stands for, found where the SDK itself looks. */
async function ofDefaultProvider(id: string, loader: Loader): Promise<LanguageModelObject> {
  const { AI_SDK_DEFAULT_PROVIDER: own } = globalThis as {
    readonly AI_SDK_DEFAULT_PROVIDER?: { languageModel(id: string): LanguageModelObject };
  };
  return (own ?? (await loader.ai()).gateway).languageModel(id);
}
