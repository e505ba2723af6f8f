/** The options of `aiSdk`. */
import type { EffectError } from "../../core/kernel/vocabulary/index.js";
import type { Family } from "./families/index.js";

/** Options of `aiSdk`. */
export interface AiSdkOptions {
  /**
   * Stream the answer: text, reasoning and tool input go to observers as they come. The answer is
   * the same. Default false.
   */
  readonly stream?: boolean | undefined;
  /**
   * The model's name, for people. Default: the SDK's provider and model id, `openai.chat:gpt-4o`.
   */
  readonly name?: string | undefined;
  /**
   * The provider whose rules a request is to obey. Default: it follows from the client's provider and the
   * model's id; an unknown provider is `openai-compatible`.
   */
  readonly family?: Family | undefined;
  /**
   * Recognises errors by which a provider rejects a tool call of the model, beside those that are
   * known. Such an error gets the code `llm.rejectedCall`.
   */
  readonly isRejectedCall?: ((error: EffectError) => boolean) | undefined;
  /** Masks credentials in errors. Default true. */
  readonly maskCredentials?: boolean | undefined;
}
