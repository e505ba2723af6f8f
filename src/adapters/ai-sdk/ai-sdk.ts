/**
 * A language model of the AI SDK, for programs. `ai` is loaded at the first call, so that this module
 * loads where `ai` is missing and the command line can say what to install.
 */
import type { LanguageModel } from "ai";
import { ReckonerError } from "../../core/kernel/index.js";
import type { ModelPort } from "../../runtime/index.js";
import { firstLine } from "./load-package.js";
import { modelPort } from "./model-port.js";
import type { AiSdkOptions } from "./options.js";

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
  return modelPort(model, options, () =>
    import("ai/internal").catch((cause: unknown) => {
      throw new ReckonerError(
        "cli.model",
        `The package ai cannot be loaded (${firstLine(cause)}); install it: npm install ai@6`,
        { cause },
      );
    }),
  );
}
