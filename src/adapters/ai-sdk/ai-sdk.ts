/**
 * `aiSdk`: adapts a language model of the AI SDK as a model port. The package `ai` is loaded when
 * it is first needed, so that this module also loads where `ai` is not installed.
 */
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { ModelPort } from "../../runtime/index.js";
import { firstLine } from "./load-package.js";
import { type Loader, modelPort } from "./model-port.js";
import type { AiSdkOptions } from "./options.js";
import type { AiSdkModel } from "./specification.js";

/**
 * Any language model of the AI SDK, of `ai` 6 or 7 (or of the one before): `aiSdk(openai("gpt-4o"))`.
 * A string is a model id of the SDK's default provider, the gateway.
 *
 * - Arguments of a tool call that are no JSON come as a call with `malformed: true` and the raw
 *   text; a tool that does not exist is called like any other. Both are for the agent to answer.
 * - A part's `providerOptions` hold what the provider sent with it (signatures, item ids, sealed
 *   contexts) and go back with the part. Files that the model made are base64, or a URL.
 * - `ai` itself is needed for model ids, and for files behind URLs that the provider does not fetch.
 * - OpenAI's Responses API keeps conversations and has earlier items referred to by id. A journal
 *   must be able to go on without them, so `providerOptions.openai.store` is false where the
 *   settings do not say otherwise, and whole items are sent.
 *
 * `generate` throws a ModelError with code `llm.failed`, or `llm.rejectedCall` where the provider
 * refused a tool call that the model made; with the HTTP status, how long to wait, whether to try
 * again, and the provider's own words as `detail`, credentials in them masked.
 * @throws ReckonerError `cli.model` where the model is of a specification that is not known
 */
export function aiSdk(model: AiSdkModel, options: AiSdkOptions = {}): ModelPort {
  return modelPort(model, options, loader);
}

const missing = (cause: unknown) => {
  throw new ReckonerError(
    "cli.model",
    `The package ai cannot be loaded (${firstLine(cause)}); install it: npm install ai`,
    { cause },
  );
};
const loader: Loader = {
  internal: () => import("ai/internal").catch(missing) as ReturnType<Loader["internal"]>,
  ai: () => import("ai").catch(missing),
};
